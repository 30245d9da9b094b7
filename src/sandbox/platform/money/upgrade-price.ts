import type { Product } from "../world/catalogue.ts";
import type { Service } from "../world/service.ts";
import type { World } from "../world/world.ts";
import { euros, monthsOf, taxOn, toCents } from "./money.ts";

const day = 86_400_000;

interface Proration {
  daysRemaining: number;
  daysInCycle: number;
}

/** How much of the paid period is left. Hourly services have none. */
export function prorationOf(world: World, service: Service): Proration {
  const { cycle, next_due_date } = service.billing;
  const daysInCycle = Math.max(1, Math.round(monthsOf[cycle] * 30.4));
  if (next_due_date === null) return { daysRemaining: 0, daysInCycle };
  const left = Math.ceil((Date.parse(next_due_date) - world.clock.now()) / day);
  return { daysRemaining: Math.min(Math.max(0, left), daysInCycle), daysInCycle };
}

export function prorated(cents: number, { daysRemaining, daysInCycle }: Proration): number {
  return Math.round((cents * daysRemaining) / daysInCycle);
}

/** Today's price of a change of product, in cents. */
export function priceUpgrade(world: World, service: Service, target: Product) {
  const period = prorationOf(world, service);
  const newCyclePrice = target.monthly * monthsOf[service.billing.cycle];
  const creditAmount = prorated(toCents(service.billing.amount), period);
  const chargeAmount = prorated(newCyclePrice, period);
  const upgradeFee = target.upgrade_fee;
  const netAmount = chargeAmount - creditAmount + upgradeFee;
  const vatAmount = taxOn(Math.max(0, netAmount), world.settings.vatRate);
  return { period, newCyclePrice, creditAmount, chargeAmount, upgradeFee, netAmount, vatAmount };
}

/** One row of the preview (spec 2.12). */
export function upgradeRow(world: World, service: Service, target: Product) {
  const price = priceUpgrade(world, service, target);
  return {
    toProductId: target.id,
    toProductName: target.name,
    toSpecs: target.specs,
    newCyclePrice: euros(price.newCyclePrice),
    upgradeFee: euros(price.upgradeFee),
    creditAmount: euros(price.creditAmount),
    chargeAmount: euros(price.chargeAmount),
    netAmount: euros(price.netAmount - (world.settings.shapes.feeInNet ? 0 : price.upgradeFee)),
    vatRate: world.settings.vatRate,
    vatAmount: euros(price.vatAmount),
    totalWithVat: euros(price.netAmount + price.vatAmount),
    ...price.period,
    billingCycle: service.billing.cycle,
  };
}
