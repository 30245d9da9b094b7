import { bytes } from "../../views/format.ts";
import { prose } from "../../views/text.ts";

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

/**
 * "2 CPU · 4 GB memory · 50 GB disk". The contract gives the keys as examples and names no unit: memory of 256 and more is taken for
 * MiB, since no plan has as many GiB and none as few MiB. Null where nothing is told.
 */
export function specsOf(specs: unknown): string | null {
  if (typeof specs === "string") return specs ? prose(specs, 200) : null;
  if (typeof specs !== "object" || specs === null) return null;
  const parts = Object.entries(specs).flatMap(([key, value]) => partOf(key.toLowerCase(), value) ?? []);
  return parts.length > 0 ? parts.join(" · ") : null;
}

function partOf(key: string, value: unknown): string | null {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof amount !== "number" || !Number.isFinite(amount))
    return typeof value === "string" && value ? `${prose(key.replaceAll("_", " "), 40)} ${prose(value, 80)}` : null;
  if (/cpu|core/.test(key)) return `${amount} CPU`;
  if (/ram|mem/.test(key)) {
    const isMebibytes = /mb|mib/.test(key) || (!/gb|gib/.test(key) && amount >= 256);
    return `${bytes(amount * (isMebibytes ? mebibyte : gibibyte))} memory`;
  }
  if (/disk|storage|ssd|nvme/.test(key)) return `${bytes(amount * (/mb|mib/.test(key) ? mebibyte : gibibyte))} disk`;
  return `${prose(key.replaceAll("_", " "), 40)} ${amount}`;
}
