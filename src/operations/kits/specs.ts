import { partSecrets } from "../../process/secret-parts.ts";
import { prose } from "../../views/text.ts";
import { wholeLines } from "./lines.ts";

/** Longer specs end in "3 more": a card shows them as one fact. */
const mostLength = 400;

/**
 * "2 CPU · 4 GB memory · 50 GB disk"; null if they name nothing. Both contracts give at most example keys, and no unit. Memory of 256
 * and more is read as MB: no plan has as many GB, and none as few MB.
 */
export function specsOf(specs: unknown): string | null {
  const parts = partsOf("", partSecrets(specs).rest);
  return parts.length > 0 ? wholeLines(parts, mostLength) : null;
}

/** `key` is the path in lower case; items of a list bear the list's own. */
function partsOf(key: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => partsOf(key, item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => partsOf(`${key} ${name.toLowerCase()}`.trim(), inner));
  if (value === null || value === undefined || value === "") return [];
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isAmount = typeof amount === "number" && Number.isFinite(amount);
  return [isAmount ? sizeOf(key, amount) : `${named(key)}${prose(words(value), 200)}`];
}

function sizeOf(key: string, amount: number): string {
  if (/cpu|core/.test(key)) return `${amount} CPU`;
  if (/ram|mem/.test(key)) {
    const isMebibytes = /mb|mib/.test(key) || (!/gb|gib/.test(key) && amount >= 256);
    return `${planSize(amount, isMebibytes)} memory`;
  }
  if (/disk|storage|ssd|nvme/.test(key)) return `${planSize(amount, /mb|mib/.test(key))} disk`;
  return `${named(key)}${amount}`;
}

function named(key: string): string {
  return key === "" ? "" : `${prose(key.replaceAll("_", " "), 60)} `;
}

function words(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** A size as plans are sold. The platform names no bytes here, so the unit is the plan's own word. */
function planSize(amount: number, isMega: boolean): string {
  if (isMega && amount < 1_024) return `${amount} MB`;
  const giga = isMega ? amount / 1_024 : amount;
  return giga < 1_024 ? `${Number(giga.toFixed(1))} GB` : `${Number((giga / 1_024).toFixed(1))} TB`;
}
