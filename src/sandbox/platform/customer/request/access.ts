import { forbidden, notFound } from "../../http/refusal.ts";
import type { Service, Vps } from "../../world/service.ts";
import { holderOf } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import { inScope } from "../projects/projects.ts";
import { type Call, param } from "./call.ts";

/** What this request may see: owned, and within its project. */
export function myServices(call: Call): Service[] {
  const holder = holderOf(call.user);
  return [...call.world.services.values()].filter((one) => one.holder === holder && inScope(call, one.project_id));
}

/** The service that `{id}` names; missing and not owned are the same 404. */
export function serviceOf(call: Call): Service {
  const service = call.world.services.get(param(call, "id").toLowerCase());
  const seen = service !== undefined && service.holder === holderOf(call.user) && inScope(call, service.project_id);
  if (!seen) throw notFound("Service");
  return service;
}

export function vpsOf(call: Call): Vps {
  const service = serviceOf(call);
  if (service.kind !== "vps") throw notFound("VPS");
  return service;
}

/** Suspended or ended services are not acted on. */
export function refuseOutOfService(service: Service): void {
  if (service.status === "suspended") throw forbidden("The service is suspended");
  if (service.status === "terminated") throw forbidden("The service is terminated");
}

/** Reads go on without the module; what touches the machine does not. */
export function refuseWithoutVpsModule(world: World): void {
  if (!world.settings.modules.native_vps) throw forbidden("The VPS module is not available");
}
