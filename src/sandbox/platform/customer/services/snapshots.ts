import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, conflict, forbidden, notFound, Refusal } from "../../http/refusal.ts";
import { refuseDuringDiskJob, setMachineState } from "../../provisioning/hypervisor.ts";
import type { Snapshot, Vps } from "../../world/service.ts";
import { isoNow, type World } from "../../world/world.ts";
import { refuseOutOfService, vpsOf } from "../request/access.ts";
import { type Call, param, type Route, readBody } from "../request/call.ts";
import { ok, success } from "../request/envelope.ts";

const path = "/vps/{id}/snapshots";
const shared = { module: "native_vps" } as const;
const write = { ...shared, scope: "services", permission: "services.manage" } as const;

export const snapshotRoutes: Route[] = [
  { ...shared, method: "GET", path, scope: "read", permission: "services.view", handle: list },
  { ...write, method: "POST", path, handle: create },
  { ...write, method: "DELETE", path: `${path}/{snapshotId}`, handle: remove },
  { ...write, method: "POST", path: `${path}/{snapshotId}/revert`, handle: revert },
];

function list(call: Call) {
  const vps = offered(call);
  const snapshots = vps.snapshots.map((snapshot) => snapshotRow(vps, snapshot));
  return ok({ snapshots, used: vps.snapshots.length, max: vps.snapshots_max });
}

const createBody = z.object({
  name: z
    .string("name is required")
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, "name must be 1 to 120 letters, digits, dots, hyphens or underscores"),
  description: z.string().nullish(),
});

function create(call: Call) {
  const { world } = call;
  const vps = offered(call);
  const { name, description } = readBody(call, createBody);
  const reserved = world.settings.reservedSnapshotPrefixes.find((prefix) => name.startsWith(prefix));
  if (reserved !== undefined) throw badField("name", `Names that start with ${reserved} are reserved`);
  if (vps.snapshots.length >= vps.snapshots_max) throw conflict("The maximum number of snapshots is reached");
  if (vps.snapshots.some((snapshot) => snapshot.name === name)) throw conflict("This name is already used");
  refuseUnlessDiskIsFree(world, vps);

  const snapshot: Snapshot = {
    id: randomUUID(),
    name,
    description: description ?? null,
    status: "creating",
    size_bytes: null,
    crash_consistent: null,
    created_at: isoNow(world),
    completed_at: null,
    error: null,
    missing: false,
  };
  vps.snapshots.push(snapshot);
  const job = startDiskJob(world, vps, "snapshot", (failed) => {
    snapshot.completed_at = isoNow(world);
    if (failed) return fail(snapshot, "The host could not take the snapshot");
    snapshot.status = "available";
    snapshot.size_bytes = 65_536;
    snapshot.crash_consistent = vps.instance?.state !== "running" ? false : vps.snapshots.length % 2 === 0;
  });
  const { id, status } = snapshot;
  return success(201, { snapshot: { id, name, status }, pending: true, job_id: job });
}

function remove(call: Call) {
  const vps = offered(call);
  const snapshot = snapshotOf(call, vps);
  if (inProgress(snapshot)) throw conflict("The snapshot is busy");
  refuseUnlessDiskIsFree(call.world, vps);
  snapshot.status = "deleting";
  startDiskJob(call.world, vps, "snapshot-delete", (failed) => {
    if (failed) return fail(snapshot, "The host could not delete the snapshot");
    vps.snapshots = vps.snapshots.filter((one) => one !== snapshot);
  });
  return ok({ snapshot: { id: snapshot.id, name: snapshot.name, status: snapshot.status }, pending: true });
}

const revertBody = z.object({ confirm: z.string().optional() });

function revert(call: Call) {
  const { world } = call;
  const vps = offered(call);
  const snapshot = snapshotOf(call, vps);
  const { confirm } = readBody(call, revertBody);
  const lost = newerThan(vps, snapshot).map((one) => one.name);
  if (confirm !== snapshot.name) throw badField("confirm", unconfirmed(snapshot.name, lost));
  if (snapshot.status !== "available") throw conflict("The snapshot is not available");
  if (snapshot.missing) throw conflict("The snapshot is missing on the host");
  refuseUnlessDiskIsFree(world, vps);

  const comesBackRunning = vps.instance?.state === "running";
  snapshot.status = "reverting";
  setMachineState(world, vps, "stopped");
  startDiskJob(world, vps, "revert", (failed) => {
    if (failed) return fail(snapshot, "The host could not restore the snapshot");
    vps.snapshots = vps.snapshots.filter((one) => !lost.includes(one.name));
    snapshot.status = "available";
    setMachineState(world, vps, comesBackRunning ? "running" : "stopped");
  });
  return ok({ snapshot: { id: snapshot.id, name: snapshot.name, status: snapshot.status }, pending: true });
}

function unconfirmed(name: string, lost: string[]): string {
  const also = lost.length === 0 ? "" : ` and these newer snapshots: ${lost.join(", ")}`;
  return `confirm must be the snapshot's own name, ${name}. Lost will be everything written since${also}.`;
}

/** The VPS that `{id}` names, when snapshots are to be had on it: state first, then capability; for the list, too. */
function offered(call: Call): Vps {
  const vps = vpsOf(call);
  refuseOutOfService(vps);
  if (!vps.capabilities.snapshots) throw forbidden("Snapshots are not available for this server");
  return vps;
}

function snapshotOf(call: Call, vps: Vps): Snapshot {
  const id = param(call, "snapshotId").toLowerCase();
  const snapshot = vps.snapshots.find((one) => one.id === id);
  if (snapshot === undefined) throw notFound("Snapshot");
  return snapshot;
}

function refuseUnlessDiskIsFree(world: World, vps: Vps): void {
  if (vps.instance === null || vps.instance.state === "creating") throw conflict("The machine is still being built");
  if (vps.instance.state === "migrating") throw conflict("The machine is migrating");
  refuseDuringDiskJob(vps);
  if (world.settings.hypervisorDown) throw new Refusal(503, "PROVIDER_UNAVAILABLE", "The host could not be reached");
}

function startDiskJob(
  world: World,
  vps: Vps,
  kind: "snapshot" | "snapshot-delete" | "revert",
  end: (failed: boolean) => void,
): string {
  vps.disk_job = "snapshot";
  return world.jobs.start(kind, vps.id, (failed) => {
    vps.disk_job = null;
    end(failed);
  }).id;
}

function fail(snapshot: Snapshot, why: string): void {
  snapshot.status = "error";
  snapshot.error = why;
}

function inProgress(snapshot: Snapshot): boolean {
  return ["creating", "reverting", "deleting"].includes(snapshot.status);
}

/** Restoring one destroys every newer one. */
function newerThan(vps: Vps, snapshot: Snapshot): Snapshot[] {
  return vps.snapshots.filter((one) => one.created_at > snapshot.created_at);
}

function snapshotRow(vps: Vps, snapshot: Snapshot) {
  const { missing, error, ...shown } = snapshot;
  return {
    ...shown,
    has_memory: false,
    restorable: snapshot.status === "available" && !missing && vps.disk_job === null,
    in_progress: inProgress(snapshot),
    destroys_on_restore: newerThan(vps, snapshot).map((one) => one.name),
    comes_back_running: vps.instance?.state === "running",
    ...(error === null ? {} : { error }),
  };
}
