import { randomUUID } from "node:crypto";
import { badField, conflict } from "../http/refusal.ts";
import type { Snapshot, Vps } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { refuseDuringDiskJob, refuseWhileHostIsDown, setMachineState } from "./hypervisor.ts";

/** Takes a snapshot, as long as the product's number is not reached; gives it with the id of its job. */
export function takeSnapshot(world: World, vps: Vps, named: { name: string; description: string | null }) {
  const reserved = world.settings.reservedSnapshotPrefixes.find((prefix) => named.name.startsWith(prefix));
  if (reserved !== undefined) throw badField("name", `Names that start with ${reserved} are reserved`);
  if (vps.snapshots.length >= vps.snapshots_max) throw conflict("The maximum number of snapshots is reached");
  if (vps.snapshots.some(({ name }) => name === named.name)) throw conflict("This name is already used");
  refuseUnlessDiskIsFree(world, vps);
  const snapshot: Snapshot = {
    id: randomUUID(),
    ...named,
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
  return { snapshot, job };
}

export function deleteSnapshot(world: World, vps: Vps, snapshot: Snapshot): void {
  if (inProgress(snapshot)) throw conflict("The snapshot is busy");
  refuseUnlessDiskIsFree(world, vps);
  snapshot.status = "deleting";
  startDiskJob(world, vps, "snapshot-delete", (failed) => {
    if (failed) return fail(snapshot, "The host could not delete the snapshot");
    vps.snapshots = vps.snapshots.filter((one) => one !== snapshot);
  });
}

/** Goes back to a snapshot; `confirm` is its own name, and every newer one is lost. */
export function revertTo(world: World, vps: Vps, snapshot: Snapshot, confirm: string | undefined): void {
  const lost = newerThan(vps, snapshot).map(({ name }) => name);
  if (confirm !== snapshot.name) throw badField("confirm", unconfirmed(snapshot.name, lost));
  if (snapshot.status !== "available") throw conflict("The snapshot is not available");
  if (snapshot.missing) throw conflict("The snapshot is missing on the host");
  refuseUnlessDiskIsFree(world, vps);
  const comesBackRunning = vps.instance?.state === "running";
  snapshot.status = "reverting";
  setMachineState(world, vps, "stopped");
  startDiskJob(world, vps, "revert", (failed) => {
    if (failed) return fail(snapshot, "The host could not restore the snapshot");
    vps.snapshots = vps.snapshots.filter(({ name }) => !lost.includes(name));
    snapshot.status = "available";
    setMachineState(world, vps, comesBackRunning ? "running" : "stopped");
  });
}

function unconfirmed(name: string, lost: string[]): string {
  const also = lost.length === 0 ? "" : ` and these newer snapshots: ${lost.join(", ")}`;
  return `confirm must be the snapshot's own name, ${name}. Lost will be everything written since${also}.`;
}

/** The fields of a snapshot's row that say if it can be restored now, and with which effect. */
export function restoringOf(vps: Vps, snapshot: Snapshot) {
  return {
    restorable: snapshot.status === "available" && !snapshot.missing && vps.disk_job === null,
    in_progress: inProgress(snapshot),
    destroys_on_restore: newerThan(vps, snapshot).map((one) => one.name),
    comes_back_running: vps.instance?.state === "running",
  };
}

function inProgress(snapshot: Snapshot): boolean {
  return ["creating", "reverting", "deleting"].includes(snapshot.status);
}

/** Restoring one destroys every newer one. */
function newerThan(vps: Vps, snapshot: Snapshot): Snapshot[] {
  return vps.snapshots.filter((one) => one.created_at > snapshot.created_at);
}

function refuseUnlessDiskIsFree(world: World, vps: Vps): void {
  if (vps.instance === null || vps.instance.state === "creating") throw conflict("The machine is still being built");
  if (vps.instance.state === "migrating") throw conflict("The machine is migrating");
  refuseDuringDiskJob(vps);
  refuseWhileHostIsDown(world);
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
  });
}

function fail(snapshot: Snapshot, why: string): void {
  snapshot.status = "error";
  snapshot.error = why;
}
