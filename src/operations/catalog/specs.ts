import { bytes } from "../../views/format.ts";
import { prose } from "../../views/text.ts";

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

/**
 * "2 CPU · 4 GB memory · 50 GB disk"; null if the row names nothing. The contract gives example keys and no unit. Memory of 256
 * and more is read as MiB: no plan has as many GiB, and none as few MiB.
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
