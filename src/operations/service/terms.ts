import type { CustomerClient } from "../../platform/customer/client.ts";
import type { Service } from "../../platform/customer/services.ts";
import { previewUpgrades } from "../../platform/customer/upgrades.ts";
import { listVps, readVps, type Vps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";

/** The billing terms of a service; only a VPS has a `currency`. */
export interface Terms {
  amount: string;
  currency: string | null;
  cycle: string;
  /** Paid until; null if nothing is paid in advance. */
  due: string | null;
  product: string;
}

/**
 * The billing terms of a service, from the reads that have them; null if the platform does not name them. Spec sections 2.3 and
 * 2.12.
 */
export async function readTerms(client: CustomerClient, { id, serviceType }: Service): Promise<Terms | null> {
  if (serviceType === "vps") {
    return termsOf(await readVps(client, id));
  }
  try {
    const { amount, billingCycle, nextDueDate, productName } = (await previewUpgrades(client, id)).service;
    return { amount, currency: null, cycle: billingCycle, due: nextDueDate, product: productName };
  } catch (error) {
    // Some kinds cannot be upgraded: report their price as unknown.
    if (error instanceof PlatformRefused && (error.status === 400 || error.status === 404)) return null;
    throw error;
  }
}

/** The billing terms of every VPS by id: one call for each page. */
export async function readVpsTerms(client: CustomerClient): Promise<Map<string, Terms>> {
  const terms = new Map<string, Terms>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { rows, pagination } = await listVps(client, { page, limit: 200 });
    for (const row of rows) terms.set(row.id, termsOf(row));
    pages = pagination.pages;
  }
  return terms;
}

function termsOf({ billing, product }: Vps): Terms {
  const { amount, currency, cycle, next_due_date: due } = billing;
  return { amount, currency, cycle, due, product: product.name };
}

export function priceOf(terms: Terms | null): string {
  return terms ? perCycle(money(terms.amount, terms.currency), terms.cycle) : "The platform does not tell it.";
}
