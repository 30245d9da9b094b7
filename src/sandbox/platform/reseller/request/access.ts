import { forbidden, notFound } from "../../http/refusal.ts";
import { param } from "../../http/router.ts";
import type { Service } from "../../world/service.ts";
import type { Call } from "./call.ts";

/** The services that this key may see: the partner's, or its customer's alone if it is bound to one. */
export function myServices(call: Call): Service[] {
  return [...call.world.services.values()].filter((service) => isMine(call, service));
}

/** The service that the path names; missing and not the caller's are the same 404. */
export function serviceOf(call: Call): Service {
  const id = (call.params.serviceId ?? param(call, "id")).toLowerCase();
  const service = call.world.services.get(id);
  if (service === undefined || !isMine(call, service)) throw notFound("Service");
  return service;
}

function isMine({ partner, key }: Call, service: Service): boolean {
  if (service.holder !== partner.holder) return false;
  return key.customer === null || partner.resold.get(service.id)?.customer === key.customer;
}

/** The nine words of spec 3.2. */
export function statusOf(call: Call, service: Service): Service["status"] | "fraud" {
  return call.partner.resold.get(service.id)?.withheld === true ? "fraud" : service.status;
}

export function refuseTerminated(service: Service): void {
  if (service.status === "terminated") throw forbidden("The service is terminated");
}

/** The actions that a suspended service accepts: all but those that spec 4.3 lists. */
export function refuseWithheld(call: Call, service: Service): void {
  refuseTerminated(service);
  if (call.partner.resold.get(service.id)?.withheld === true)
    throw forbidden("The service is withheld by the supplier");
}

/** The actions that a suspended service refuses (spec 4.3). */
export function refuseOutOfService(call: Call, service: Service): void {
  refuseWithheld(call, service);
  if (service.status === "suspended") throw forbidden("The service is suspended");
}
