import * as z from "zod";
import { Amount, Currency } from "../../platform/money.ts";

const text = z.string().min(1);
/** The spec has this for a VPS, and shows no price of other kinds: a row that names one does so in one of these two ways. */
const Billed = z.object({ billing: z.object({ amount: Amount, cycle: text, currency: Currency.nullish() }) });
const Flat = z
  .object({
    amount: Amount,
    billingCycle: text.optional(),
    billing_cycle: text.optional(),
    currency: Currency.nullish(),
  })
  .transform(({ amount, billingCycle, billing_cycle, currency }) => ({
    amount,
    cycle: billingCycle ?? billing_cycle,
    currency,
  }));

/** The price of a service for each cycle, if its row names it plainly; null if not. Its currency may be missing. */
export function priceInRow(row: unknown): { amount: string; cycle: string; currency: string | null } | null {
  const billed = Billed.safeParse(row).data?.billing ?? Flat.safeParse(row).data;
  if (!billed?.cycle) return null;
  return { amount: billed.amount, cycle: billed.cycle, currency: billed.currency ?? null };
}
