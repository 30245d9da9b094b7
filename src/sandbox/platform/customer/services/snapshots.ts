import { z } from "zod";
import { forbidden, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { deleteSnapshot, restoringOf, revertTo, takeSnapshot } from "../../provisioning/snapshots.ts";
import type { Snapshot, Vps } from "../../world/service.ts";
import { refuseOutOfService, vpsOf } from "../request/access.ts";
import { type Call, managing, type Route, readBody, viewing } from "../request/call.ts";

const path = "/vps/{id}/snapshots";
const write = { ...managing, module: "native_vps" } as const;

export const snapshotRoutes: Route[] = [
  { ...viewing, module: "native_vps", path, handle: list },
  { ...write, path, handle: create },
  { ...write, method: "DELETE", path: `${path}/{snapshotId}`, handle: remove },
  { ...write, path: `${path}/{snapshotId}/revert`, handle: revert },
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
  const vps = offered(call);
  const { name, description } = readBody(call, createBody);
  const { snapshot, job } = takeSnapshot(call.world, vps, { name, description: description ?? null });
  return success(201, { snapshot: started(snapshot), pending: true, job_id: job });
}

function remove(call: Call) {
  const vps = offered(call);
  const snapshot = snapshotOf(call, vps);
  deleteSnapshot(call.world, vps, snapshot);
  return ok({ snapshot: started(snapshot), pending: true });
}

const revertBody = z.object({ confirm: z.string().optional() });

function revert(call: Call) {
  const vps = offered(call);
  const snapshot = snapshotOf(call, vps);
  revertTo(call.world, vps, snapshot, readBody(call, revertBody).confirm);
  return ok({ snapshot: started(snapshot), pending: true });
}

function started({ id, name, status }: Snapshot) {
  return { id, name, status };
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

function snapshotRow(vps: Vps, snapshot: Snapshot) {
  const { missing, error, ...shown } = snapshot;
  return {
    ...shown,
    has_memory: false,
    ...restoringOf(vps, snapshot),
    ...(error === null ? {} : { error }),
  };
}
