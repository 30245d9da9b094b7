import { randomUUID } from "node:crypto";
import type { AddOn } from "../world/billing.ts";
import type { Option } from "../world/catalogue.ts";
import type { Service } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { monthsOf } from "./money.ts";

export function liveAddOns(world: World, serviceId: string): AddOn[] {
  return [...world.addOns.values()].filter((one) => one.service_id === serviceId && one.status === "active");
}

export function optionsOf(world: World, service: Service): Option[] {
  return world.catalogue.products.get(service.product.id)?.options ?? [];
}

/** Gives a service an option: by purchase, by an option change, or from the start. */
export function addAddOn(
  world: World,
  serviceId: string,
  option: Option,
  terms: Pick<AddOn, "status" | "quantity" | "billing_cycle">,
): AddOn {
  const addOn: AddOn = {
    id: randomUUID(),
    service_id: serviceId,
    option_id: option.id,
    name: option.name,
    amount: option.monthly * Math.max(1, monthsOf[terms.billing_cycle]) * terms.quantity,
    termination_date: null,
    created_at: isoNow(world),
    ...terms,
  };
  world.addOns.set(addOn.id, addOn);
  return addOn;
}

export function cancelAddOn(world: World, addOn: AddOn): void {
  addOn.status = "cancelled";
  addOn.termination_date = isoNow(world);
}

/** An add-on that was ordered along with a service begins with it. */
export function activateAddOns(world: World, serviceId: string): void {
  for (const addOn of world.addOns.values()) {
    if (addOn.service_id === serviceId && addOn.status === "pending_payment") addOn.status = "active";
  }
}
