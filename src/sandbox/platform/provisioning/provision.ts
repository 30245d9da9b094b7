// provisioning/: how services come to be, run and end: new rows, builds, what the hypervisor says, addresses,
// termination. The same for every API that asks for it.

import { activateAddOns } from "../money/add-ons.ts";
import { addCycle } from "../money/money.ts";
import { type Dedicated, failureMessages, type Service, type Vps } from "../world/service.ts";
import { changeStatus, isoNow, type World } from "../world/world.ts";
import { newIpv4 } from "./addresses.ts";

/** Builds a service whose document is paid: pending, then installing, then active, or failed with a code (spec 3.1). */
export function provision(world: World, service: Service): void {
  if (service.status !== "pending_payment") return;
  changeStatus(world, service, "pending");
  activateAddOns(world, service.id);
  world.jobs.start("provision", service.id, (failed) => {
    if (service.status !== "pending") return;
    if (failed || world.settings.buildFailure !== null) return failBuild(world, service);
    beginInstall(world, service);
  });
}

function beginInstall(world: World, service: Service): void {
  if (service.kind === "vps") bindMachine(world, service);
  changeStatus(world, service, "installing");
  world.jobs.start("install", service.id, (failed) => {
    if (service.status !== "installing") return;
    if (failed) return failBuild(world, service);
    activate(world, service);
  });
}

function activate(world: World, service: Service): void {
  const { billing } = service;
  service.failure = null;
  if (billing.cycle !== "hourly") billing.next_due_date = addCycle(world.clock.now(), billing.cycle);
  if (service.kind === "vps") startMachine(world, service);
  if (service.kind === "dedicated") bindHardware(world, service);
  changeStatus(world, service, "active");
}

function bindMachine(world: World, vps: Vps): void {
  const { cpu, ram, storage } = vps.specs ?? {};
  vps.disk_job = "build";
  vps.instance = {
    state: "creating",
    vcpus: numberOrNull(cpu),
    memory_mb: numberOrNull(ram),
    disk_gb: numberOrNull(storage),
    os: vps.ordered_os,
    rescue_mode: false,
    updated_at: isoNow(world),
  };
}

function startMachine(world: World, vps: Vps): void {
  vps.disk_job = null;
  if (vps.instance !== null) vps.instance = { ...vps.instance, state: "running", updated_at: isoNow(world) };
  vps.ip_addresses = [newIpv4(world)];
}

function bindHardware(world: World, server: Dedicated): void {
  server.hardware = {
    name: `rack-${server.id.slice(0, 8)}`,
    manufacturer: "Practice Metal",
    model: "PM-1",
    specs: server.specs ?? {},
    status: "in_use",
  };
  server.power_state = "on";
  server.provision_state = "active";
  server.os_installation = "completed";
  server.ip_addresses = [newIpv4(world)];
}

/** A failed dedicated build stays pending while the operator runs it again: only its order shows the failure. A VPS says what went wrong. */
function failBuild(world: World, service: Service): void {
  const code = world.settings.buildFailure ?? "unknown";
  service.failure = { code, message: failureMessages[code] };
  if (service.kind === "dedicated") {
    changeStatus(world, service, "pending");
    return;
  }
  if (service.kind === "vps") {
    service.instance = null;
    service.disk_job = null;
  }
  changeStatus(world, service, "provisioning_failed");
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
