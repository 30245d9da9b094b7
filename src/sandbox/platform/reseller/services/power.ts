import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badRequest, forbidden, Refusal } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { machineOutcome, refuseUnlessMachineAnswers, switchMachine } from "../../provisioning/hypervisor.ts";
import type { Dedicated, Service, Vps } from "../../world/service.ts";
import { refuseTerminated, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody, unavailable } from "../request/call.ts";
import { actionOf, backendOf, type PowerVerb, powerActionsOf } from "./capabilities.ts";

export const powerRoutes: Route[] = [
  { method: "POST", path: "/services/{serviceId}/power", scope: "services", handle: power },
];

const body = z.object({ action: z.enum(["start", "stop", "restart", "shutdown"], "action is not known") });

/** `data` is whatever the backend answers (spec 4.3). */
function power(call: Call) {
  const service = serviceOf(call);
  const { action } = readBody(call, body);
  const verb: PowerVerb = action === "shutdown" ? "stop" : action;
  const backend = backendOf(call, service);
  refuseTerminated(service);
  if (backend === null) throw badRequest("This service has no backend that can be controlled");
  if (service.status === "suspended" && verb === "start") throw forbidden("A suspended service cannot be started");
  const allowed = powerActionsOf(call, service);
  if (!allowed.includes(verb)) {
    throw forbidden(`This product does not allow ${verb}; allowed: ${allowed.join(", ") || "none"}`);
  }
  if (service.kind === "dedicated") return dedicatedPower(call, service, verb);
  if (backend === "vps" && service.kind === "vps") return vpsPower(call, service, verb);
  return providerPower(call, service, verb);
}

function vpsPower({ world }: Call, vps: Vps, verb: PowerVerb) {
  const instance = refuseUnlessMachineAnswers(world, vps);
  const state = machineOutcome[actionOf[verb]];
  if (verb !== "restart" && instance.state === state) return ok({ completed: true, pending: false, state });
  const job = switchMachine(world, vps, actionOf[verb]);
  return ok({ completed: false, pending: true, job_id: job, state: instance.state });
}

/** A server without a management controller is one that no provisioning system manages. */
function dedicatedPower({ world }: Call, server: Dedicated, verb: PowerVerb) {
  refuseWithoutController(server);
  if (server.controller_broken) throw new Refusal(424, "", "The management controller did not complete the action");
  const state = verb === "stop" ? "off" : "on";
  if (verb !== "restart" && server.power_state === state) return ok({ action: verb, alreadyInState: true });
  world.jobs.start(actionOf[verb], server.id, () => {
    server.power_state = state;
  });
  return ok({ action: verb, alreadyInState: false });
}

export function refuseWithoutController(server: Dedicated): void {
  if (!server.provisioning_managed) throw badRequest("This server has no management controller");
}

/** A plugin or an upstream supplier does it in its own words. */
function providerPower(call: Call, service: Service, verb: PowerVerb) {
  const { world } = call;
  refuseUnlessProviderAnswers(call, service, verb);
  if (service.kind === "vps") switchMachine(world, service, actionOf[verb]);
  return ok({ task: randomUUID(), accepted: verb });
}

/** A plugin that is switched off, or that fails: 503. */
export function refuseUnlessProviderAnswers({ world }: Call, service: Service, verb: string): void {
  const plugin = world.plugins.get(service.provider);
  if (plugin === undefined) return;
  if (!plugin.reachable) throw unavailable(`The provider ${plugin.slug} is switched off`);
  if (plugin.failing.includes(verb)) throw unavailable(`The provider ${plugin.slug} refused ${verb}`);
}
