// seed/: what is there when the practice platform starts: one service at least in every state that the spec names. Ids
// are made from names, so that they are the same at every start.

import { newIpv4, newIpv6 } from "../provisioning/addresses.ts";
import { buildVps, type VpsOverrides } from "../provisioning/build-vps.ts";
import { seededId } from "../world/ids.ts";
import { images } from "../world/os-images.ts";
import { addProject } from "../world/project.ts";
import { type FailureCode, failureMessages, type Vps } from "../world/service.ts";
import type { World } from "../world/world.ts";
import { seedBilling } from "./billing.ts";
import { seedImages } from "./images.ts";
import { seedEstate } from "./services.ts";

interface Row {
  project: "default" | "production" | "staging";
  name: string;
  overrides: VpsOverrides;
}

/** Fills the world with the practice team's estate, and a little of somebody else's. */
export function seed(world: World, team: string, outsider: string): void {
  seedProjects(world, team);
  for (const [index, { project, name, overrides }] of estate(world, team).entries()) {
    add(world, buildVps(world, { holder: team, project: seededId("project", team, project) }, index, name, overrides));
  }
  const elsewhere = { holder: outsider, project: seededId("project", outsider, "default") };
  add(world, buildVps(world, elsewhere, 200, "outsider-1", {}));
  seedImages(world, team);
  seedEstate(world, team);
  seedBilling(world, team);
}

/** `count` plain machines more, for benches. */
export function seedBulk(world: World, holder: string, count: number, prefix = "bulk"): void {
  const project = seededId("project", holder, "default");
  const first = world.services.size;
  for (let index = first; index < first + count; index += 1) {
    const name = `${prefix}-${String(index - first + 1).padStart(5, "0")}`;
    add(world, buildVps(world, { holder, project }, index, name, {}));
  }
}

function add(world: World, vps: Vps): void {
  world.services.set(vps.id, vps);
}

function seedProjects(world: World, team: string): void {
  addProject(world, team, "default", "Default", true);
  addProject(world, team, "production", "Production");
  addProject(world, team, "staging", "Staging");
  addProject(world, team, "empty", "Empty project");
  // A user who leaves the team keeps only their own services.
  for (const user of world.users.values()) addProject(world, user.id, "default", "Default", true);
}

function estate(world: World, team: string): Row[] {
  const web1 = seededId("vps", team, "web-1", 0);
  return [
    ...everyday(world, web1),
    ...notRunning(world),
    ...Object.keys(failureMessages).filter(isFailureCode).map(failed),
    ...limited(),
  ];
}

function everyday(world: World, web1: string): Row[] {
  return [
    row("production", "web-1", {
      product: "VPS L",
      id: web1,
      ip_addresses: [newIpv4(world), newIpv6(world)],
      snapshots: [
        { name: "before-upgrade", age: 9, description: "Before the move to Debian 13" },
        { name: "weekly-1", age: 6, crash_consistent: true },
        { name: "weekly-2", age: 1, crash_consistent: null },
      ],
    }),
    row("production", "web-2", { snapshots: [{ name: "clean", age: 30 }] }),
    row("production", "db-1", {
      product: "VPS L",
      ip_addresses: [newIpv4(world), newIpv6(world)],
      snapshots: [
        { name: "nightly.1", age: 3, crash_consistent: true },
        { name: "nightly.2", age: 2, missing: true },
        { name: "nightly.3", age: 1, status: "error", error: "The host ran out of space", size_bytes: null },
      ],
    }),
    row("production", "db-2", {
      product: "VPS L",
      instance: { state: "stopped" },
      cancellation: { scheduled_date: new Date(world.clock.now() + 12 * 86_400_000).toISOString() },
    }),
    row("default", "mail", { product: "VPS S" }),
    row("default", "cache-1", { billing: hourly("0.0150") }),
    row("staging", "cache-2", { product: "VPS S", billing: hourly("0.0075"), hostname: null }),
    row("staging", "worker-1", {}),
    row("staging", "worker-2", { instance: { state: "stopped" } }),
    row("staging", "worker-3", {
      instance: { os: images.alma.name },
      snapshots: [1, 2, 3].map((age) => ({ name: `day-${age}`, age })),
    }),
    row("default", "twin", {}),
    row("staging", "twin", { instance: { state: "stopped" } }),
    // Somebody named a server with the first digits of another's id.
    row("default", web1.slice(0, 8), { hostname: null }),
    row("default", "long-".padEnd(200, "name-"), { hostname: "long.example.test" }),
    row("default", "<!channel> *bold* & _slanted_", { hostname: null }),
    row("staging", "größe-データ-🚀", { hostname: "xn--groesse.example.test" }),
    row("production", "windows-1", { product: "VPS Windows", instance: { os: images.windows.name } }),
    row("default", "six-only", { ip_addresses: [newIpv6(world)] }),
  ];
}

