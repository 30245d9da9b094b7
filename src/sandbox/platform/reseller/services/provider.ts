import { z } from "zod";
import { badRequest, forbidden, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import type { Plugin } from "../../world/plugins.ts";
import type { Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { backendOf } from "./capabilities.ts";
import { refuseUnlessProviderAnswers } from "./power.ts";

const path = "/services/{serviceId}";

export const providerRoutes: Route[] = [
  { method: "GET", path: `${path}/provider`, scope: "read", handle: provider },
  { method: "GET", path: `${path}/ui-schema`, scope: "read", handle: uiSchema },
  { method: "POST", path: `${path}/ui-action/{action}`, scope: "services", handle: uiAction },
];

/** As the plugin lays it out; what nobody's plugin provides has none. */
function provider(call: Call) {
  const service = serviceOf(call);
  const plugin = pluginOf(call, service);
  if (plugin === undefined) return ok({ provider: null });
  const { slug, reachable, verbs } = plugin;
  if (shapeOf(call, service.id, 2) === 0) return ok({ provider: { slug, name: slug, reachable } });
  return ok({ provider: { id: slug, status: reachable ? "online" : "offline", actions: Object.keys(verbs) } });
}

function uiSchema(call: Call) {
  const plugin = pluginOf(call, serviceOf(call));
  if (plugin === undefined || plugin.slug === "nimbus") return ok({ schema: null, useDefaultUI: true });
  const offered = Object.entries(plugin.verbs).flatMap(([verb, access]) => (access === "customer" ? [verb] : []));
  return ok({
    schema: { title: plugin.slug, tabs: [{ title: "Actions", actions: offered.map((action) => ({ action })) }] },
  });
}

const body = z.object({ params: z.record(z.string(), z.unknown()).default({}) });

/** The result that the plugin gives. */
function uiAction(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  const plugin = pluginOf(call, service);
  if (plugin === undefined) throw badRequest("No plugin provides this service");
  const action = param(call, "action");
  const access = plugin.verbs[action];
  if (access === undefined) throw notFound("Action");
  if (access === "hidden") throw forbidden("The provider does not offer this action");
  refuseUnlessProviderAnswers(call, service, action);
  const { params } = readBody(call, body);
  return ok({ action, result: { accepted: true, params } });
}

function pluginOf(call: Call, service: Service): Plugin | undefined {
  return backendOf(call, service) === "plugin" ? call.world.plugins.get(service.provider) : undefined;
}
