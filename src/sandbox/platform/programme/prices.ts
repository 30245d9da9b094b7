import { monthsOf } from "../money/money.ts";
import type { Option, Product } from "../world/catalogue.ts";
import { seededId } from "../world/ids.ts";
import type { Cycle } from "../world/service.ts";
import type { Programme } from "./programme.ts";

/** In the order and under the words of the catalogue (spec 2.2): two of them are called otherwise there. */
export const catalogueNames = {
  monthly: "monthly",
  quarterly: "quarterly",
  "semi-annually": "semiAnnual",
  annually: "annual",
  hourly: "hourly",
} as const satisfies Record<Cycle, string>;

export const wholesaleCycles = ["monthly", "quarterly", "semi-annually", "annually", "hourly"] as const;

/** An add-on as the programme sells it. */
export interface WholesaleOption extends Option {
  pricingType: "recurring" | "one_time";
  maxQuantity: number;
  /** Per piece, in cents at retail. */
  setup: number;
}

const terms: Record<string, Partial<WholesaleOption>> = {
  "Daily backup": { maxQuantity: 1 },
  "Extra IPv4 address": { maxQuantity: 8, setup: 100 },
};

/** Sold to partners alone: billed once, on the setup side. */
const handover: WholesaleOption = {
  id: seededId("option", "handover"),
  name: "Guided handover",
  monthly: 4000,
  pricingType: "one_time",
  maxQuantity: 1,
  setup: 0,
};

export function optionsOf(product: Product): WholesaleOption[] {
  const recurring = product.options.map((option): WholesaleOption => {
    return { ...option, pricingType: "recurring", maxQuantity: 20, setup: 0, ...terms[option.name] };
  });
  return product.kind === "unknown" ? recurring : [...recurring, handover];
}

/** A partner's price for one piece of an option, in cents: each cycle, and once. By the hour a fraction of a cent (spec 1.1). */
export function optionPrice(programme: Programme, option: WholesaleOption, cycle: Cycle) {
  if (option.pricingType === "one_time") return { cycle: 0, setup: discounted(programme, option.monthly) };
  const monthly = discounted(programme, option.monthly);
  const perCycle = cycle === "hourly" ? Math.round((monthly * 100) / 720) / 100 : monthly * monthsOf[cycle];
  return { cycle: perCycle, setup: discounted(programme, option.setup) };
}

/** Cents of the base currency, fractions of them where a product is sold by the hour; null: not sold on that cycle (spec 1.1). */
export function wholesalePrice(programme: Programme, product: Product, cycle: Cycle): number | null {
  const own = programme.settings.priceBook.get(product.id)?.[cycle];
  if (own !== undefined) return own;
  if (!product.cycles.includes(cycle)) return null;
  if (cycle === "hourly") return product.hourly === null ? null : discounted(programme, product.hourly * 100, 100);
  return discounted(programme, product.monthly * monthsOf[cycle]);
}

/** Once for each service, in cents: hardware is set up. */
export function setupFee(programme: Programme, product: Product): number {
  return product.kind === "dedicated" ? discounted(programme, 5000) : 0;
}

/** `precision` parts of a cent are kept. */
export function discounted({ settings }: Programme, cents: number, precision = 1): number {
  return Math.round((cents * (100 - settings.discount) * precision) / 100) / precision;
}

/** True if partners see the product. To them a hidden product does not exist. */
export function isResold(programme: Programme, product: Product): boolean {
  return !programme.settings.notResold.has(product.id);
}
