import { randomUUID } from "node:crypto";
import { forbidden, Refusal } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { type PowerAction, startReinstall, switchMachine } from "../../provisioning/hypervisor.ts";
import type { Template } from "../../world/os-images.ts";
import type { Plugin } from "../../world/plugins.ts";
import type { Service, Vps } from "../../world/service.ts";
import { refuseOutOfService } from "../request/access.ts";
import type { Call } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { series } from "./stats.ts";

/** The plugin behind a service, when it lets a customer use `verb`: hidden is 403, not implemented is 400 (spec 4.2). */
export function pluginFor(call: Call, service: Service, verb: string): Plugin {
  const plugin = call.world.plugins.get(service.provider);
  const access = plugin?.verbs[verb];
  if (plugin === undefined || access === undefined) {
    throw new Refusal(400, "ACTION_UNKNOWN", `The provider has no action ${verb}`);
  }
  if (access === "hidden") throw forbidden(`The provider does not offer ${verb} to customers`, "ACTION_NOT_ALLOWED");
  return plugin;
}

/** A change has to reach the provider; a read may go without. */
export function refuseUnlessProviderDoes(plugin: Plugin, verb: string): void {
  if (!plugin.reachable) throw new Refusal(503, "PROVIDER_UNAVAILABLE", "The provider could not be reached");
  if (plugin.failing.includes(verb)) throw new Refusal(503, "PROVIDER_ERROR", "The provider reported a failure");
}

const verbOf = { start: "start", shutdown: "stop", reboot: "restart" } as const;

export function pluginPower(call: Call, vps: Vps, action: PowerAction) {
  const verb = verbOf[action];
  const plugin = pluginFor(call, vps, verb);
  return cooled(call, "power", vps.id, () => {
    refuseWithoutInstance(vps);
    refuseUnlessProviderDoes(plugin, verb);
    const job = switchMachine(call.world, vps, action);
    return ok({ completed: false, pending: true, job_id: job, state: "queued", status: "accepted" });
  });
}

/** Power of a service that is no machine: its provider decides what the word does. */
export function pluginServicePower(call: Call, service: Service, action: string) {
  refuseOutOfService(service);
  pluginFor(call, service, action);
  return cooled(call, "power", service.id, () => pluginVerb(call, service, action, {}));
}

export function pluginReinstall(call: Call, vps: Vps, image: Template) {
  const plugin = pluginFor(call, vps, "reinstall");
  return cooled(call, "reinstall", vps.id, () => {
    refuseWithoutInstance(vps);
    refuseUnlessProviderDoes(plugin, "reinstall");
    return ok({ job_id: startReinstall(call.world, vps, image.name) }, { message: "The provider is reinstalling" });
  });
}

export function pluginPassword(call: Call, vps: Vps) {
  const plugin = pluginFor(call, vps, "password");
  return cooled(call, "password", vps.id, () => {
    refuseWithoutInstance(vps);
    refuseUnlessProviderDoes(plugin, "password");
    return ok({ available: call.world.settings.shapes.passwordAvailable, job_id: randomUUID(), user: "root" });
  });
}

/** A read tolerates a provider that cannot be reached. */
export function pluginRead(call: Call, service: Service, verb: "status" | "stats") {
  const plugin = pluginFor(call, service, verb);
  if (!plugin.reachable) return ok(verb === "status" ? { status: "unknown" } : { available: false });
  if (verb === "status")
    return ok({ status: service.kind === "vps" ? (service.instance?.state ?? "unknown") : "active" });
  const points = series(call.world, service.id);
  return ok({ [service.provider]: { last: points.at(-1), samples: points.length } });
}

/** Any other action of the plugin. The plugin describes the outcome in its own words. */
export function pluginVerb(call: Call, service: Service, verb: string, params: Record<string, unknown>) {
  refuseOutOfService(service);
  const plugin = pluginFor(call, service, verb);
  refuseUnlessProviderDoes(plugin, verb);
  if (service.provider === "postbox") return ok({ action: verb, result: { accepted: true, params } });
  return ok({ action: verb, output: `${verb} done`, task: randomUUID() });
}

function refuseWithoutInstance(vps: Vps): void {
  if (vps.instance === null) throw new Refusal(404, "NOT_FOUND", "No VPS instance is linked to this service yet");
}
