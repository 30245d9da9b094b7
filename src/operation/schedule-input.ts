import * as z from "#zod";
import { prose } from "../views/text.ts";
import { momentPassedOver, momentsOf, type WallTime, wallTimeOf } from "../views/zone.ts";
import { type InputError, wrongInput } from "./errors.ts";
import type { Risk } from "./risk.ts";

/** The inputs for a scheduled time. Every act that costs nothing takes them: it is decided now and runs then. */
const atField = "at";
export const inField = "in";
const fields: readonly string[] = [atField, inField];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Facts shown now may be wrong later than that. */
const maxAhead = 30 * day;

const Text = z.string().trim().max(60).optional();
const At = Text.meta({
  title: "When",
  description:
    "Empty: now. With a time, Rackbell runs it then. If it needs a confirmation or an approval, Rackbell asks for that now. At most 30 days ahead",
  format: "moment",
});
const In = Text.meta({ title: "In how long", description: "Such as 2h, 90m or 1d12h; at most 30 days" });

/**
 * The input of an operation with the time to schedule it. A purchase cannot be scheduled: its price and balance would be out of
 * date.
 */
export function withScheduleInputs(input: z.ZodObject, risk: Risk): z.ZodObject {
  return risk === "change" || risk === "destroy" ? input.safeExtend({ [atField]: At, [inField]: In }) : input;
}

/** True for the inputs of a scheduled time. */
export function isScheduleInput(name: string): boolean {
  return fields.includes(name);
}

/** True for an operation that can be scheduled, by its input. */
export function takesSchedule(input: z.ZodObject): boolean {
  return Object.hasOwn(input.shape, atField);
}

/** True if the input has a scheduled time. */
export function hasSchedule(input: Record<string, unknown>): boolean {
  return fields.some((name) => textOf(input[name]) !== "");
}

/** A scheduled time, as the app understood it. */
export interface ParsedTime {
  /** Milliseconds since the epoch. */
  at: number;
  /**
   * A sentence about an ambiguous time, without clock times and without "tomorrow": it is stored, and readers live in different zones. Every
   * answer shows the day beside it.
   */
  said: string;
}

/**
 * Reads `at=` or `in=` in the member's zone; null if neither is given. Throws an InputError if the text is unreadable, in the
 * past or too far ahead.
 */
export function readScheduledTime(input: Record<string, unknown>, { now, zone }: Reference): ParsedTime | null {
  const [at, within] = [textOf(input[atField]), textOf(input[inField])];
  if (at !== "" && within !== "") throw inputError("Say either at= or in=, not both.");
  if (at !== "") return checkRange(readAt(at, { now, zone }), now);
  if (within !== "") return checkRange({ at: now + readLength(within), said: "" }, now);
  return null;
}

interface Reference {
  now: number;
  /** An IANA time zone. */
  zone: string;
}

/** The resolved time of an input for a form's date picker, in milliseconds since the epoch; null if there is none. */
export function resolvedTimeOf(input: Record<string, unknown>): number | null {
  return isoMoment(textOf(input[atField]));
}

/** The input with the time as an ISO date-time, which means the same in every zone and at any later reading. */
export function withResolvedTime(input: Record<string, unknown>, at: number): Record<string, unknown> {
  return { ...withoutSchedule(input), [atField]: new Date(at).toISOString() };
}

export function withoutSchedule(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isScheduleInput(name)));
}

/**
 * A time in its one reader's zone, for a button, because Slack shows plain text there. "22:00", or "Sat 28 Nov, 22:00" on another
 * day than `now` (milliseconds since the epoch).
 */
export function clockTime(at: number, zone: string, now: number): string {
  const shown = (options: Intl.DateTimeFormatOptions, moment = at) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options }).format(moment);
  const date = { weekday: "short", month: "short", day: "numeric" } as const;
  const time = shown({ hour: "2-digit", minute: "2-digit" });
  return shown(date) === shown(date, now) ? time : `${shown(date)}, ${time}`;
}

