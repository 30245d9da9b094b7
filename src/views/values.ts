import { bitRate, bytes, duration, figure, moment, money } from "./format.ts";
import { labelled } from "./labels.ts";
import type { TableCell } from "./table.ts";
import { code, count, prose } from "./text.ts";

/** A value that is no list and no object. */
export type Scalar = string | number | boolean | null | undefined;

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean", "undefined"].includes(typeof value);
}

/** True for an object with fields, which is no list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The time in a value, in milliseconds; null if there is none. A time without a zone does not count: it could be shown wrong. */
export function timeIn(key: string, value: unknown): number | null {
  if (typeof value === "string") return zoned.test(value) ? validTime(Date.parse(value)) : null;
  if (typeof value !== "number" || !timeKey.test(key)) return null;
  // Seconds and milliseconds differ in size: 2001 to 2096 in either.
  if (value >= 1e12 && value < 4e12) return value;
  return value >= 1e9 && value < 4e9 ? value * 1_000 : null;
}

/** A value as mrkdwn: names easy to copy, figures with their unit, times in the reader's zone. */
export function valueWords(key: string, value: Scalar, currency: string | null = null): string {
  const at = timeIn(key, value);
  if (at !== null) return moment(at);
  if (typeof value !== "string") return plainWords(key, value, currency);
  const words = plainWords(key, value, currency);
  if (words !== value) return words;
  // In a line of its own, a break would end the line: a mark shows where each was.
  const line = value
    .split(/[\r\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");
  return line.length > mostCode ? prose(line, mostProse) : code(line, mostCode);
}

/** A value as a table cell. */
export function valueCell(key: string, value: Scalar, currency: string | null): TableCell {
  const at = timeIn(key, value);
  if (at !== null) return { at };
  if (value === null || value === undefined) return "";
  const text = plainWords(key, value, currency);
  return typeof value === "number" ? { text, value } : text;
}

const mostCode = 80;
const mostProse = 2_000;
const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const timeKey =
  /(^|_)(t|ts|time|timestamp|date|at|created|updated|expires|until|since|reset)$|[a-z](At|Date|Time|Timestamp)$/i;
const unzoned = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/;
const dayOnly = /^\d{4}-\d{2}-\d{2}$/;
const moneyKey =
  /(amount|price|total|fee|balance|cost|charge[ds]?|credit|surcharge|paid|subtotal|due_?(now|today)|with_?(vat|tax))$/i;
/** Numbers that name something count nothing: port 2022 and AS 64500 have no thousands. */
const numbers =
  /(^|[_-]|[a-z](?=[A-Z]))(ids?|ports?|asns?|as|vlans?|numbers?|no|codes?|pid|uid|gid|years?|versions?|serial|zip|postcode|phone)$|(^|[a-z])(asn|Id|ID|Port|Ports|Asn|ASN|Vlan|VLAN|Number|Code|Version)$/;
const decimal = /^-?\d{1,15}\.\d{2,4}$/;

function validTime(at: number): number | null {
  return Number.isNaN(at) ? null : at;
}

function plainWords(key: string, value: Scalar, currency: string | null): string {
  if (value === null || value === undefined) return "unknown";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (moneyKey.test(key) && (typeof value === "number" || decimal.test(value)))
    return typeof value === "number" && currency === null ? figure(value) : money(value, currency);
  if (typeof value === "number") return numbers.test(key) ? String(value) : withUnit(value, labelled(key).unit);
  if (dayOnly.test(value)) return dayWords(value);
  const { unit } = labelled(key);
  if (unit !== "" && /^-?\d+(\.\d+)?$/.test(value)) return withUnit(Number(value), unit);
  const [, day, time] = unzoned.exec(value) ?? [];
  return day && time ? `${dayWords(day)}, ${time} (unknown zone)` : value;
}

function withUnit(value: number, unit: string): string {
  if (unit === "B" && value >= 0) return bytes(value);
  if (unit === "s" && value >= 60) return duration(value * 1_000);
  if (unit === "ms" && value >= 60_000) return duration(value);
  const bits = bitsIn[unit];
  if (bits !== undefined) return bitRate(value * bits);
  if (unit === "days") return count(value, "day");
  return unit === "" ? figure(value) : `${figure(value)} ${unit}`;
}

const bitsIn: Record<string, number> = { "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9 };

/** A date has no zone: it is the same for every reader. */
function dayWords(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return text;
  return date.toLocaleDateString("en", { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });
}
