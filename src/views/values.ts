import { ownValue } from "../process/own-value.ts";
import { bareAmount, bitRate, bytes, duration, figure, moment, momentIn, money, undatedWords } from "./format.ts";
import { labelled } from "./labels.ts";
import type { TableCell } from "./table.ts";
import { code, count, oneLine, prose } from "./text.ts";

/** A value that is no list and no object. */
export type Scalar = string | number | boolean | null | undefined;

export function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean", "undefined"].includes(typeof value);
}

/** True for an object with fields, which is no list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a value that says nothing: null, or an object in which all is null. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const inner: unknown[] = isObject(value) ? Object.values(value) : [];
  return inner.length > 0 && inner.every(isNothing);
}

/** The currency that an object names in its own fields. */
export function currencyIn(entries: [string, unknown][]): string | null {
  const found = entries.find(([key]) => key.toLowerCase() === "currency")?.[1];
  return typeof found === "string" && /^[A-Z]{3}$/.test(found) ? found : null;
}

/** The time in a value, in milliseconds; null if there is none. */
export function timeIn(key: string, value: unknown): number | null {
  if (typeof value === "string") return momentIn(value);
  if (typeof value !== "number" || !timeKeys.some((one) => one.test(key))) return null;
  // Seconds and milliseconds differ in size: 2001 to 2096 in either.
  if (value >= 1e12 && value < 4e12) return value;
  return value >= 1e9 && value < 4e9 ? value * 1_000 : null;
}

/** A value as mrkdwn: names easy to copy, figures with their unit, times in the reader's zone. */
export function valueWords(key: string, value: Scalar, currency: string | null = null): string {
  const words = knownWords(key, value, currency);
  if (words !== null) return words;
  if (isEnumWord(key, value)) return prose(stateWords(value));
  // In a line of its own, a break would end the line: a mark shows where each was.
  const line = String(value)
    .split(/[\r\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .join(" ⏎ ");
  if (oneLine(line, "") === "") return "empty";
  return line.length > mostCode ? prose(line, mostProse) : code(line, mostCode);
}

/** True for a word of the platform's own, such as "provisioning_failed": a person reads it as "not built". */
function isEnumWord(key: string, value: Scalar): value is string {
  return typeof value === "string" && /^[a-z]+(_[a-z]+)+$/.test(value) && enumKey.test(key);
}

const enumKey = /(state|status|type|kind|cycle|purpose|mode|method|reason|step)$/i;

/** A time, a figure or an amount as mrkdwn; null for any other text. */
export function knownWords(key: string, value: Scalar, currency: string | null): string | null {
  const at = timeIn(key, value);
  if (at !== null) return moment(at);
  const words = plainWords(key, value, currency);
  return words === value ? null : words;
}

/** A value as a table cell. */
export function valueCell(key: string, value: Scalar, currency: string | null): TableCell {
  const at = timeIn(key, value);
  if (at !== null) return { at };
  if (value === null || value === undefined) return "";
  const text = isEnumWord(key, value) ? stateWords(value) : plainWords(key, value, currency);
  return typeof value === "number" ? { text, value } : text;
}

const mostCode = 80;
const mostProse = 2_000;
const timeKeys = [
  /(^|_)(t|ts|([abcm]|start|end|boot)?time|timestamp|date|([a-z]+(ed|es))?at|created|updated|expires|until|since|reset)$/i,
  // The capital counts: `float` and `uptime` end in "at" and "time", too.
  /[a-z](At|Date|Time|Timestamp)$/,
];
/** Anchored: a tax rate, a discount in percent and a number of network ports are no amounts. */
const moneyKey =
  /((amount|price|total|fee|balance|cost|charge[ds]?|credit|surcharge|paid|subtotal|due_?(now|today)|with_?(vat|tax)|balance_?(before|after))|(^|_)(vat|tax|net|gross|setup|hourly|monthly|quarterly|semi_?annual(ly)?|annual(ly)?|yearly))$/i;
/** Numbers that name something count nothing: port 2022 and AS 64500 have no thousands. */
const numbers =
  /(^|[_-]|[a-z](?=[A-Z]))(ids?|ports?|asns?|as|vlans?|numbers?|no|codes?|pid|uid|gid|years?|versions?|serial|zip|postcode|phone)$|(^|[a-z])(asn|Id|ID|Port|Ports|Asn|ASN|Vlan|VLAN|Number|Code|Version)$/;

/** Without a currency, a whole number may count anything; the decimals of a text prove an amount. */
function isAmount(value: string | number, currency: string | null): boolean {
  if (currency === null) return typeof value === "string" && /^-?\d{1,15}\.\d{2,8}$/.test(value);
  return typeof value === "number" || /^-?\d{1,15}(\.\d{1,8})?$/.test(value);
}

function plainWords(key: string, value: Scalar, currency: string | null): string {
  if (value === null || value === undefined) return "unknown";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (moneyKey.test(key) && isAmount(value, currency))
    return currency === null ? bareAmount(value) : money(value, currency);
  if (typeof value === "number") return numbers.test(key) ? String(value) : withUnit(value, labelled(key).unit);
  const { unit } = labelled(key);
  if (unit !== "" && /^-?\d+(\.\d+)?$/.test(value)) return withUnit(Number(value), unit);
  return undatedWords(value);
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

/** States that read as a fault of the app, or as none of a person's, in the platform's own word. */
const stateNames: Record<string, string> = {
  pending_payment: "awaiting payment",
  provisioning_failed: "not built",
  fraud: "withheld",
};

/** A state of the platform in words: "provisioning_failed" is "not built". */
export function stateWords(state: string): string {
  return ownValue(stateNames, state) ?? state.replaceAll("_", " ");
}
