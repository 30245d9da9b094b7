import * as z from "#zod";
import { Amount, Currency } from "../amounts.ts";

/** The billing cycles in an order's words. Reseller spec section 4.1. */
export const billingCycles = ["monthly", "quarterly", "semi-annually", "annually", "hourly"] as const;
export type BillingCycle = (typeof billingCycles)[number];

/** The catalogue's names of the same cycles; two of them differ. Reseller spec section 2.2. */
export const catalogueNameOf = {
  monthly: "monthly",
  quarterly: "quarterly",
  "semi-annually": "semiAnnual",
  annually: "annual",
  hourly: "hourly",
} as const satisfies Record<BillingCycle, string>;

/** Wholesale prices by cycle, excl. VAT; a cycle without one cannot be ordered. Reseller spec sections 1.1 and 2.2. */
export const Pricing = pricingOf(Amount.nullish());
export type Pricing = z.infer<typeof Pricing>;

/** Prices of an option by cycle. The spec does not show whether a cycle has one figure or several; other values pass through unchanged. */
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

/** The cycle of a service's row, in the words of an order or of the catalogue; null for any other word. Reseller spec sections 2.2 and 4.1. */
export function cycleIn(text: string | null | undefined): BillingCycle | null {
  return billingCycles.find((one) => one === text || catalogueNameOf[one] === text) ?? null;
}

/** The cycles that have a price, in an order's words, with that price. */
export function pricesOf(pricing: Pricing | OptionPricing): { cycle: BillingCycle; price: Amount }[] {
  return billingCycles.flatMap((cycle) => {
    const price = pricing[catalogueNameOf[cycle]];
    return typeof price === "string" ? [{ cycle, price }] : [];
  });
}
