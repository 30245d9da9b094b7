import { hasSchedule, type ParsedTime, readScheduledTime } from "../../operation/schedule-input.ts";
import type { Clock } from "../../process/clock.ts";

/** A scheduled time, with the time zone in which the member typed it. */
export interface ScheduledTime extends ParsedTime {
  /** An IANA time zone. */
  zone: string;
}

/** The parts of the app that read a scheduled time. */
export interface ScheduleApp {
  /** The IANA time zone that the member chose in Slack. */
  zoneOf(slackUser: string): Promise<string>;
  clock: Clock;
}

/**
 * Reads the scheduled time from an input, in the time zone that the member chose in Slack; null means at once. Throws an InputError when
 * the time is unreadable, has passed, or is too far ahead.
 */
export async function scheduledTime(
  { zoneOf, clock }: ScheduleApp,
  input: Record<string, unknown>,
  slackUser: string,
): Promise<ScheduledTime | null> {
  if (!hasSchedule(input)) return null;
  const zone = await zoneOf(slackUser);
  const when = readScheduledTime(input, { now: clock.now(), zone });
  return when && { ...when, zone };
}
