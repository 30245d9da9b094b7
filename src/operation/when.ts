import * as z from "zod";
import { moment, utc } from "../views/format.ts";
import { prose } from "../views/text.ts";
import { InputError } from "./errors.ts";
import type { Risk } from "./operation.ts";
import { momentPassedOver, momentsOf, type WallTime, wallTimeOf } from "./zone.ts";

/** When something is done, where not at once: every act that costs nothing takes it, decided now and done then. */
const atField = "at";
export const inField = "in";
const fields: readonly string[] = [atField, inField];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Nobody knows today what holds later than that. */
const furthest = 30 * day;

const Text = z.string().trim().max(60).optional();
const At = Text.meta({
  title: "When",
  description: "Leave it empty to do it now. It is decided now, and done then; at most 30 days ahead",
  format: "moment",
});
const In = Text.meta({ title: "In how long", description: "Such as 2h, 90m or 1d12h; at most 30 days" });

/** The input of an operation with the time that it may be put off to. What costs money is not put off: its price and balance are of now. */
export function withWhen(input: z.ZodObject, risk: Risk): z.ZodObject {
  return risk === "change" || risk === "destroy" ? input.safeExtend({ [atField]: At, [inField]: In }) : input;
}

/** Whether an input is about when. */
export function isWhen(name: string): boolean {
  return fields.includes(name);
}

/** Whether a time was said at all. */
export function isWhenGiven(input: Record<string, unknown>): boolean {
  return fields.some((name) => textOf(input[name]) !== "");
}

/** A time that was said, as it was understood. */
export interface When {
  /** Milliseconds since the epoch. */
  at: number;
  /** What had to be made clear, as sentences; empty where nothing had. */
  said: string;
}

/**
 * Reads `at=` or `in=` as a person in that zone means it at this moment; null where neither is given. Throws an InputError that says how
 * it can be written, or that it has passed or is too far ahead.
 */
export function readWhen(input: Record<string, unknown>, { now, zone }: Here): When | null {
  const [at, within] = [textOf(input[atField]), textOf(input[inField])];
  if (at !== "" && within !== "") throw wrong("Say either at= or in=, not both.");
  if (at !== "") return inTime(readAt(at, { now, zone }), now);
  if (within !== "") return inTime({ at: now + readLength(within), said: "" }, now);
  return null;
}

interface Here {
  now: number;
  /** An IANA time zone. */
  zone: string;
}

/** The time of an input that was made clear before, as a form's picker wants it; null where there is none. */
export function settledAt(input: Record<string, unknown>): number | null {
  const text = textOf(input[atField]);
  return isoPattern.test(text) ? Date.parse(text) : null;
}

/** The input with a time that every reader understands the same, whenever they read it. */
export function withSettled(input: Record<string, unknown>, at: number): Record<string, unknown> {
  return { ...withoutWhen(input), [atField]: new Date(at).toISOString() };
}

export function withoutWhen(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isWhen(name)));
}

/** A moment as clocks in the zone show it: "Sat 28 Nov, 22:00 (Europe/Vienna)". */
export function zoneTime(at: number, zone: string): string {
  const shown = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
  }).format(at);
  return `${shown} (${zone})`;
}

/** The same, and as Slack tells each reader. */
export function whenWords(at: number, zone: string): string {
  return `${zoneTime(at, zone)}, which is ${moment(at)} for you`;
}

function inTime(when: When, now: number): When {
  if (when.at <= now) throw wrong("That time has passed.");
  if (when.at > now + furthest)
    throw wrong(`That is more than 30 days ahead. The latest that can be said is ${utc(now + furthest)}.`);
  return when;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

const examples = 'Write it like at=03:00, at="Nov 28 22:00", at="mon 22:00" or in=2h.';

function wrong(message: string): InputError {
  return new InputError([{ field: atField, message }]);
}

function readLength(text: string): number {
  const [whole, d, h, m] =
    /^(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,5})m(?:in)?)?$/i.exec(text.replaceAll(" ", "")) ?? [];
  const length = Number(d ?? 0) * day + Number(h ?? 0) * hour + Number(m ?? 0) * minute;
  if (!whole) throw wrong(`I don't understand in=${prose(text, 60)}. ${examples}`);
  if (length < minute) throw wrong("A minute is the least that it can be put off. Leave in= out to do it now.");
  return length;
}

