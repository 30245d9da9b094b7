import { wrongInput } from "../../operation/errors.ts";
import { dateOf } from "../../operation/schedule-input.ts";
import { moment } from "../../views/format.ts";
import { momentPassedOver, momentsOf, wallTimeOf } from "../../views/zone.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const units: Record<string, number> = { m: minute, h: 60 * minute, d: day };

/** A span of the past in milliseconds since the epoch, both ends included; null: open. */
export interface PastSpan {
  from: number | null;
  to: number | null;
}

/** Describes the accepted times in a form. `where`: whose clocks, as "in UTC". */
export function pastTimeHint(where: string): string {
  return `How long ago, such as 90m, 12h or 3d; today or yesterday; or a time ${where}, such as 2026-11-22 02:00`;
}

const pattern =
  /^(?:(?<name>today|yesterday)|(?<year>\d{4})-(?<month>\d\d)-(?<date>\d\d))?(?:(?:^|[ t])(?<hours>[01]?\d|2[0-3]):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d))?)?(?<utc>z| ?utc)?$/;

/** Reads `since=` and `until=` in a zone. A day alone means its beginning for the one, and its end for the other. */
export function readPastSpan(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  here: { now: number; zone: string },
): PastSpan {
  const from = since === undefined ? null : pastTime(since, "since", here);
  const to = until === undefined ? null : pastTime(until, "until", here);
  if (from !== null && to !== null && to < from) throw wrongInput("until", "This is before the time in since=.");
  return { from, to };
}

function pastTime(typed: string, field: "since" | "until", { now, zone }: { now: number; zone: string }): number {
  const word = typed.trim().toLowerCase();
  const [, amount, unit = ""] = /^(\d{1,5}) ?([mhd])$/.exec(word) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? minute);
  const { name, year, month, date, hours, minutes, seconds = 0, utc } = (word && pattern.exec(word)?.groups) || {};
  const used = utc ? "UTC" : zone;
  const today = Math.floor(wallTimeOf(now, used) / day) * day;
  const isRelative = name !== undefined || (year === undefined && hours !== undefined);
  const [start] = isRelative
    ? [name === "yesterday" ? today - day : today]
    : dateOf(Number(year), Number(month) - 1, Number(date));
  if (start === undefined)
    throw wrongInput(field, "Give how long ago (90m, 12h, 3d), today, yesterday, or a time (2026-11-22 02:00).");
  if (hours !== undefined)
    return momentAt(start + (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1_000, used);
  return field === "since" ? momentAt(start, used) : momentAt(start + day, used) - 1;
}

function momentAt(wall: number, zone: string): number {
  return momentsOf(wall, zone)[0] ?? momentPassedOver(wall, zone);
}

/** " between … and …", with a leading space; empty without a limit. */
export function spanWords({ from, to }: PastSpan): string {
  if (from !== null && to !== null) return ` between ${moment(from)} and ${moment(to)}`;
  if (from !== null) return ` since ${moment(from)}`;
  return to === null ? "" : ` until ${moment(to)}`;
}
