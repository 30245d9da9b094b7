import { z } from "zod";
import { forbidden, Refusal } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import type { Service } from "../../world/service.ts";
import { may, type Permission } from "../../world/users.ts";
import { refuseOutOfService, refuseWithoutVpsModule, serviceOf } from "../request/access.ts";
import { type Call, managing, type Route, readBody, viewing } from "../request/call.ts";
import { backupsOf, createBackup, restoreBackup } from "./backups.ts";
import { dedicatedPower } from "./dedicated-actions.ts";
import { pluginFor, pluginRead, pluginVerb } from "./plugins.ts";
import { power } from "./power.ts";
import { series } from "./stats.ts";

const backups = "/services/{id}/backups";

export const actionRoutes: Route[] = [
  { ...viewing, path: "/services/{id}/actions", handle: document },
  { method: "POST", path: "/services/{id}/actions/{action}", scope: "services", handle: run },
  { ...viewing, path: backups, handle: listBackups },
  { ...managing, path: backups, handle: (call) => success(201, createBackup(call, inService(call))) },
  { ...managing, path: `${backups}/{backupId}/restore`, handle: restore },
];

const builtIns = ["start", "stop", "reboot", "restart", "status", "stats"];

function document(call: Call) {
  const service = serviceOf(call);
  const verbs = call.world.plugins.get(service.provider)?.verbs ?? {};
  const offered = Object.keys(verbs).filter((verb) => verbs[verb] === "customer");
  return ok({
    service_id: service.id,
    kind: service.kind,
    provider: service.provider,
    actions: service.provider === "native" ? builtIns : offered,
    capabilities: service.kind === "vps" ? service.capabilities : null,
  });
}

const runBody = z.object({ params: z.record(z.string(), z.unknown()).default({}) });

function run(call: Call) {
  const service = serviceOf(call);
  const action = param(call, "action");
  if (!may(call.user, permissionFor(action))) throw forbidden("Insufficient permissions", "PERMISSION_DENIED");
  const { params } = readBody(call, runBody);
  if (service.provider === "native") return runNative(call, service, action);
  if (action === "status" || action === "stats") return pluginRead(call, service, action);
  if (action === "backups.list") return ok({ action, result: backupsOf(call, service) });
  refuseOutOfService(service);
  if (action === "backups.create") return ok({ action, result: createBackup(call, service) });
  if (service.kind === "vps" && ["start", "stop", "restart", "reboot"].includes(action))
    return power(call, service, action);
  return pluginVerb(call, service, action, params);
}

/** Only this route has its own code for a member's missing permission. */
function permissionFor(action: string): Permission {
  if (["status", "stats", "backups.list"].includes(action)) return "services.view";
  return ["start", "stop", "restart", "reboot"].includes(action) ? "services.power" : "services.manage";
}

function runNative(call: Call, service: Service, action: string) {
  if (!builtIns.includes(action)) throw new Refusal(400, "ACTION_UNKNOWN", `There is no action ${action}`);
  if (service.kind === "vps" && action === "status") return ok({ status: service.instance?.state ?? "unknown" });
  if (service.kind === "vps" && action === "stats") {
    refuseWithoutVpsModule(call.world, service);
    return ok(series(call.world, service.id).at(-1));
  }
  if (service.kind === "vps") return power(call, service, action);
  if (service.kind === "dedicated" && action !== "status" && action !== "stats") {
    const switched = { start: "on", stop: "off" }[action] ?? "restart";
    return dedicatedPower(call, service, switched);
  }
  throw new Refusal(400, "ACTION_UNKNOWN", `There is no action ${action} for this service`);
}

function listBackups(call: Call) {
  const service = serviceOf(call);
  if (service.provider === "native") return ok({ backups: [], available: false });
  return ok(backupsOf(call, service));
}

function restore(call: Call) {
  return ok(restoreBackup(call, inService(call), param(call, "backupId")));
}

function inService(call: Call): Service {
  const service = serviceOf(call);
  refuseOutOfService(service);
  // On a native VPS nothing implements them.
  pluginFor(call, service, "backups.create");
  return service;
}
