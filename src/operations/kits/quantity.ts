import { figure } from "../../views/format.ts";

/** The highest quantity of an add-on, if the platform names it or marks it as on/off; otherwise null. */
export function mostOf(row: object): number | null {
  const said = new Map(Object.entries(row).map(([key, value]) => [key.replaceAll("_", "").toLowerCase(), value]));
  const most = said.get("maxquantity") ?? said.get("maximumquantity") ?? said.get("quantitymax");
  if (typeof most === "number" && most > 0) return most;
  return /^(boolean|bool|toggle|checkbox|switch)$/.test(String(said.get("type"))) ? 1 : null;
}

/** The sentence about a quantity over the maximum; null if it fits, or if nobody names a maximum. */
export function overMaximum(name: string, quantity: number, most: number | null): string | null {
  if (most === null || quantity <= most) return null;
  return `${name} can be ordered ${most === 1 ? "only once" : `at most ${figure(most)} times`}.`;
}