function notRunning(world: World): Row[] {
  return [
    row("default", "waiting-1", { status: "pending_payment", instance: null }),
    row("default", "build-1", { status: "pending", instance: null }),
    row("default", "build-2", { status: "installing", instance: { state: "creating" }, disk_job: "build" }),
    row("production", "suspended-1", {
      status: "suspended",
      instance: { state: "stopped" },
      snapshots: [{ name: "old", age: 40 }],
    }),
    row("default", "gone-1", { status: "terminated", instance: null }),
    row("default", "cancelled-1", { status: "cancelled", instance: null }),
    row("staging", "paused-1", { instance: { state: "paused" } }),
    row("staging", "moving-1", { instance: { state: "migrating" }, disk_job: "migration" }),
    row("staging", "broken-1", { instance: { state: "error" } }),
    row("staging", "orphan-1", { instance: { state: "orphaned" } }),
    row("default", "wiping-1", { instance: { state: "terminated_pending_wipe" } }),
    row("default", "rescue-1", { instance: { rescue_mode: true } }),
    row("staging", "reinstall-failed", { instance: { state: "error" }, os_installation_status: "failed" }),
    row("default", "price-unknown", {
      billing: { cycle: "annually", amount: "96.0000", currency: null, next_due_date: inDays(world, 200) },
    }),
  ];
}

function failed(code: FailureCode): Row {
  const failure = { code, message: failureMessages[code] };
  const name = `failed-${code.replaceAll("_", "-")}`;
  return row("default", name, { status: "provisioning_failed", instance: null, failure });
}

function limited(): Row[] {
  const nothing = {
    actions: [],
    console: false,
    reinstall: false,
    password_reset: false,
    snapshots: false,
    images: false,
  };
  return [
    row("production", "frozen-1", { capabilities: { ...nothing, frozen: true, unavailable_reason: "frozen_cluster" } }),
    row("production", "shared-1", { capabilities: { ...nothing, shared: true, unavailable_reason: "shared_cluster" } }),
    row("default", "no-power", { capabilities: { actions: [], reinstall: false, password_reset: false } }),
    row("default", "start-only", { capabilities: { actions: ["start"] }, instance: { state: "stopped" } }),
    row("default", "no-snapshots", { product: "VPS Basic", capabilities: { snapshots: false, images: false } }),
    row("default", "plan-without-snapshots", { product: "VPS Basic" }),
    row("default", "no-images", { product: "VPS without images" }),
    row("staging", "plugin-1", plugged("acme-cloud")),
    row("staging", "plugin-2", plugged("nimbus")),
  ];
}

function plugged(provider: string): VpsOverrides {
  return {
    product: "Partner VPS",
    provider,
    snapshots_max: 0,
    capabilities: { provider_dependent: true, snapshots: false, images: false },
  };
}

function row(project: Row["project"], name: string, overrides: VpsOverrides): Row {
  return { project, name, overrides };
}

function hourly(amount: string): Vps["billing"] {
  return { cycle: "hourly", amount, currency: "EUR", next_due_date: null };
}

function inDays(world: World, days: number): string {
  return new Date(world.clock.now() + days * 86_400_000).toISOString();
}

function isFailureCode(code: string): code is FailureCode {
  return code in failureMessages;
}
