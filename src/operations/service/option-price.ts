import { amountOf, unitsOf } from "../../platform/amounts.ts";
import type { AvailableOption } from "../../platform/customer/options.ts";

const decimal = /^\d+(\.\d{1,4})?$/;

/**
 * What a cycle of an add-on costs, as a decimal string: where the row names the cycle itself (a price of that cycle, or a price beside it).
 * Null where it does not: how prices are called, the spec does not show (section 4.5), and none is guessed.
 */
export function optionPrice(option: AvailableOption, cycle: string, quantity: number): string | null {
  const fields = new Map<string, unknown>(Object.entries(option));
  const price = ownPrice(fields, cycle) ?? priceByCycle(fields, cycle);
  return price === null ? null : amountOf(unitsOf(price) * BigInt(quantity));
}

/** `{ price, billing_cycle }`. */
function ownPrice(fields: Map<string, unknown>, cycle: string): string | null {
  const its = fields.get("billing_cycle") ?? fields.get("billingCycle") ?? fields.get("cycle");
  return its === cycle ? amountIn(fields.get("price") ?? fields.get("amount")) : null;
}

/** `{ prices: { monthly } }`, or `monthly_price`. */
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
