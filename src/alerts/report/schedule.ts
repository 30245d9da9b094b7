// alerts/report/: the weekly report: its schedule, its content, and its message in the channel that an admin chose.

import * as z from "#zod";
import { capital } from "../../views/text.ts";
import { momentPassedOver, momentsOf, wallTimeOf } from "../../views/zone.ts";

const minute = 60_000;
const dayMs = 24 * 60 * minute;

/** The days of the week in the order of `Date.getUTCDay`. */
export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** Day and time of the weekly report, in a time zone. */
export const WeeklyTime = z.object({
  /** 0 is Sunday. */
  day: z.number().int().min(0).max(6),
  /** Minutes after midnight. */
  minutes: z
    .number()
    .int()
    .min(0)
    .max(24 * 60 - 1),
  zone: z.string(),
});
export type WeeklyTime = z.infer<typeof WeeklyTime>;

/**
 * The next moment after `now` (milliseconds since the epoch) at which clocks in the zone show that time. A time that the change to summer
 * time skips is moved by the length of the change. Of two such moments, when clocks are set back, it is the first.
 */
export function nextWeekly({ day, minutes, zone }: WeeklyTime, now: number): number {
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

/** "Monday at 09:00", without the zone. */
export function weeklyTimeWords(time: WeeklyTime): string {
  return `${capital(weekdays[time.day] ?? "")} at ${weeklyClock(time)}`;
}

/** "09:00". */
export function weeklyClock({ minutes }: Pick<WeeklyTime, "minutes">): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