const isoPattern = /^(\d{4})-(\d\d)-(\d\d)t(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)$/i;
const timePattern = /^(?:(?<date>.*?)(?:\s+|(?<=\d)t))?(?<hours>\d{1,2})(?::(?<minutes>\d\d))?\s?(?<half>am|pm)?$/;

function readAt(text: string, { now, zone }: Here): When {
  if (isoPattern.test(text)) return { at: Date.parse(text), said: "" };
  const plain = text
    .toLowerCase()
    .replaceAll(/[,.]/g, " ")
    .replaceAll(/\s+(at\s+)?/g, " ")
    .trim();
  const local = plain.replace(/\s?(utc|gmt)$/, "");
  const own = local === plain ? zone : "UTC";
  const { date, hours, minutes, half } = timePattern.exec(local)?.groups ?? {};
  const clock = hours === undefined || (minutes ?? half) === undefined ? null : clockOf(hours, minutes, half);
  if (clock === null) throw wrong(`I don't understand at=${prose(text, 60)}. ${examples}`);
  const midnight = Math.floor(wallTimeOf(now, own) / day) * day;
  const dates = datesOf(date ?? "", midnight);
  if (!dates) throw wrong(`I don't know the day “${prose(date ?? "", 40)}”. ${examples}`);
  const shown = local
    .slice((date ?? "").length)
    .replace(/^t/, "")
    .trim();
  // The first of these days on which that time is still to come; where it passed on all, that is told.
  const read = dates.map((start) => settle(start + clock, { now, zone: own }, shown));
  const found = read.find(({ at }) => at > now) ?? read[0];
  if (!found) throw wrong("There is no such day.");
  const waits = date === undefined && found !== read[0];
  return waits ? { ...found, said: `${shown} has passed today, so it is tomorrow. ${found.said}`.trim() } : found;
}

/** Milliseconds since midnight, as clocks show it; null for what no clock shows. */
function clockOf(hours: string, minutes = "0", half?: string): number | null {
  const [h, m] = [Number(hours), Number(minutes)];
  if (m > 59 || (half ? h < 1 || h > 12 : h > 23)) return null;
  return (half ? (h % 12) + (half === "pm" ? 12 : 0) : h) * hour + m * minute;
}

/** The moment of a time, the next one where there are two; what a change of the clocks makes of it is said. */
function settle(wall: WallTime, { now, zone }: Here, shown: string): When {
  const [first, second] = momentsOf(wall, zone);
  if (first === undefined) {
    const at = momentPassedOver(wall, zone);
    const instead = new Date(wallTimeOf(at, zone)).toISOString().slice(11, 16);
    return {
      at,
      said: `There is no ${shown} that day, since the clocks are set forward over it: ${instead} is meant.`,
    };
  }
  if (second === undefined) return { at: first, said: "" };
  const [at, which] = first > now ? [first, "first"] : [second, "second"];
  return { at, said: `There are two ${shown} that day, since the clocks are set back: the ${which} is meant.` };
}

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The days that a word can mean, the nearest first, each as its midnight; `today` is today's. Null for what is none. */
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

/** "nov 28", "28 nov", with a year or without. */
function namedDates(text: string, year: number): WallTime[] | null {
  const words = text.split(" ");
  const month = months.findIndex((name) => words.some((word) => isShortFor(word, name)));
  const date = words.find((word) => /^\d{1,2}(st|nd|rd|th)?$/.test(word));
  const of = words.find((word) => /^\d{4}$/.test(word));
  if (month < 0 || date === undefined || words.length !== (of === undefined ? 2 : 3)) return null;
  const years = of === undefined ? [year, year + 1] : [Number(of)];
  return years.flatMap((each) => dateOf(each, month, Number.parseInt(date, 10)));
}

function dateOf(year: number, month: number, date: number): WallTime[] {
  const wall = Date.UTC(year, month, date);
  return new Date(wall).getUTCDate() === date && date > 0 ? [wall] : [];
}

/** "monday" and "mon" are the same day; "mont" is none. */
function isShortFor(text: string, short: string): boolean {
  return text === short || (text.startsWith(short) && longNames.includes(text));
}

const longNames = [
  ..."sunday monday tuesday wednesday thursday friday saturday".split(" "),
  ..."january february march april june july august september october november december".split(" "),
];
