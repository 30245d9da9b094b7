import { badRequest } from "../../http/refusal.ts";
import { addAddOn, cancelAddOn, liveAddOns } from "../../money/add-ons.ts";
import { billedText, toCents } from "../../money/money.ts";
import type { OrderedOption } from "../../programme/partner.ts";
import { isResold, optionPrice } from "../../programme/prices.ts";
import type { AddOn } from "../../world/billing.ts";
import type { Product } from "../../world/catalogue.ts";
import type { Service } from "../../world/service.ts";
import { wantedOptions } from "../orders/rules.ts";
import type { Call } from "../request/call.ts";

export interface Difference {
  added: OrderedOption[];
  increased: OrderedOption[];
  decreased: { addOn: AddOn; quantity: number }[];
  removed: AddOn[];
  unchanged: AddOn[];
}

export function productOf({ world, programme }: Call, service: Service): Product | undefined {
  const product = world.catalogue.products.get(service.product.id);
  return product !== undefined && isResold(programme, product) ? product : undefined;
}

/** Those that wait for their payment, too. */
export function heldBy({ world }: Call, service: Service): AddOn[] {
  const waiting = [...world.addOns.values()].filter(
    (one) => one.service_id === service.id && one.status === "pending_payment",
  );
  return [...liveAddOns(world, service.id), ...waiting];
}

/** The changes after which a service has exactly the wanted options. */
export function differenceOf(
  call: Call,
  service: Service,
  options: { optionId: string; quantity: number }[],
): Difference {
  const product = productOf(call, service);
  if (product === undefined) throw badRequest("This service takes no add-ons");
  const wanted = wantedOptions(product, options);
  const held = heldBy(call, service);
  const difference: Difference = { added: [], increased: [], decreased: [], removed: [], unchanged: [] };
  for (const { option, quantity } of wanted) {
    const addOn = held.find((one) => one.option_id === option.id);
    const more = quantity - (addOn?.quantity ?? 0);
    const price = optionPrice(call.programme, option, service.billing.cycle);
    const { id: optionId, name } = option;
    const ordered = { optionId, name, quantity: more, unitPrice: price.cycle, setupFee: price.setup };
    if (addOn === undefined) difference.added.push(ordered);
    else if (more > 0) difference.increased.push(ordered);
    else if (more < 0) difference.decreased.push({ addOn, quantity });
    else difference.unchanged.push(addOn);
  }
  difference.removed = held.filter((one) => !wanted.some(({ option }) => option.id === one.option_id));
  return difference;
}

/** Takes add-ons off at once. That costs nothing, and nothing is refunded. */
export function takeOff(call: Call, service: Service, { removed, decreased }: Difference): void {
  for (const addOn of removed) takeAway(call, service, addOn);
  for (const { addOn, quantity } of decreased) {
    const less = Math.round((addOn.amount * (addOn.quantity - quantity)) / addOn.quantity);
    addOn.amount -= less;
    addOn.quantity = quantity;
    bill(service, -less);
  }
}

export function takeAway(call: Call, service: Service, addOn: AddOn): void {
  if (addOn.status === "active") bill(service, -addOn.amount);
  cancelAddOn(call.world, addOn);
}

/** More of an option has a row of its own only while it waits for its payment. */
export function putOn(
  call: Call,
  service: Service,
  options: OrderedOption[],
  status: "active" | "pending_payment",
): AddOn[] {
  return options.map(({ optionId, name, quantity, unitPrice }) => {
    const amount = unitPrice * quantity;
    const held = heldBy(call, service).find((one) => one.option_id === optionId && one.status === "active");
    if (status === "active") bill(service, amount);
    if (held !== undefined && status === "active") {
      held.quantity += quantity;
      held.amount += amount;
      return held;
    }
    const terms = { status, quantity, billing_cycle: service.billing.cycle };
    const addOn = addAddOn(call.world, service.id, { id: optionId, name, monthly: 0 }, terms);
    addOn.amount = amount;
    return addOn;
  });
}

function bill(service: Service, cents: number): void {
  service.billing.amount = billedText(toCents(service.billing.amount) + cents);
}
