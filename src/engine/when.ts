import type { Clock } from "../clock.ts";
import { isWhenGiven, readWhen, type When } from "../operation/when.ts";

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

export function createReadPutOff(deps: { zoneOf: (slackUser: string) => Promise<string>; clock: Clock }): ReadPutOff {
  const { zoneOf, clock } = deps;
  return async (input, slackUser) => {
    if (!isWhenGiven(input)) return null;
    const zone = await zoneOf(slackUser);
    const when = readWhen(input, { now: clock.now(), zone });
    return when && { ...when, zone };
  };
}
