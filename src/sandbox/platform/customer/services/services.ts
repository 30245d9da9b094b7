// customer/services/: the routes of services of every kind: reading, power, reinstalling, snapshots, provider actions,
// cancelling (spec 4.2 to 4.4).

import { badRequest } from "../../http/refusal.ts";
import { type ApiResponse, ok } from "../../http/response.ts";
import type { Dedicated, Service, Vps } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { myServices, refuseWithoutVpsModule, serviceOf } from "../request/access.ts";
import { type Call, managing, type Route, viewing } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { pageOf, pagination } from "../request/pages.ts";
import { dedicatedPassword, dedicatedPower, dedicatedReinstall, dedicatedStats } from "./dedicated-actions.ts";
import { pluginRead, pluginServicePower } from "./plugins.ts";
import { power } from "./power.ts";
import { password, reinstall } from "./reinstall.ts";
import { usageOf } from "./stats.ts";
import { assignProject } from "./vps.ts";

export const serviceRoutes: Route[] = [
  { ...viewing, path: "/services", handle: list },
  { ...viewing, path: "/services/{id}", handle: show },
  { ...managing, method: "PATCH", path: "/services/{id}", handle: move },
  { ...viewing, path: "/services/{id}/stats", handle: stats },
  { ...managing, permission: "services.power", path: "/services/{id}/power/{action}", handle: powerByName },
  { ...managing, path: "/services/{id}/reinstall", handle: onMachine(reinstall, dedicatedReinstall) },
  { ...managing, path: "/services/{id}/password", handle: onMachine(password, dedicatedPassword) },
];

function list(call: Call) {
  const all = myServices(call);
  const status = call.query.get("status");
  const page = pageOf(call, status === null ? all : all.filter((service) => service.status === status), 20);
  return ok({
    services: page.rows.map((service) => panelRow(call, service)),
    pagination: pagination(page),
    stats: statsOf(all),
  });
}

function statsOf(services: Service[]) {
  const by = (status: Service["status"]) => services.filter((one) => one.status === status);
  const amount = by("active").reduce((sum, one) => sum + Number(one.billing.amount), 0);
  return {
    total: services.length,
    active: by("active").length,
    pending: by("pending").length + by("pending_payment").length + by("installing").length,
    suspended: by("suspended").length,
    terminated: by("terminated").length,
    active_amount: Math.round(amount * 100) / 100,
  };
}

// The panel's document is not shown in the spec beyond a few names: the product and the money differ from row to row.
function panelRow(call: Call, service: Service) {
  const { id, name, hostname, status, kind, product, billing, created_at } = service;
  const money =
    shapeOf(call, id, 2) === 0
      ? { productName: product.name, amount: billing.amount, billingCycle: billing.cycle }
      : { product, amount: Number(billing.amount), billing_cycle: billing.cycle };
  return {
    id,
    name,
    hostname,
    status,
    serviceType: kind,
    ...money,
    nextDueDate: billing.next_due_date,
    projectId: service.project_id,
    createdAt: created_at,
    ...(kind === "vps" && service.provider === "native" ? { vps_capabilities: service.capabilities } : {}),
  };
}

function show(call: Call) {
  const service = serviceOf(call);
  // The panel may show no address for a machine that has some.
  const ipAddresses = shapeOf(call, service.id, 2) === 0 || service.kind !== "vps" ? [] : service.ip_addresses;
  const row = { ...panelRow(call, service), cancellation: service.cancellation, ipAddresses };
  return ok({ service: row, liveInfo: liveInfo(service) });
}

function liveInfo(service: Service) {
  if (service.kind === "vps") return service.instance === null ? null : { state: service.instance.state };
  if (service.kind === "dedicated") return { powerState: service.power_state };
  return null;
}

function move(call: Call) {
  assignProject(call);
  return underName(call, "service", panelRow(call, serviceOf(call)));
}

function stats(call: Call) {
  const service = serviceOf(call);
  if (service.kind === "dedicated") return dedicatedStats(call, service);
  if (service.provider !== "native") return pluginRead(call, service, "stats");
  if (service.kind === "vps") refuseWithoutVpsModule(call.world, service);
  return ok(usageOf(call, service.id));
}

const switches: Record<string, string> = {
  start: "on",
  stop: "off",
  shutdown: "off",
  poweroff: "off",
  restart: "restart",
  reboot: "restart",
};

function powerByName(call: Call) {
  const service = serviceOf(call);
  const action = call.params.action ?? "";
  if (service.kind === "vps") return power(call, service, action);
  if (service.kind === "dedicated") return dedicatedPower(call, service, switches[action] ?? action);
  if (service.kind === "unknown") return pluginServicePower(call, service, action);
  throw badRequest("This action does not apply to this service");
}

/** A service that is neither a VPS nor a dedicated server has nothing to install. */
function onMachine(
  onVps: (call: Call, vps: Vps) => ApiResponse,
  onDedicated: (call: Call, server: Dedicated) => ApiResponse,
): Route["handle"] {
  return (call) => {
    const service = serviceOf(call);
    if (service.kind === "vps") return onVps(call, service);
    if (service.kind === "dedicated") return onDedicated(call, service);
    throw badRequest("This action does not apply to this service");
  };
}
