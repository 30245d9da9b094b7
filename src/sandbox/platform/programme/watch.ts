import { servicesWith } from "../world/order.ts";
import type { Service } from "../world/service.ts";
import type { World } from "../world/world.ts";
import { documentOf, type EventName, orderData, serviceData } from "./events.ts";
import type { Partner } from "./partner.ts";
import type { Programme } from "./programme.ts";

/** From now on the programme raises an event for each change of a service that its partner gets events of (spec 3.2 and 6). */
export function watchServices(world: World, programme: Programme): void {
  world.watchers.push((service, from, reason) => {
    const partner = programme.partners.get(service.holder);
    const event = eventOf(from, service.status);
    if (partner === undefined || event === undefined) return;
    const data = event === "service.provisioning_failed" ? failure(world, partner, service, from) : undefined;
    programme.events.raise(partner, event, data ?? serviceData(partner, service, reason));
  });
}

function eventOf(from: Service["status"], to: Service["status"]): EventName | undefined {
  if (to === "active") return from === "suspended" ? "service.unsuspended" : "service.provisioned";
  // A dedicated server whose build failed goes back to pending.
  if (to === "provisioning_failed" || (from === "installing" && to === "pending")) return "service.provisioning_failed";
  if (to === "suspended") return "service.suspended";
  return to === "terminated" ? "service.terminated" : undefined;
}

/** Before a node had it the order's services are listed; a failure of the node itself says at which stage. */
function failure(world: World, partner: Partner, service: Service, from: Service["status"]) {
  const order = partner.orders.get(partner.resold.get(service.id)?.orderId ?? "");
  if (order === undefined) return undefined;
  const provisioningError = service.failure?.message ?? "The build failed";
  const data = { ...orderData(order, documentOf(world, order).invoiceId), provisioningError };
  if (from === "installing") return { ...data, serviceId: service.id, stage: "install" };
  const services = servicesWith(world, order.serviceIds).map(({ id, status }) => ({ serviceId: id, status }));
  return { ...data, services };
}
