import type { Clock } from "../clock.ts";
import { hasSchedule, type ParsedTime, readScheduledTime } from "../operation/schedule-input.ts";

/** A scheduled time, with the time zone in which the member typed it. */
export interface ScheduledTime extends ParsedTime {
  /** An IANA time zone. */
  zone: string;
}

/**
 * Reads the scheduled time from an input, in the time zone that the member chose in Slack; null means at once. Throws an InputError when
 * the time is unreadable, has passed, or is too far ahead.
 */
export type ReadScheduledTime = (input: Record<string, unknown>, slackUser: string) => Promise<ScheduledTime | null>;

export function createReadScheduledTime(deps: {
  zoneOf: (slackUser: string) => Promise<string>;
  clock: Clock;
}): ReadScheduledTime {
  const { zoneOf, clock } = deps;
  return async (input, slackUser) => {
    if (!hasSchedule(input)) return null;
    const zone = await zoneOf(slackUser);
    const when = readScheduledTime(input, { now: clock.now(), zone });
    return when && { ...when, zone };
  };
}
