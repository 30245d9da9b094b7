import { amountOf, unitsOf } from "../../platform/amounts.ts";
import type { AvailableOption } from "../../platform/customer/options.ts";
import { jsonLines } from "../../views/json.ts";
import { sideBySide } from "../kits/lines.ts";
import { namesFee } from "./product.ts";

/** The platform's fields of an add-on beside its name, prices among them, as received: the spec does not show their names. */
export function priceLines(
  { id: _, name: __, held: ___, ...rest }: AvailableOption,
  currency: string | null = null,
): string | null {
  const lines = jsonLines(rest, currency);
  return lines.length > 0 ? sideBySide(lines, 450) : null;
}

const decimal = /^\d+(\.\d{1,4})?$/;

/**
 * The price of an add-on for a cycle, as a decimal string, if the row names that cycle. Null if it does not, or names a fee as
 * well: the spec does not show the names of prices (section 4.5), and the app must not guess.
 */
export function optionPrice(option: AvailableOption, cycle: string, quantity: number): string | null {
  if (namesFee(option)) return null;
  const fields = new Map<string, unknown>(Object.entries(option));
  const price = ownPrice(fields, cycle) ?? priceByCycle(fields, cycle);
  return price === null ? null : amountOf(unitsOf(price) * BigInt(quantity));
}

/** Reads `{ price, billing_cycle }`. */
function ownPrice(fields: Map<string, unknown>, cycle: string): string | null {
  const its = fields.get("billing_cycle") ?? fields.get("billingCycle") ?? fields.get("cycle");
  return its === cycle ? amountIn(fields.get("price") ?? fields.get("amount")) : null;
}

/** Reads `{ prices: { monthly } }` or `monthly_price`. */
function priceByCycle(fields: Map<string, unknown>, cycle: string): string | null {
  const prices = fields.get("prices") ?? fields.get("pricing");
  if (typeof prices === "object" && prices !== null) {
    const named = amountIn(new Map<string, unknown>(Object.entries(prices)).get(cycle));
    if (named !== null) return named;
  }
  return amountIn(fields.get(`${cycle.replaceAll("-", "_")}_price`));
}

function amountIn(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value.toFixed(4);
  return typeof value === "string" && decimal.test(value) ? value : null;
}
