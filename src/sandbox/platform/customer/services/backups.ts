import { randomUUID } from "node:crypto";
import { conflict, notFound } from "../../http/refusal.ts";
import { refuseDuringDiskJob, setMachineState } from "../../provisioning/hypervisor.ts";
import type { Backup } from "../../world/plugins.ts";
import type { Service, Vps } from "../../world/service.ts";
import { isoNow, type World } from "../../world/world.ts";
import type { Call } from "../request/call.ts";
import { pluginFor, refuseUnlessProviderDoes } from "./plugins.ts";

/** Each plugin has rows of its own; an unreachable one has none to show. */
export function backupsOf(call: Call, service: Service) {
  const plugin = pluginFor(call, service, "backups.list");
  if (!plugin.reachable) return { backups: [] };
  const backups = plugin.backups.get(service.id) ?? [];
  return { backups, available: true };
}

export function createBackup(call: Call, service: Service) {
  const plugin = pluginFor(call, service, "backups.create");
  refuseUnlessProviderDoes(plugin, "backups.create");
  const backup: Backup = {
    id: randomUUID(),
    name: "manual",
    created_at: isoNow(call.world),
    size_mb: 0,
    state: "running",
  };
  plugin.backups.set(service.id, [backup, ...(plugin.backups.get(service.id) ?? [])]);
  const job = call.world.jobs.start("backup", service.id, (failed) => {
    backup.state = failed ? "failed" : "complete";
    backup.size_mb = failed ? 0 : 1200;
  });
  return { backup: { ...backup }, job_id: job, pending: true };
}

export function restoreBackup(call: Call, service: Service, backupId: string) {
  const plugin = pluginFor(call, service, "backups.restore");
  const backup = plugin.backups.get(service.id)?.find((one) => one.id === backupId.toLowerCase());
  if (backup === undefined) throw notFound("Backup");
  refuseUnlessProviderDoes(plugin, "backups.restore");
  if (backup.state !== "complete") throw conflict("The backup is not complete");
  if (service.kind === "vps") {
    refuseDuringDiskJob(service);
    restoreDisk(call.world, service);
  }
  return { backup_id: backup.id, pending: true };
}

function restoreDisk(world: World, vps: Vps): void {
  setMachineState(world, vps, "stopped");
  world.jobs.start("restore", vps.id, (failed) => setMachineState(world, vps, failed ? "error" : "running"));
}
