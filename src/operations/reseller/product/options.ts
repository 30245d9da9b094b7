import * as z from "zod";
import { Amount } from "../../../platform/money.ts";
import { type BillingCycle, pricesOf } from "../../../platform/reseller/cycles.ts";
import type { Product, ProductOption } from "../../../platform/reseller/products.ts";
import { money } from "../../../views/format.ts";
import { prose } from "../../../views/text.ts";

/** A figure of an option that the spec does not show: where it is no plain amount, it may hold one under such a name. */
const Figure = z.union([Amount, z.object({ price: Amount }), z.object({ amount: Amount })]);

/** What one piece of an option costs: in each cycle, and once; null where that cannot be read, which is not nothing. */
interface OptionPrice {
  cycle: string | null;
  once: string | null;
}

/** The price of an option on a cycle: its own figure for that cycle, its fee in the setup. A one-time one is billed in the setup alone. Reseller spec section 1.1. */
export function optionPrice({ pricing, pricingType }: ProductOption, cycle: BillingCycle): OptionPrice {
  const own = pricing?.[cataloguesOf[cycle]];
  const fee = nestedFee(own) ?? figureOf(pricing?.setupFee);
  if (pricingType === "one_time") return { cycle: "0", once: fee };
  return { cycle: figureOf(own), once: fee ?? (pricing?.setupFee === undefined ? "0" : null) };
}

export const cataloguesOf = {
  monthly: "monthly",
  quarterly: "quarterly",
  "semi-annually": "semiAnnual",
  annually: "annual",
  hourly: "hourly",
} as const;

function figureOf(sent: unknown): string | null {
  const read = Figure.safeParse(sent);
  if (!read.success) return null;
  if (typeof read.data === "string") return read.data;
  return "price" in read.data ? read.data.price : read.data.amount;
}

function nestedFee(sent: unknown): string | null {
  return z.object({ setupFee: Amount }).safeParse(sent).data?.setupFee ?? null;
}

/** "2.00 EUR monthly · 6.00 EUR quarterly, and 1.00 EUR once"; says so where the platform tells no price that can be read. */
export function optionWords(option: ProductOption, cycles: BillingCycle[], currency: string | null): string {
  const { once } = cycles[0] ? optionPrice(option, cycles[0]) : { once: null };
  const fee = once && Number(once) > 0 ? `${money(once, currency)} once` : "";
  if (option.pricingType === "one_time") return fee || "price not told";
  const prices = cycles.map((cycle) => {
    const { cycle: price } = optionPrice(option, cycle);
    return price ? `${money(price, currency)} ${cycle}` : `${cycle}: price not told`;
  });
  return `${prices.join(" · ") || "price not told"}${fee ? `, and ${fee}` : ""}`;
}

/** A line for each option, with what it costs on each of the cycles; on all that the product is sold on, unless told. */
export function optionLines(
  { options, pricing, currency }: Product,
  cycles: BillingCycle[] = pricesOf(pricing).map(({ cycle }) => cycle),
): string[] {
  return options.map((option) => {
    const most = option.maxQuantity ? ` · at most ${option.maxQuantity}` : "";
    return `• ${prose(option.name, 80)}: ${optionWords(option, cycles, currency ?? null)}${most}`;
  });
}
