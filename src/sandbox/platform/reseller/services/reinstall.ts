import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { type ApiResponse, ok } from "../../http/response.ts";
import {
  installServer,
  refuseDuringDiskJob,
  refuseUnlessBound,
  refuseUnlessMachineAnswers,
  startReinstall,
} from "../../provisioning/hypervisor.ts";
import { isUuid } from "../../world/ids.ts";
import { images } from "../../world/os-images.ts";
import type { Dedicated, Service, Vps } from "../../world/service.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { type Backend, backendOf } from "./capabilities.ts";
import { refuseUnlessProviderAnswers } from "./power.ts";

const path = "/services/{serviceId}";

export const reinstallRoutes: Route[] = [
  { method: "GET", path: `${path}/os-templates`, scope: "read", handle: templates },
  { method: "POST", path: `${path}/reinstall`, scope: "destructive", handle: reinstall },
  { method: "POST", path: `${path}/password`, scope: "destructive", handle: password },
];

function templates(call: Call) {
  const service = serviceOf(call);
  const backend = backendOf(call, service);
  if (service.kind === "dedicated") return ok({ templates: service.templates.map(({ id, name }) => ({ id, name })) });
  if (backend === "vps" && service.kind === "vps") {
    return ok({ templates: service.templates.map(({ id, name }) => ({ id, name })), platform: "native" });
  }
  if (backend !== "plugin") throw badRequest("This service tells no templates");
  return ok({
    templates: providerTemplates.map((name, index) => ({ id: index + 1, name })),
    platform: service.provider,
  });
}

/** A provider knows them by name. */
const providerTemplates = ["debian-13-minimal", "ubuntu-26.04-docker"];

const reinstallBody = z
  .object({ osTemplate: z.string().optional(), osImageId: z.string().optional(), password: z.string().optional() })
  .transform(({ osTemplate, osImageId, password }) => ({ image: osTemplate ?? osImageId, password }));
type ReinstallOptions = z.infer<typeof reinstallBody>;

/** Erases the disk (spec 4.3). */
function reinstall(call: Call) {
  const service = serviceOf(call);
  refuseOutOfService(call, service);
  const backend = controlled(call, service);
  const options = readBody(call, reinstallBody);
  if (service.kind === "dedicated") return reinstallServer(call, service, options);
  if (backend === "vps" && service.kind === "vps") return reinstallVps(call, service, options);
  if (options.image === undefined) throw badRequest("osTemplate is required");
  if (backend === "plugin" && !providerTemplates.includes(options.image)) {
    throw badRequest(`The provider has no template ${options.image}`);
  }
  refuseUnlessProviderAnswers(call, service, "reinstall");
  keepPassword(call, service, options.password);
  if (service.kind !== "vps") return initiated({ task: randomUUID() });
  return initiated({ task: startReinstall(call.world, service, options.image) });
}

function reinstallVps(call: Call, vps: Vps, options: ReinstallOptions) {
  if (!vps.capabilities.reinstall) throw forbidden("Reinstalling is switched off for this product");
  const { image: id = "" } = options;
  if (!isUuid(id)) throw badField("osTemplate", "osTemplate must be the uuid of an image");
  const image = Object.values(images).find((one) => one.id === id.toLowerCase());
  if (image === undefined) throw notFound("OS image");
  if (!vps.templates.some((one) => one.id === image.id))
    throw conflict(`${image.name} is not offered for this product`);
  refuseShortPassword(options.password);
  refuseUnlessMachineAnswers(call.world, vps);
  refuseDuringDiskJob(vps);
  keepPassword(call, vps, options.password);
  return initiated({ job_id: startReinstall(call.world, vps, image.name) });
}

/** The server makes its own password, ignores the one in the request, and shows it only in this answer. */
function reinstallServer(call: Call, server: Dedicated, { image }: ReinstallOptions) {
  if (!server.templates.some((one) => one.id === image)) throw notFound("OS image");
  refuseUnlessBound(server);
  return initiated(rebuilt(call, server));
}

function rebuilt(call: Call, server: Dedicated) {
  const job_id = installServer(call.world, server);
  const method = server.provisioning_managed ? "automated" : "manual";
  return { job_id, method, password: randomBytes(12).toString("base64url") };
}

function initiated(data: object): ApiResponse {
  return ok(data, { message: "OS reinstall initiated" });
}

const passwordBody = z.object({ password: z.string().optional() });

function password(call: Call) {
  const service = serviceOf(call);
  refuseOutOfService(call, service);
  const backend = controlled(call, service);
  const { password: newPassword } = readBody(call, passwordBody);
  if (service.kind === "dedicated") {
    refuseUnlessBound(service);
    return ok(rebuilt(call, service), { message: "The server is built anew with another password" });
  }
  if (backend !== "upstream") refuseShortPassword(newPassword);
  if (backend !== "vps" || service.kind !== "vps") {
    refuseUnlessProviderAnswers(call, service, "password");
    keepPassword(call, service, newPassword);
    return ok({ task: randomUUID() });
  }
  if (!service.capabilities.password_reset) throw forbidden("Password reset is switched off for this product");
  const instance = refuseUnlessMachineAnswers(call.world, service);
  if (instance.state !== "running") throw conflict("The machine is not running");
  keepPassword(call, service, newPassword);
  return ok({ job_id: call.world.jobs.start("password", service.id, () => {}) });
}

function keepPassword({ world }: Call, { id }: Service, password: string | undefined): void {
  if (password !== undefined) world.passwords.set(id, password);
}

function refuseShortPassword(password: string | undefined): void {
  if (password === undefined) throw badField("password", "password is required");
  if (password.length < 8) throw badField("password", "password must have at least 8 characters");
}

/** The system that runs the service; without one nothing can be done from here. */
export function controlled(call: Call, service: Service): Exclude<Backend, null> {
  const backend = backendOf(call, service);
  if (backend === null) throw badRequest("This service has no backend that can be controlled");
  return backend;
}
