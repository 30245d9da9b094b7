import { badField, forbidden, notFound, projectMismatch } from "../../http/refusal.ts";
import { param } from "../../http/router.ts";
import { defaultProject, findProject, type Project } from "../../world/project.ts";
import type { Service, Vps } from "../../world/service.ts";
import { holderOf } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import type { Call } from "./call.ts";

/** The resources that this request may see: owned, and within its project. */
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

/** Reads go on without the native module; what touches a machine of its does not. */
export function refuseWithoutVpsModule(world: World, service: Service): void {
  if (service.provider === "native" && !world.settings.modules.native_vps)
    throw forbidden("The VPS module is not available");
}

/** True if `projectId` is the project that this request is narrowed to, if any. */
export function inScope(call: Call, projectId: string): boolean {
  return call.project === null || call.project.id === projectId;
}

export function refuseBoundKey(call: Call): void {
  if (call.key.project !== null) throw projectMismatch();
}

/** The project of a new resource: the one that it names, else the one the request is narrowed to, else the default one. */
export function wantedProject(call: Call, named: string | undefined): Project {
  if (named === undefined) return call.project ?? defaultProject(call.world, holderOf(call.user));
  const project = findProject(call.world, call.user, named);
  if (call.key.project !== null && project?.id !== call.key.project) throw projectMismatch();
  if (project === undefined) throw badField("projectId", "There is no such project");
  const isOther = call.project !== null && call.project.id !== project.id;
  if (isOther && call.world.settings.shapes.otherProject === "refused")
    throw badField("projectId", "The header names another project");
  return project;
}
