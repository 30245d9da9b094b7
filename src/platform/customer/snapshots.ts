import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";

const SnapshotStatus = z.enum(["creating", "available", "reverting", "deleting", "error"]);

/** A snapshot of a VPS's disk. `destroys_on_restore` names the newer ones that restoring this one destroys. Spec section 2.9. */
export const Snapshot = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().nullish(),
  status: SnapshotStatus,
  /** One in error carries its reason; under which name, the spec does not show (section 3.3). */
  error: z.string().nullish().catch(null),
  size_bytes: z.number().nonnegative().nullish(),
  restorable: z.boolean(),
  in_progress: z.boolean(),
  crash_consistent: z.boolean().nullish(),
  destroys_on_restore: z.array(z.string()),
  comes_back_running: z.boolean(),
  created_at: DateTime,
  completed_at: DateTime.nullish(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The snapshots of a VPS, how many of them count, and how many the plan allows (0: it has none). */
export const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: z.int().nonnegative(),
  max: z.int().nonnegative(),
});
export type Snapshots = z.infer<typeof Snapshots>;

export const NewSnapshot = z.object({ id: z.string().min(1), name: z.string(), status: SnapshotStatus });
export type NewSnapshot = z.infer<typeof NewSnapshot>;

/** GET /vps/{id}/snapshots. Spec sections 2.9 and 4.3. */
export async function listSnapshots(client: CustomerClient, id: string): Promise<Snapshots> {
  return (await client.get(path("/vps/{id}/snapshots", { id }), data(Snapshots))).data;
}

/** POST /vps/{id}/snapshots: starts one; poll the list for its end. Spec sections 2.8 (the name) and 4.3. */
export async function createSnapshot(
  client: CustomerClient,
  id: string,
  snapshot: { name: string; description?: string },
): Promise<NewSnapshot> {
  const made = await client.send(
    "POST",
    path("/vps/{id}/snapshots", { id }),
    data(z.object({ snapshot: NewSnapshot })),
    snapshot,
  );
  return made.data.snapshot;
}

/** DELETE /vps/{id}/snapshots/{snapshotId}: it works on in the background; the row disappears at the end. Spec sections 3.3 and 4.3. */
export async function deleteSnapshot(client: CustomerClient, id: string, snapshotId: string): Promise<void> {
  await client.send("DELETE", path("/vps/{id}/snapshots/{snapshotId}", { id, snapshotId }), done);
}

/** POST /vps/{id}/snapshots/{snapshotId}/revert: cannot be undone. `confirm` is the snapshot's own name. Spec sections 2.8 and 4.3. */
export async function revertSnapshot(
  client: CustomerClient,
  id: string,
  snapshotId: string,
  confirm: string,
): Promise<void> {
  await client.send("POST", path("/vps/{id}/snapshots/{snapshotId}/revert", { id, snapshotId }), done, { confirm });
}
