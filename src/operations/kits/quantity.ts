import { figure } from "../../views/format.ts";

/** The highest quantity of an add-on, if the platform names it or marks it as on/off; otherwise null. */
export function mostOf(row: object): number | null {
  const fields = new Map(Object.entries(row).map(([key, value]) => [key.replaceAll("_", "").toLowerCase(), value]));
  const most = fields.get("maxquantity") ?? fields.get("maximumquantity") ?? fields.get("quantitymax");
  if (typeof most === "number" && most > 0) return most;
  return /^(boolean|bool|toggle|checkbox|switch)$/.test(String(fields.get("type"))) ? 1 : null;
}

/** The sentence about a quantity over the maximum; null if it fits, or if nobody names a maximum. */
export function overMaximum(name: string, quantity: number, most: number | null): string | null {
  if (most === null || quantity <= most) return null;
  return `${name} can be ordered ${most === 1 ? "only once" : `at most ${figure(most)} times`}.`;
}
