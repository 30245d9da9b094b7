// engine/report/: the weekly report: when it is due, what it tells, and its message in the channel that an admin named.
// May import: engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/.

import * as z from "zod";
import { momentPassedOver, momentsOf, wallTimeOf } from "../../operation/zone.ts";

const minute = 60_000;
const dayMs = 24 * 60 * minute;

/** The days of a week as `Date` counts them. */
export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** When it is posted each week, by the clocks of a time zone. */
export const Schedule = z.object({
  /** 0 is Sunday. */
  day: z.number().int().min(0).max(6),
  /** After midnight. */
  minutes: z
    .number()
    .int()
    .min(0)
    .max(24 * 60 - 1),
  zone: z.string(),
});
export type Schedule = z.infer<typeof Schedule>;

/**
 * The next moment after `now` (milliseconds since the epoch) at which clocks there show that time. What clocks pass over as they are set
 * forward is as long after the change; of two, as they are set back, it is the first.
 */
export function nextWeekly({ day, minutes, zone }: Schedule, now: number): number {
  const today = Math.floor(wallTimeOf(now, zone) / dayMs) * dayMs;
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const date = today + ahead * dayMs;
    if (new Date(date).getUTCDay() !== day) continue;
    const wall = date + minutes * minute;
    const at = momentsOf(wall, zone)[0] ?? momentPassedOver(wall, zone);
    if (at > now) return at;
  }
  return now + 7 * dayMs;
}

/** Whether two moments fall on one day of the zone's calendar. */
export function isSameDay(one: number, other: number, zone: string): boolean {
  return Math.floor(wallTimeOf(one, zone) / dayMs) === Math.floor(wallTimeOf(other, zone) / dayMs);
}

/** "Monday at 09:00 (Europe/Madrid)", the zone as code. */
export function scheduleWords({ day, minutes }: Schedule): string {
  const name = weekdays[day] ?? "";
  const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} at ${time}`;
}
