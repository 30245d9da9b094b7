import { limits } from "./limits.ts";
import { prose } from "./text.ts";
import { wallTimeOf } from "./zone.ts";

/** A moment in the reader's zone. `at` is milliseconds or a date-time with a zone. Slack does not convert it inside code. */
export function moment(at: number | string): string {
  const seconds = slackSeconds(at);
  if (seconds === null) return prose(undatedWords(at));
  return `<!date^${seconds}^{date_short_pretty} {time}|${utc(at)}>`;
}

/** The date of a moment in the reader's zone: "Nov 28, 2026". */
export function momentDay(at: number | string): string {
  const seconds = slackSeconds(at);
  if (seconds === null) return prose(undatedWords(at));
  return `<!date^${seconds}^{date_short_pretty}|${day(at)}>`;
}

/** The time of day of a moment in the reader's zone: "10:00 PM". */
export function timeOfDay(at: number): string {
  const seconds = slackSeconds(at);
  return seconds === null ? prose(undatedWords(at)) : `<!date^${seconds}^{time}|${utc(at)}>`;
}

/** A moment in the reader's zone with its age at the time of reading: "Today 02:14 (3 minutes ago)". */
export function momentAgo(at: number | string): string {
  const seconds = slackSeconds(at);
  if (seconds === null) return prose(undatedWords(at));
  return `<!date^${seconds}^{date_short_pretty} {time} ({ago})|${utc(at)}>`;
}

const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const unzoned = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?)?$/;

/**
 * A moment in milliseconds; null for an invalid one. A text without a zone is no moment: a day would be the day before for readers
 * west of Greenwich, and a time would depend on the server's own zone.
 */
export function momentIn(at: number | string): number | null {
  const time = typeof at === "number" || zoned.test(at) ? new Date(at).getTime() : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** A moment in whole seconds, for Slack's date format. Null for no moment, or one outside Slack's range. */
export function slackSeconds(at: number | string): number | null {
  const time = momentIn(at);
  const seconds = time === null ? -1 : Math.floor(time / 1000);
  return seconds >= 0 && seconds <= limits.timestamp ? seconds : null;
}

/** The characters of "2026-11-28 11:12", and with the seconds. */
const toMinutes = 16;
export const toSeconds = 19;

/** A moment in its one reader's zone, for plain text: "2026-11-28 11:12 (Europe/Madrid)". Any other text unchanged. */
export function momentFor(zone: string, at: number | string, exact = toMinutes): string {
  const time = momentIn(at);
  if (time === null) return String(at);
  const clock = new Date(wallTimeOf(time, zone)).toISOString().slice(0, exact).replace("T", " ");
  return `${clock} ${zone === "UTC" ? zone : `(${zone})`}`;
}

/**
 * mrkdwn of the app in which each time is plain text in its one reader's zone: where Slack converts none, such as on a page or in a form,
 * a time in UTC would contradict the message.
 */
export function inZone(zone: string, text: string): string {
  return text.replaceAll(/<!date\^(\d+)\^([^|<>]*)\|[^<>]*>/g, (_, seconds: string, format: string) => {
    const [date = "", time = "", named = ""] = momentFor(zone, Number(seconds) * 1_000).split(" ");
    if (!format.includes("{time}")) return date;
    return [...(format.includes("{date") ? [date] : []), time, named].join(" ");
  });
}

/** The plain text for which Slack has no date: a day is the same for every reader, and a time without a zone says so. */
export function undatedWords(at: number | string): string {
  const [, written, time] = unzoned.exec(String(at)) ?? [];
  const date = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return momentFor("UTC", at);
  return time === undefined ? longDay.format(date) : `${longDay.format(date)}, ${time} (unknown zone)`;
}

/** A moment in UTC, for elements in which Slack shows plain text only. */
export function utc(at: number | string): string {
  return momentFor("UTC", at);
}

const shortDay = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const longDay = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });

