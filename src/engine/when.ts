import type { People } from "../chat/people.ts";
import type { Clock } from "../clock.ts";
import { isWhenGiven, readWhen, type When } from "../operation/when.ts";
import { isZone } from "../operation/zone.ts";

/** A time that something is put off to, with the time zone that it was said in. */
export interface PutOff extends When {
  /** An IANA time zone. */
  zone: string;
}

/**
 * Reads when a member wants something done, by the clocks of the time zone that they chose in Slack; null: at once. Throws an
 * InputError where it is not understood, has passed, or is too far ahead.
 */
export type ReadPutOff = (input: Record<string, unknown>, slackUser: string) => Promise<PutOff | null>;

export function createReadPutOff({ people, clock }: { people: People; clock: Clock }): ReadPutOff {
  return async (input, slackUser) => {
    if (!isWhenGiven(input)) return null;
    const { zone: chosen } = await people.person(slackUser);
    const zone = isZone(chosen) ? chosen : "UTC";
    const when = readWhen(input, { now: clock.now(), zone });
    return when && { ...when, zone };
  };
}
