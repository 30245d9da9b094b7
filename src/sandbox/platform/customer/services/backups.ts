import { conflict, notFound } from "../../http/refusal.ts";
import { restoreDisk, takeBackup } from "../../provisioning/backups.ts";
import { refuseDuringDiskJob } from "../../provisioning/hypervisor.ts";
import type { Service } from "../../world/service.ts";
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
  const { backup, job } = takeBackup(call.world, service, "manual");
  plugin.backups.set(service.id, [backup, ...(plugin.backups.get(service.id) ?? [])]);
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