function checkRange(when: ParsedTime, now: number): ParsedTime {
  if (when.at <= now) throw inputError("That time has passed.");
  if (when.at > now + maxAhead) throw inputError("That is more than 30 days ahead. Choose an earlier time.");
  return when;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

const examples = 'Write it like at=03:00, at="Nov 28 22:00", at="mon 22:00" or in=2h.';

function inputError(message: string): InputError {
  return wrongInput(atField, message);
}

function readLength(text: string): number {
  const length = lengthIn(text);
  if (length === null) throw inputError(`I don't understand in=${prose(text, 60)}. ${examples}`);
  if (length < minute) throw inputError("The shortest delay is one minute. Leave in= out to do it now.");
  return length;
}

const noSuchTime = "There is no such time.";

const isoPattern = /^(\d{4})-(\d\d)-(\d\d)t(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)$/i;

function readIso(text: string): ParsedTime {
  const at = isoMoment(text);
  if (at === null) throw inputError(noSuchTime);
  return { at, said: "" };
}

/** Null for any other text, and for a day or an hour that no calendar has: `Date.parse` takes 31 November for 1 December. */
function isoMoment(text: string): number | null {
  const [, year, month, date] = isoPattern.exec(text) ?? [];
  const at = Date.parse(text);
  const exists = dateOf(Number(year), Number(month) - 1, Number(date)).length > 0 && !Number.isNaN(at);
  return exists ? at : null;
}

const timePattern = /^(?:(?<date>.*?)(?: |(?<=\d)t))?(?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s?(?<half>am|pm)?$/;

function readAt(text: string, { now, zone }: Reference): ParsedTime {
  if (isoPattern.test(text)) return readIso(text);
  const plain = text
    .toLowerCase()
    .replaceAll(/[,.]/g, " ")
    .replaceAll(/\s+(at\s+)?/g, " ")
    .trim();
  const local = plain.replace(/\s?(utc|gmt)$/, "");
  const usedZone = local === plain ? zone : "UTC";
  const { date, hours, minutes, half } = timePattern.exec(local)?.groups ?? {};
  const clock = hours === undefined || (minutes ?? half) === undefined ? null : clockOf(hours, minutes, half);
  if (clock === null) throw inputError(`I don't understand at=${prose(text, 60)}. ${examples}`);
  const midnight = Math.floor(wallTimeOf(now, usedZone) / day) * day;
  const dates = datesOf(date ?? "", midnight);
  if (!dates) throw inputError(`I don't know the day “${prose(date ?? "", 40)}”. ${examples}`);
  // Take the first day on which the time is still to come. If it passed on all of them, `checkRange` refuses it.
  const read = dates.map((start) => momentOf(start + clock, { now, zone: usedZone }));
  const found = read.find(({ at }) => at > now) ?? read[0];
  if (!found) throw inputError(noSuchTime);
  return found;
}

/** Milliseconds since midnight; null if no clock shows such a time. */
function clockOf(hours: string, minutes = "0", half?: string): number | null {
  const [h, m] = [Number(hours), Number(minutes)];
  if (m > 59 || (half ? h < 1 || h > 12 : h > 23)) return null;
  return (half ? (h % 12) + (half === "pm" ? 12 : 0) : h) * hour + m * minute;
}

/** The next moment of a wall time. `said` explains a clock change that skips or repeats the time. */
function momentOf(wall: WallTime, { now, zone }: Reference): ParsedTime {
  const [first, second] = momentsOf(wall, zone);
  if (first === undefined) {
    const at = momentPassedOver(wall, zone);
    return { at, said: "The clocks go forward over that time, so it is as much later." };
  }
  if (second === undefined) return { at: first, said: "" };
  const [at, which] = first > now ? [first, "first"] : [second, "second"];
  return { at, said: `That time comes twice that day, since the clocks go back: the ${which} applies.` };
}

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * The days that a text can mean, the nearest first, each as its midnight. `today` is today's midnight. Null if the text is no
 * day.
 */
function datesOf(text: string, today: WallTime): WallTime[] | null {
  if (text === "") return [today, today + day];
  if (text === "today") return [today];
  if (text === "tomorrow") return [today + day];
  const weekday = weekdays.findIndex((name) => isShortFor(text, name));
  if (weekday >= 0) {
    const start = today + ((weekday - new Date(today).getUTCDay() + 7) % 7) * day;
    return [start, start + 7 * day];
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  return namedDates(text, new Date(today).getUTCFullYear());
}

/** Reads "nov 28" and "28 nov", with or without a year. */
function namedDates(text: string, year: number): WallTime[] | null {
  const words = text.split(" ");
  const month = months.findIndex((name) => words.some((word) => isShortFor(word, name)));
  const date = words.find((word) => /^\d{1,2}(st|nd|rd|th)?$/.test(word));
  const of = words.find((word) => /^\d{4}$/.test(word));
  if (month < 0 || date === undefined || words.length !== (of === undefined ? 2 : 3)) return null;
  const years = of === undefined ? [year, year + 1] : [Number(of)];
  return years.flatMap((each) => dateOf(each, month, Number.parseInt(date, 10)));
}

/** The midnight of a day, or nothing for a day that no calendar has. */
export function dateOf(year: number, month: number, date: number): WallTime[] {
  const wall = new Date(Date.UTC(year, month, date));
  const exists = wall.getUTCFullYear() === year && wall.getUTCMonth() === month && wall.getUTCDate() === date;
  return exists ? [wall.getTime()] : [];
}

/** True for "monday" and "mon"; false for "mont". */
function isShortFor(text: string, short: string): boolean {
  return text === short || (text.startsWith(short) && longNames.includes(text));
}

const longNames = [
  ..."sunday monday tuesday wednesday thursday friday saturday".split(" "),
  ..."january february march april june july august september october november december".split(" "),
];

/** Reads a length of time such as "20m", "2h" or "1d12h", in milliseconds; null for any other text. */
export function lengthIn(text: string): number | null {
  const [whole, d, h, m] =
    /^(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,5})m(?:in)?)?$/i.exec(text.replaceAll(" ", "")) ?? [];
  return whole ? Number(d ?? 0) * day + Number(h ?? 0) * hour + Number(m ?? 0) * minute : null;
}

/** A length of whole minutes as `lengthIn` reads it: "1d12h". */
export function lengthText(length: number): string {
  const parts = [
    [Math.floor(length / day), "d"],
    [Math.floor((length % day) / hour), "h"],
    [Math.floor((length % hour) / minute), "m"],
  ] as const;
  return parts.map(([amount, unit]) => (amount === 0 ? "" : `${amount}${unit}`)).join("") || "0m";
}
