import { randomUUID } from "node:crypto";
import type { Backup } from "../world/plugins.ts";
import type { Service, Vps } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { setMachineState } from "./hypervisor.ts";

/** Begins a backup at the provider of a service; gives it with the id of its job. */
export function takeBackup(world: World, service: Service, name: string): { backup: Backup; job: string } {
  const backup: Backup = { id: randomUUID(), name, created_at: isoNow(world), size_mb: 0, state: "running" };
  const job = world.jobs.start("backup", service.id, (failed) => {
    backup.state = failed ? "failed" : "complete";
    backup.size_mb = failed ? 0 : 1200;
  });
  return { backup, job };
}

/** Overwrites a machine's disk with a backup. */
export function restoreDisk(world: World, vps: Vps): void {
  setMachineState(world, vps, "stopped");
  world.jobs.start("restore", vps.id, (failed) => setMachineState(world, vps, failed ? "error" : "running"));
}
