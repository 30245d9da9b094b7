import { z } from "zod";
import { badField, forbidden } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { captureDisk } from "../../provisioning/capture.ts";
import { defaultProject, findProject, projectRef } from "../../world/project.ts";
import type { Vps } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { World } from "../../world/world.ts";
import {
  myServices,
  refuseBoundKey,
  refuseOutOfService,
  refuseWithoutVpsModule,
  serviceOf,
  vpsOf,
} from "../request/access.ts";
import { aliased, type Call, ending, managing, type Route, readBody, viewing } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { pageOf, pagination } from "../request/pages.ts";
import { cancel } from "./cancellation.ts";
import { power } from "./power.ts";
import { password, reinstall } from "./reinstall.ts";
import { snapshotRoutes } from "./snapshots.ts";
import { usageOf } from "./stats.ts";

const verbs = ["start", "stop", "shutdown", "reboot", "restart"] as const;

export const vpsRoutes: Route[] = [
  { ...viewing, path: "/vps", handle: list },
  { ...viewing, path: "/vps/{id}", handle: show },
  { ...managing, method: "PATCH", path: "/vps/{id}", handle: move },
  { ...ending, path: "/vps/{id}", handle: (call) => cancel(call, vpsOf(call)) },
  { ...viewing, path: "/vps/{id}/ips", handle: ips },
  { ...viewing, path: "/vps/{id}/stats", handle: stats },
  { ...viewing, path: "/vps/{id}/os-images", handle: osImages },
  ...verbs.map((verb): Route => {
    const handle = (call: Call) => power(call, vpsOf(call), verb);
    return { ...managing, permission: "services.power", path: `/vps/{id}/${verb}`, handle };
  }),
  {
    ...managing,
    permission: "services.power",
    path: "/vps/{id}/power/{action}",
    handle: (call) => power(call, vpsOf(call), call.params.action),
  },
  { ...managing, path: "/vps/{id}/reinstall", handle: (call) => reinstall(call, vpsOf(call)) },
  { ...managing, path: "/vps/{id}/password", handle: (call) => password(call, vpsOf(call)) },
  { ...managing, path: "/vps/{id}/capture", handle: capture },
  ...snapshotRoutes,
];

function list(call: Call) {
  const machines = myServices(call).filter((service) => service.kind === "vps");
  const page = pageOf(call, machines, 50);
  return ok(
    page.rows.map((vps) => ({ ...vpsRow(call.world, vps), capabilities: null })),
    { pagination: pagination(page) },
  );
}

function show(call: Call) {
  const vps = vpsOf(call);
  return ok({ ...vpsRow(call.world, vps), capabilities: vps.capabilities });
}

function vpsRow(world: World, vps: Vps) {
  const { id, name, hostname, status, kind, provider, product, billing, cancellation, location } = vps;
  return {
    id,
    name,
    hostname,
    status,
    kind,
    provider,
    product,
    billing,
    cancellation,
    location,
    primary_ip: vps.ip_addresses[0]?.address ?? null,
    ip_addresses: vps.ip_addresses,
    instance: vps.instance,
    os_installation_status: vps.os_installation_status,
    failure: status === "provisioning_failed" ? vps.failure : null,
    specs: vps.specs,
    project: projectRef(world, vps.project_id),
    created_at: vps.created_at,
  };
}

const assignment = aliased(
  { projectId: ["project_id", "project"] },
  z.object({ projectId: z.union([z.string().min(1), z.null()]) }),
);

function move(call: Call) {
  const vps = vpsOf(call);
  assignProject(call);
  return underName(call, "vps", { ...vpsRow(call.world, vps), capabilities: vps.capabilities });
}

/** Moves the service that `{id}` names into the project of the body; null is the default one. */
export function assignProject(call: Call): void {
  const service = serviceOf(call);
  refuseBoundKey(call);
  const { projectId } = readBody(call, assignment);
  const project =
    projectId === null ? defaultProject(call.world, service.holder) : findProject(call.world, call.user, projectId);
  if (project === undefined) throw badField("projectId", "There is no such project");
  const isOther = call.project !== null && call.project.id !== project.id;
  if (isOther && call.world.settings.shapes.otherProject === "refused")
    throw badField("projectId", "The header names another project");
  service.project_id = project.id;
}

// The spec does not show this payload: some machines answer a bare list, some an object.
function ips(call: Call) {
  const vps = vpsOf(call);
  if (shapeOf(call, vps.id, 2) === 0) return ok(vps.ip_addresses);
  return ok({ primary_ip: vps.ip_addresses[0]?.address ?? null, ip_addresses: vps.ip_addresses });
}

function osImages(call: Call) {
  return ok({ templates: vpsOf(call).templates });
}

function stats(call: Call) {
  const vps = vpsOf(call);
  refuseWithoutVpsModule(call.world, vps);
  return ok(usageOf(call, vps.id));
}

const captureBody = z.object({
  name: z.string("name is required").trim().min(1, "name is required").max(120, "name has at most 120 characters"),
  description: z.string().max(2000).nullish(),
});

/** Stores a machine's disk as an image: accepted at once, available minutes later. */
function capture(call: Call) {
  const { world } = call;
  const vps = vpsOf(call);
  refuseOutOfService(vps);
  if (!vps.capabilities.images) throw forbidden("Image capture is not available for this server");
  const { name, description } = readBody(call, captureBody);
  const { id, source_kind, status } = captureDisk(world, vps, { name, description: description ?? null });
  return success(202, { id, name, source_kind, status });
}
