import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, conflict, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type GameBackup, mostGameBackups } from "../../programme/game.ts";
import { shapeOf } from "../../world/shapes.ts";
import { isoNow } from "../../world/world.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { acted, gameOf, path, refuseWithoutRuntime, stateOf } from "./server.ts";

const all = `${path}/backups`;
const one = `${all}/{gameBackupId}`;

// The spec does not show if a change names its backup in the path or in its body: both are served.
export const gameBackupRoutes: Route[] = [
  { method: "GET", path: all, scope: "read", handle: list },
  { method: "POST", path: all, scope: "services", handle: create },
  { method: "PATCH", path: all, scope: "services", handle: change },
  { method: "PATCH", path: one, scope: "services", handle: change },
  { method: "DELETE", path: one, scope: "destructive", handle: remove },
  { method: "POST", path: `${one}/restore`, scope: "destructive", handle: restore },
];

function list(call: Call) {
  const service = gameOf(call);
  const { backups } = stateOf(call, service);
  return ok(shapeOf(call, service.id, 2) === 0 ? { backups, limit: mostGameBackups } : backups);
}

const createBody = z.object({ name: z.string().min(1).max(120).optional() });

function create(call: Call) {
  const service = acted(call);
  const server = stateOf(call, service);
  refuseWithoutRuntime(service);
  const { name } = readBody(call, createBody);
  if (server.backups.length >= mostGameBackups) throw conflict(`The server keeps at most ${mostGameBackups} backups`);
  const created_at = isoNow(call.world);
  const backup: GameBackup = {
    id: randomUUID(),
    name: name ?? `backup ${created_at.slice(0, 16)}`,
    locked: false,
    size_bytes: 0,
    status: "running",
    created_at,
  };
  server.backups.unshift(backup);
  call.world.jobs.start("backup", service.id, (failed) => {
    backup.status = failed ? "failed" : "complete";
    backup.size_bytes = failed ? 0 : 51_000_000;
  });
  return success(201, { backup });
}

const changeBody = z.object({
  id: z.string().optional(),
  backupId: z.string().optional(),
  name: z.string().min(1).max(120).optional(),
  locked: z.boolean().optional(),
});

function change(call: Call) {
  acted(call);
  const { id, backupId, name, locked } = readBody(call, changeBody);
  const named = call.params.gameBackupId ?? id ?? backupId;
  if (named === undefined) throw badField("id", "id is required");
  const backup = backupOf(call, named);
  if (name !== undefined) backup.name = name;
  if (locked !== undefined) backup.locked = locked;
  return ok({ backup });
}

function remove(call: Call) {
  const server = stateOf(call, acted(call));
  const backup = backupOf(call, param(call, "gameBackupId"));
  if (backup.locked) throw conflict("The backup is locked");
  server.backups = server.backups.filter((other) => other !== backup);
  return ok({ deleted: true });
}

/** Overwrites the server's files. */
function restore(call: Call) {
  const service = acted(call);
  refuseWithoutRuntime(service);
  const backup = backupOf(call, param(call, "gameBackupId"));
  if (backup.status !== "complete") throw conflict("The backup is not complete");
  service.game.state = "stopped";
  call.world.jobs.start("restore", service.id, () => {
    service.game.state = "running";
  });
  return ok({ backup_id: backup.id, pending: true });
}

function backupOf(call: Call, id: string): GameBackup {
  const backup = stateOf(call, gameOf(call)).backups.find((other) => other.id === id);
  if (backup === undefined) throw notFound("Backup");
  return backup;
}
