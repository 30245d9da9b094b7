import { z } from "zod";
import { conflict, forbidden } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { terminate } from "../../provisioning/termination.ts";
import type { Service } from "../../world/service.ts";
import { changeStatus } from "../../world/world.ts";
import { serviceOf, statusOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";

const path = "/services/{serviceId}";

export const lifecycleRoutes: Route[] = [
  { method: "POST", path: `${path}/suspend`, scope: "services", handle: suspend },
  { method: "POST", path: `${path}/unsuspend`, scope: "services", handle: unsuspend },
  { method: "DELETE", path, scope: "destructive", handle: end },
];

const suspendBody = z.object({ reason: z.string().max(500, "reason has at most 500 characters").nullish() });

/** It is billed on; only an active one can be suspended (spec 3.2). */
function suspend(call: Call) {
  const service = serviceOf(call);
  const { reason } = readBody(call, suspendBody);
  if (statusOf(call, service) !== "active") throw conflict(`The service is ${statusOf(call, service)}, not active`);
  stopMachine(service);
  changeStatus(call.world, service, "suspended", reason ?? "Suspended by the reseller");
  return ok({ serviceId: service.id, status: service.status, actions: actionsOf(service, "stopped") });
}

function unsuspend(call: Call) {
  const service = serviceOf(call);
  if (service.status === "terminated") throw forbidden("The service is terminated");
  if (service.status !== "suspended") throw conflict(`The service is ${statusOf(call, service)}, not suspended`);
  if (service.kind === "vps" && service.instance !== null) service.instance.state = "running";
  changeStatus(call.world, service, "active", "Suspension lifted by the reseller");
  return ok({ serviceId: service.id, status: service.status, actions: actionsOf(service, "started") });
}

/** Terminates the service for good and stops its billing. A second call changes nothing. */
function end(call: Call) {
  const service = serviceOf(call);
  const { id } = service;
  if (service.status === "terminated") return ok({ serviceId: id, status: "terminated", alreadyTerminated: true });
  terminate(call.world, service);
  return ok({ serviceId: id, status: service.status, actions: ["billing_stopped"] });
}

function stopMachine(service: Service): void {
  if (service.kind === "vps" && service.instance !== null) service.instance.state = "stopped";
}

function actionsOf(service: Service, what: string): string[] {
  return service.kind === "vps" ? [`machine_${what}`] : [];
}