/** "Nov 28", for a button; in UTC, as the platform's days. */
export function day(at: number | string): string {
  const [, written = at] = unzoned.exec(String(at)) ?? [];
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? String(at) : shortDay.format(date);
}

/** "3 min 12 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return "less than 1 s";
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(seconds / 60);
  const hours = Math.round(seconds / 3600);
  // Round to the smaller unit first, so that it never reads "1 h 60 min".
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return parts(Math.floor(seconds / 60), "min", seconds % 60, "s");
  if (minutes < 24 * 60) return parts(Math.floor(minutes / 60), "h", minutes % 60, "min");
  return parts(Math.floor(hours / 24), "d", hours % 24, "h");
}

function parts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** The units of amounts that count up in steps: bytes as machines have them, rates as lines are sold. */
export const scales: Record<"B" | "bit/s", { step: number; units: string[] }> = {
  // A disk of 25 GiB has 26.8 GB: under the name GB, an image would be billed as more than was shown.
  B: { step: 1_024, units: ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] },
  "bit/s": { step: 1_000, units: ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"] },
};

function scaled(amount: number, { step, units }: { step: number; units: string[] }): { value: number; unit: string } {
  let value = amount;
  let at = 0;
  while (Math.abs(value) >= step && at < units.length - 1) {
    value /= step;
    at += 1;
  }
  return { value, unit: units[at] ?? "" };
}

/** Bytes in a readable unit: "1.5 GiB". */
export function bytes(amount: number): string {
  const { value, unit } = scaled(amount, scales.B);
  return `${Number(value.toFixed(Math.abs(value) < 10 && unit !== "B" ? 1 : 0))} ${unit}`;
}

/** A rate of bits in a readable unit: "3.2 Mbit/s". */
export function bitRate(amount: number): string {
  const { value, unit } = scaled(amount, scales["bit/s"]);
  return `${figure(value)} ${unit}`;
}

/** An amount with its currency: "12.5000" of EUR is "12.50 EUR". Null says that the currency is unknown: a bare figure would be taken for the usual one. */
export function money(amount: string | number, currency: string | null): string {
  return `${bareAmount(amount)} ${currency || "(currency unknown)"}`;
}

/** An amount with the contract's decimals, whose currency the words around it name: "12.5000" is "12.50", "0.0125" stays. */
export function bareAmount(amount: string | number): string {
  const [whole = "0", decimals = ""] = (typeof amount === "number" ? amount.toFixed(4) : amount).split(".");
  const kept = decimals.replace(/(?<!0)0+$/, "").padEnd(2, "0");
  const grouped = whole.replace(
    /^(-?\d{1,3}?)((?:\d{3})*)$/,
    (_, head: string, groups: string) => head + groups.replaceAll(/\d{3}/g, ",$&"),
  );
  return `${grouped}.${kept}`;
}

// Made once: a format for each figure took a third of the time of a long table.
const figureFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const smallFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

/** A number with separators: "12,345.68". */
export function figure(value: number): string {
  return (Math.abs(value) < 1 ? smallFormat : figureFormat).format(value);
}

const cycles = new Map<string, { name: string; each: string }>([
  ["hourly", { name: "By the hour", each: "an hour" }],
  ["monthly", { name: "Monthly", each: "a month" }],
  ["quarterly", { name: "Quarterly", each: "a quarter" }],
  ["semi-annually", { name: "Every half year", each: "every half year" }],
  ["annually", { name: "Yearly", each: "a year" }],
]);

/** The label of a billing cycle in a form: "Every half year". */
export function cycleName(cycle: string): string {
  return cycles.get(cycle)?.name ?? cycle;
}

/** "20.00 EUR a month"; an unknown cycle keeps its own name. */
export function perCycle(price: string, cycle: string): string {
  const each = cycles.get(cycle.toLowerCase())?.each;
  return each ? `${price} ${each}` : `${price} · ${prose(cycle, 40)}`;
}
