import { z } from "zod";
import { badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { panelOf } from "../../programme/panel.ts";
import { restoreDisk, takeBackup } from "../../provisioning/backups.ts";
import { deleteSnapshot, restoringOf, revertTo, takeSnapshot } from "../../provisioning/snapshots.ts";
import type { Backup } from "../../world/plugins.ts";
import type { Service, Snapshot, Vps } from "../../world/service.ts";
import { isoNow } from "../../world/world.ts";
import { refuseOutOfService, refuseTerminated, refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { backendOf } from "./capabilities.ts";
import { refuseUnlessProviderAnswers } from "./power.ts";
import { controlled } from "./reinstall.ts";

const path = "/services/{serviceId}/backups";

export const backupRoutes: Route[] = [
  { method: "GET", path, scope: "read", handle: list },
  { method: "POST", path, scope: "services", handle: create },
  { method: "POST", path: `${path}/{backupId}/restore`, scope: "destructive", handle: restore },
  { method: "DELETE", path: `${path}/{backupId}`, scope: "destructive", handle: remove },
];

function list(call: Call) {
  const service = serviceOf(call);
  const vps = nativeVps(call, service);
  if (vps !== null) {
    refuseUnlessSnapshotted(call, vps);
    const snapshots = vps.snapshots.map((one) => snapshotRow(vps, one));
    return ok({ snapshots, used: vps.snapshots.length, max: vps.snapshots_max });
  }
  refuseTerminated(service);
  if (service.kind === "dedicated") return ok({ backups: [] });
  controlled(call, service);
  return ok({ backups: backupsOf(call, service) });
}

const createBody = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, "name must be 1 to 120 letters, digits, dots, hyphens or underscores")
    .optional(),
  description: z.string().nullish(),
});

function create(call: Call) {
  const service = serviceOf(call);
  const { name, description } = readBody(call, createBody);
  const usual = `backup-of-${isoNow(call.world).slice(0, 19).replaceAll(":", "-")}`;
  const vps = nativeVps(call, service);
  if (vps !== null) {
    refuseUnlessSnapshotted(call, vps);
    const named = { name: name ?? usual.replace("backup-of-", "manual-"), description: description ?? null };
    const { snapshot, job } = takeSnapshot(call.world, vps, named);
    return success(201, { snapshot: snapshotRow(vps, snapshot), job_id: job });
  }
  refuseOutOfService(call, service);
  if (service.kind === "dedicated") throw badRequest("A dedicated server has no backups");
  controlled(call, service);
  refuseUnlessProviderAnswers(call, service, "backups.create");
  const { backup } = takeBackup(call.world, service, name ?? usual);
  keepBackups(call, service, [backup, ...backupsOf(call, service)]);
  return success(201, { backup, pending: true });
}

const restoreBody = z.object({ confirm: z.string().optional() });

/** Overwrites the service's data; a VPS loses every newer snapshot. */
function restore(call: Call) {
  const service = serviceOf(call);
  const vps = nativeVps(call, service);
  if (vps !== null) {
    refuseUnlessSnapshotted(call, vps);
    const snapshot = snapshotOf(call, vps);
    revertTo(call.world, vps, snapshot, readBody(call, restoreBody).confirm);
    return ok({ snapshot: snapshotRow(vps, snapshot), pending: true });
  }
  refuseWithheld(call, service);
  const backup = backupOf(call, service);
  refuseUnlessProviderAnswers(call, service, "backups.restore");
  if (backup.state !== "complete") throw conflict("The backup is not complete");
  if (service.kind === "vps") restoreDisk(call.world, service);
  return ok({ backup_id: backup.id, pending: true });
}

function remove(call: Call) {
  const service = serviceOf(call);
  const vps = nativeVps(call, service);
  if (vps !== null) {
    refuseUnlessSnapshotted(call, vps);
    deleteSnapshot(call.world, vps, snapshotOf(call, vps));
    return ok({ pending: true });
  }
  refuseTerminated(service);
  const backup = backupOf(call, service);
  refuseUnlessProviderAnswers(call, service, "backups.delete");
  keepBackups(
    call,
    service,
    backupsOf(call, service).filter((one) => one !== backup),
  );
  return ok({ deleted: true });
}

function nativeVps(call: Call, service: Service): Vps | null {
  return service.kind === "vps" && backendOf(call, service) === "vps" ? service : null;
}

/** The state first, then the supplier's switch; for the list, too. */
function refuseUnlessSnapshotted(call: Call, vps: Vps): void {
  refuseOutOfService(call, vps);
  if (vps.status !== "active") throw forbidden(`The service is ${vps.status}`);
  if (!vps.capabilities.snapshots) throw forbidden("Snapshots are switched off for this product");
}

function snapshotOf(call: Call, vps: Vps): Snapshot {
  const snapshot = vps.snapshots.find(({ id }) => id === param(call, "backupId").toLowerCase());
  if (snapshot === undefined) throw notFound("Snapshot");
  return snapshot;
}

function snapshotRow(vps: Vps, snapshot: Snapshot) {
  const { id, name, description, status, size_bytes, crash_consistent, created_at } = snapshot;
  return {
    id,
    name,
    description,
    status,
    size_bytes,
    crash_consistent,
    created_at,
    ...restoringOf(vps, snapshot),
  };
}

/** Each provider stores its own backups; one that does not answer shows none. */
function backupsOf(call: Call, service: Service): Backup[] {
  const plugin = call.world.plugins.get(service.provider);
  if (plugin === undefined) return panelOf(call.partner, service.id).backups;
  return plugin.reachable ? (plugin.backups.get(service.id) ?? []) : [];
}

function keepBackups(call: Call, service: Service, backups: Backup[]): void {
  const plugin = call.world.plugins.get(service.provider);
  if (plugin === undefined) panelOf(call.partner, service.id).backups = backups;
  else plugin.backups.set(service.id, backups);
}

function backupOf(call: Call, service: Service): Backup {
  const backup = backupsOf(call, service).find(({ id }) => id === param(call, "backupId").toLowerCase());
  if (backup === undefined) throw notFound("Backup");
  return backup;
}
