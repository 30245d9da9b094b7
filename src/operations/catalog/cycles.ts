import type { ProductDetail } from "../../platform/customer/catalog.ts";
import { type BillingCycle, billingCycles } from "../../platform/customer/orders.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";
import { rowLine } from "../billing/row-words.ts";
import { currencyOf } from "./product.ts";

/** A billing cycle of a product, and what the platform says of its price: mrkdwn, null where it says nothing. */
export interface Cycle {
  name: BillingCycle;
  price: string | null;
}

/**
 * The cycles that a product is sold in. How the platform lays them out is not said, so each is looked for by its name, wherever
 * it stands; where none is named all are offered, and the platform refuses what it does not sell.
 */
export function cyclesOf(product: ProductDetail): Cycle[] {
  const told = billingCycles.filter((name) => mentions(product.billing_cycles, name));
  return (told.length > 0 ? told : billingCycles).map((name) => ({ name, price: priceOf(product, name) }));
}

function priceOf(product: ProductDetail, name: BillingCycle): string | null {
  const currency = currencyOf(product);
  const { monthly_price: monthly, hourly_price: hourly } = product;
  if (name === "monthly" && monthly !== null && monthly !== undefined) return perCycle(money(monthly, currency), name);
  if (name === "hourly" && hourly !== null && hourly !== undefined) return perCycle(money(hourly, currency), name);
  const told = toldOf(product.billing_cycles, name);
  if (told === undefined) return null;
  if (typeof told === "number" || (typeof told === "string" && /^\d+(\.\d+)?$/.test(told)))
    return perCycle(money(told, currency), name);
  const line = rowLine(told, currency);
  return typeof told === "object" && told !== null && "price" in told ? perCycle(line, name) : line;
}

/** What stands beside a cycle's name: the rest of its entry, or the value under it. */
function toldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value);
    const own = entries.find(([key]) => key === name);
    if (own) return own[1];
    const rest = entries.filter(([, inner]) => inner !== name);
    if (rest.length < entries.length) return rest.length > 0 ? Object.fromEntries(rest) : undefined;
  }
  for (const inner of Object.values(value)) {
    const found = toldOf(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mentions(value: unknown, name: string): boolean {
  if (value === name) return true;
  if (typeof value !== "object" || value === null) return false;
  return (!Array.isArray(value) && name in value) || Object.values(value).some((inner) => mentions(inner, name));
}
