import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { projectRef } from "../../world/project.ts";
import type { Dedicated } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { World } from "../../world/world.ts";
import { myServices } from "../request/access.ts";
import { type Call, managing, type Route, readBody, viewing } from "../request/call.ts";
import { pageOf, pagination } from "../request/pages.ts";
import {
  dedicatedOf,
  dedicatedPassword,
  dedicatedPower,
  dedicatedReinstall,
  dedicatedStats,
  powerBody,
} from "./dedicated-actions.ts";
import { series } from "./stats.ts";

const read = { ...viewing, module: "inventory" } as const;
const act = { ...managing, module: "inventory" } as const;
const path = "/dedicated/{id}";

export const dedicatedRoutes: Route[] = [
  { ...read, path: "/dedicated", handle: list },
  { ...read, path, handle: show },
  { ...read, path: `${path}/ips`, handle: ips },
  { ...read, path: `${path}/power-status`, handle: powerStatus },
  { ...read, path: `${path}/provision-status`, handle: provisionStatus },
  { ...read, path: `${path}/os-images`, handle: osImages },
  { ...read, path: `${path}/stats`, handle: (call) => dedicatedStats(call, dedicatedOf(call)) },
  { ...read, path: `${path}/traffic`, handle: traffic },
  { ...act, permission: "services.power", path: `${path}/power`, handle: powerByBody },
  { ...act, permission: "services.power", path: `${path}/power/{action}`, handle: powerByPath },
  { ...act, path: `${path}/reinstall`, handle: (call) => dedicatedReinstall(call, dedicatedOf(call)) },
  { ...act, path: `${path}/password`, handle: (call) => dedicatedPassword(call, dedicatedOf(call)) },
];

function list(call: Call) {
  const servers = myServices(call).filter((service) => service.kind === "dedicated");
  const page = pageOf(call, servers, 50);
  return ok(
    page.rows.map((server) => row(call.world, server)),
    { pagination: pagination(page) },
  );
}

function row(world: World, server: Dedicated) {
  const { id, name, hostname, status, kind, provider, product, billing, cancellation, hardware, created_at } = server;
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
    ...(world.settings.shapes.dedicatedAddress === "in row"
      ? { primary_ip: server.ip_addresses[0]?.address ?? null }
      : {}),
    failure: null,
    project: projectRef(world, server.project_id),
    created_at,
    ...(hardware === null ? {} : { hardware }),
  };
}

// From here on the spec shows names of objects and nothing within: each comes in two shapes.

function show(call: Call) {
  const server = dedicatedOf(call);
  const plain = shapeOf(call, server.id, 2) === 0;
  const { detailPower } = call.world.settings.shapes;
  return ok({
    ...row(call.world, server),
    location: plain ? { name: "Madrid", country: "ES" } : server.location,
    datacenter: plain ? { code: "MAD1", room: "2" } : "MAD1",
    provisioning: {
      provision_state: server.provision_state,
      power_state: detailPower === "live" ? powerWords(call, server.power_state) : detailPower,
    },
    os_installation: plain ? { status: server.os_installation, image: "Debian 13" } : server.os_installation,
    features: plain ? ["power", "reinstall", "password"] : { power: true, reinstall: true, kvm: false },
  });
}

/** The spec does not name the words of a management controller. */
function powerWords(call: Call, state: Dedicated["power_state"]): string {
  return call.world.settings.shapes.payload === 2 ? `POWER_${state.toUpperCase()}` : state;
}

function ips(call: Call) {
  const server = dedicatedOf(call);
  if (shapeOf(call, server.id, 2) === 0) return ok(server.ip_addresses);
  return ok({ primary: server.ip_addresses[0] ?? null, additional: server.ip_addresses.slice(1) });
}

function powerStatus(call: Call) {
  const server = dedicatedOf(call);
  const state = powerWords(call, server.controller_broken ? "unknown" : server.power_state);
  return ok(
    shapeOf(call, server.id, 2) === 0 ? { power_state: state } : { status: state, checked_at: call.world.clock.now() },
  );
}

function provisionStatus(call: Call) {
  const server = dedicatedOf(call);
  if (shapeOf(call, server.id, 2) === 0)
    return ok({ provision_state: server.provision_state, os: server.os_installation });
  return ok({
    state: server.provision_state,
    progress: server.os_installation === "in_progress" ? 40 : 100,
    steps: [],
  });
}

function osImages(call: Call) {
  const server = dedicatedOf(call);
  if (call.world.settings.shapes.payload === 2)
    return ok(server.templates.map(({ id, name }) => ({ osImageId: id, title: name })));
  if (shapeOf(call, server.id, 2) === 0) return ok({ templates: server.templates });
  return ok({ images: server.templates.map(({ id, name }) => ({ id, name, family: "linux" })) });
}

function traffic(call: Call) {
  const server = dedicatedOf(call);
  const points = series(call.world, server.id);
  if (shapeOf(call, server.id, 2) === 0)
    return ok({ in_bytes: 81_000_000_000, out_bytes: 12_000_000_000, period: "month" });
  return ok({ daily: points.map(({ time, netIn, netOut }) => ({ date: time.slice(0, 10), rx: netIn, tx: netOut })) });
}

function powerByBody(call: Call) {
  const server = dedicatedOf(call);
  return dedicatedPower(call, server, readBody(call, powerBody).action);
}

const aliases: Record<string, string> = { start: "on", stop: "off", reboot: "restart" };

function powerByPath(call: Call) {
  const action = param(call, "action");
  return dedicatedPower(call, dedicatedOf(call), aliases[action] ?? action);
}
