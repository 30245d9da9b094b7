import * as z from "#zod";
import { Amount, amountOf, unitsOf } from "../../../platform/amounts.ts";
import { monthsIn } from "../../../platform/cycles.ts";
import {
  type BillingCycle,
  billingCycles,
  catalogueNameOf,
  type OptionPricing,
  pricesOf,
} from "../../../platform/reseller/cycles.ts";
import type { Product, ProductOption } from "../../../platform/reseller/products.ts";
import { money } from "../../../views/format.ts";
import { prose } from "../../../views/text.ts";

/** A figure whose shape the spec does not show: an amount, or an object with one under `price` or `amount`. */
const Figure = z.union([Amount, z.object({ price: Amount }), z.object({ amount: Amount })]);

/** The price of one piece of an option: per cycle, and once. Null means unreadable, never zero. */
interface OptionPrice {
  cycle: string | null;
  once: string | null;
}

/**
 * The price of one piece of an option on a cycle, excl. VAT. It is the cycle's own figure, else the monthly figure times the months. A
 * one-time option is billed only with the setup. Reseller spec section 1.1.
 */
export function optionPrice({ pricing, pricingType }: ProductOption, cycle: BillingCycle): OptionPrice {
  const own = pricing?.[catalogueNameOf[cycle]];
  const nested = nestedFee(own);
  const raw = nested === undefined ? pricing?.setupFee : nested;
  if (pricingType === "one_time") return { cycle: "0", once: oncePrice(own ?? null, raw ?? "0", pricing ?? {}) };
  // Null is no fee. A field that is missing says nothing, and the sum could be too small.
  const fee = raw === null ? "0" : figureOf(raw);
  return { cycle: own === undefined || own === null ? byMonth(pricing?.monthly, cycle) : figureOf(own), once: fee };
}

/**
 * The price of a one-time option. The spec does not show which figure that is: the setup fee, or the cycle's figure beside a zero fee.
 * Null where both differ, or where only another cycle has a figure: the sum would be too small.
 */
function oncePrice(own: unknown, rawFee: unknown, pricing: OptionPricing): string | null {
  const fee = figureOf(rawFee);
  const figure = own === null ? null : figureOf(own);
  const others = billingCycles.map((cycle) => pricing[catalogueNameOf[cycle]]).filter((one) => isPriced(one));
  if (fee === null || (own !== null && figure === null)) return null;
  // With zero on this cycle and for the setup, another cycle's figure may be the charge.
  if (figure === null || !(isPriced(figure) || isPriced(fee))) {
    const only = figure ?? (isPriced(fee) ? fee : null);
    return others.length === 0 ? only : null;
  }
  if (!isPriced(fee)) return figure;
  return !isPriced(figure) || unitsOf(figure) === unitsOf(fee) ? fee : null;
}

/** False for a missing or zero figure. An unreadable figure may be anything, so it counts as a price. */
function isPriced(raw: unknown): boolean {
  if (raw === undefined || raw === null) return false;
  const figure = figureOf(raw);
  return figure === null || unitsOf(figure) !== 0n;
}

/** The monthly figure times the months. Null for an hour, unless it is zero: the platform rounds that fraction in its own way. */
export function byMonth(monthly: unknown, cycle: BillingCycle): string | null {
  const figure = figureOf(monthly);
  if (figure !== null && unitsOf(figure) === 0n) return "0";
  const months = monthsIn(cycle);
  return figure === null || months === null ? null : amountOf(unitsOf(figure) * months);
}

function figureOf(raw: unknown): string | null {
  const read = Figure.safeParse(raw);
  if (!read.success) return null;
  if (typeof read.data === "string") return read.data;
  return "price" in read.data ? read.data.price : read.data.amount;
}

function nestedFee(raw: unknown): unknown {
  return typeof raw === "object" && raw !== null && "setupFee" in raw ? raw.setupFee : undefined;
}

/** The price of an hour without a figure of its own, as the spec reckons it; null where that is not readable. Reseller spec section 1.1. */
function byHour({ pricing }: ProductOption, cycle: BillingCycle, currency: string | null): string | null {
  const monthly = figureOf(pricing?.monthly);
  const isReckoned = cycle === "hourly" && (pricing?.hourly ?? null) === null;
  return isReckoned && monthly !== null ? `${money(monthly, currency)} a month ÷ 720 for each hour` : null;
}

/** "2.00 EUR monthly · 6.00 EUR quarterly, and 1.00 EUR once"; says so where there is no readable price. */
export function optionWords(option: ProductOption, cycles: BillingCycle[], currency: string | null): string {
  const prices = cycles.map((cycle) => ({ cycle, price: optionPrice(option, cycle) }));
  if (option.pricingType === "one_time") {
    const words = prices.map(({ cycle, price: { once } }) =>
      once === null ? `${cycle}: price unknown` : `${money(once, currency)} once`,
    );
    return [...new Set(words)].join(" · ") || "price unknown";
  }
  const words = prices.map(({ cycle, price }) =>
    price.cycle === null
      ? (byHour(option, cycle, currency) ?? `${cycle}: price unknown`)
      : `${money(price.cycle, currency)} ${cycle}`,
  );
  const once = prices[0]?.price.once ?? null;
  const fee =
    prices.length === 0 || Number(once ?? 1) === 0
      ? ""
      : once === null
        ? ", and an unknown setup fee"
        : `, and ${money(once, currency)} once`;
  return `${words.join(" · ") || "price unknown"}${fee}`;
}

/** A line for each option with its price in each cycle; by default in all cycles of the product. */
export function optionLines(
  { options, pricing, currency }: Product,
  cycles: BillingCycle[] = pricesOf(pricing).map(({ cycle }) => cycle),
): string[] {
  return options.map((option) => {
    const most = option.maxQuantity ? ` · at most ${option.maxQuantity}` : "";
    return `• ${prose(option.name, 80)}: ${optionWords(option, cycles, currency ?? null)}${most}`;
  });
}
