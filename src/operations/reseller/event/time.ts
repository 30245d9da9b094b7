import { InputError } from "../../../operation/errors.ts";

const minute = 60_000;
const units: Record<string, number> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/** Describes the accepted times in the form. */
export const timeHint = "How long ago, such as 90m, 12h or 3d; or a time in UTC, such as 2026-11-22 02:00";

/** Parses a typed time into milliseconds since the epoch. Throws an InputError that names the field. */
export function timeOf(typed: string, field: string, now: number): number {
  const word = typed.trim().toLowerCase();
  const [, amount, unit = ""] = /^(\d{1,5}) ?([mhd])$/.exec(word) ?? [];
  if (amount !== undefined) return now - Number(amount) * (units[unit] ?? minute);
  const [, day, hour = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[ t](\d\d:\d\d)(?::00)?z?)?$/.exec(word) ?? [];
  const at = Date.parse(`${day}T${hour}Z`);
  if (!Number.isNaN(at)) return at;
  throw new InputError([{ field, message: "Give how long ago (90m, 12h, 3d) or a time in UTC (2026-11-22 02:00)." }]);
}
