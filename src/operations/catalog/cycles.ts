import type { ProductDetail } from "../../platform/customer/catalog.ts";
import { type BillingCycle, billingCycles } from "../../platform/customer/orders.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";
import { rowLine } from "../billing/row-words.ts";
import { currencyOf } from "./product.ts";

/** A billing cycle of a product. `price` is the platform's price as mrkdwn; null if it names none. */
export interface Cycle {
  name: BillingCycle;
  price: string | null;
}

/**
 * The cycles that a product is sold in. The spec does not show their layout, so each is searched by name in the whole row. If
 * none is named all are offered, and the platform refuses those it does not sell.
 */
export function cyclesOf(product: ProductDetail): Cycle[] {
  const entry = billingCycles.filter((name) => mentions(product.billing_cycles, name));
  return (entry.length > 0 ? entry : billingCycles).map((name) => ({ name, price: priceOf(product, name) }));
}

function priceOf(product: ProductDetail, name: BillingCycle): string | null {
  const currency = currencyOf(product);
  const { monthly_price: monthly, hourly_price: hourly } = product;
  if (name === "monthly" && monthly !== null && monthly !== undefined) return perCycle(money(monthly, currency), name);
  if (name === "hourly" && hourly !== null && hourly !== undefined) return perCycle(money(hourly, currency), name);
  const entry = priceEntryOf(product.billing_cycles, name);
  if (entry === undefined) return null;
  if (typeof entry === "number" || (typeof entry === "string" && /^\d+(\.\d+)?$/.test(entry)))
    return perCycle(money(entry, currency), name);
  const line = rowLine(entry, currency);
  return typeof entry === "object" && entry !== null && "price" in entry ? perCycle(line, name) : line;
}

/** The price data next to a cycle's name: the rest of its entry, or the value under it. */
function priceEntryOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value);
    const own = entries.find(([key]) => key === name);
    if (own) return own[1];
    const rest = entries.filter(([, inner]) => inner !== name);
    if (rest.length < entries.length) return rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }
  for (const inner of Object.values(value)) {
    const found = priceEntryOf(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mentions(value: unknown, name: string): boolean {
  if (value === name) return true;
  if (typeof value !== "object" || value === null) return false;
  return (!Array.isArray(value) && name in value) || Object.values(value).some((inner) => mentions(inner, name));
}
