import type { CustomerClient } from "../../platform/customer/client.ts";
import type { Service } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";

/** What a service is billed; `currency` is told of a VPS only. */
export interface Terms {
  amount: string;
  currency: string | null;
  cycle: string;
  /** Paid until; null where nothing is paid ahead. */
  due: string | null;
  product: string;
}

/** The terms of a service, from the reads that name them; null where the platform does not tell. Spec sections 2.3 and 2.12. */
export async function readTerms(client: CustomerClient, { id, serviceType }: Service): Promise<Terms | null> {
  if (serviceType === "vps") {
    const { billing, product } = await readVps(client, id);
    const { amount, currency, cycle, next_due_date: due } = billing;
    return { amount, currency, cycle, due, product: product.name };
  }
  try {
    const { amount, billingCycle, nextDueDate, productName } = (await previewUpgrades(client, id)).service;
    return { amount, currency: null, cycle: billingCycle, due: nextDueDate, product: productName };
  } catch (error) {
    // Not every kind can be upgraded; then its price is said to be unknown.
    if (error instanceof PlatformRefused && (error.status === 400 || error.status === 404)) return null;
    throw error;
  }
}

export function priceOf(terms: Terms | null): string {
  return terms ? perCycle(money(terms.amount, terms.currency), terms.cycle) : "The platform does not tell it.";
}
