import { InputError } from "../../../operation/errors.ts";
import { dateOf } from "../../../operation/schedule-input.ts";

const minute = 60_000;
const units: Record<string, number> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/** Describes the accepted times in the form. */
export const timeHint = "How long ago, such as 90m, 12h or 3d; or a time in UTC, such as 2026-11-22 02:00";

/** Parses a typed time into milliseconds since the epoch. Throws an InputError that names the field. */
export function timeOf(typed: string, field: string, now: number): number {
  const word = typed.trim().toLowerCase();
  const [, amount, unit = ""] = /^(\d{1,5}) ?([mhd])$/.exec(word) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? minute);
  const [, year, month, date, hour = "00:00"] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[ t]([01]\d:[0-5]\d|2[0-3]:[0-5]\d)(?::00)?z?)?$/.exec(word) ?? [];
  const [day] = dateOf(Number(year), Number(month) - 1, Number(date));
  if (day !== undefined) return Date.parse(`${new Date(day).toISOString().slice(0, 10)}T${hour}Z`);
  throw new InputError([{ field, message: "Give how long ago (90m, 12h, 3d) or a time in UTC (2026-11-22 02:00)." }]);
}
