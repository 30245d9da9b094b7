import * as z from "zod";
import { Amount, Currency } from "../money.ts";

/** What an order says. Reseller spec section 4.1. */
export const billingCycles = ["monthly", "quarterly", "semi-annually", "annually", "hourly"] as const;
export type BillingCycle = (typeof billingCycles)[number];

/** What the catalogue calls the same cycles: two of them have another word there. Reseller spec section 2.2. */
const inCatalogue = {
  monthly: "monthly",
  quarterly: "quarterly",
  "semi-annually": "semiAnnual",
  annually: "annual",
  hourly: "hourly",
} as const satisfies Record<BillingCycle, string>;

/** Wholesale prices by cycle, excl. VAT; a cycle without one cannot be ordered. Reseller spec sections 1.1 and 2.2. */
export const Pricing = pricingOf(Amount.nullish());
export type Pricing = z.infer<typeof Pricing>;

/** Those of an option, of which the spec does not show whether a cycle has a figure or several: what is no figure is kept as it comes. */
export const OptionPricing = pricingOf(
  z.union([Amount, z.record(z.string(), z.unknown())], { error: "Not an amount of money" }).nullish(),
);
export type OptionPricing = z.infer<typeof OptionPricing>;

function pricingOf<P extends z.ZodType>(price: P) {
  return z.looseObject({
    currency: Currency.nullish(),
    monthly: price,
    quarterly: price,
    semiAnnual: price,
    annual: price,
    hourly: price,
    setupFee: price,
  });
}

/** The cycle that a service's row names, in either of the platform's words for it; null where it is none of them. Reseller spec sections 2.2 and 4.1. */
export function cycleIn(text: string | null | undefined): BillingCycle | null {
  return billingCycles.find((one) => one === text || inCatalogue[one] === text) ?? null;
}

/** The cycles that have a price, in the words that an order takes, with that price. */
export function pricesOf(pricing: Pricing | OptionPricing): { cycle: BillingCycle; price: Amount }[] {
  return billingCycles.flatMap((cycle) => {
    const price = pricing[inCatalogue[cycle]];
    return typeof price === "string" ? [{ cycle, price }] : [];
  });
}
