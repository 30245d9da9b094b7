import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { ifReadable } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";

const SnapshotStatus = z.enum(["creating", "available", "reverting", "deleting", "error"]);

/** A snapshot of a VPS's disk. Restoring it destroys the newer ones in `destroys_on_restore`. Spec section 2.9. */
export const Snapshot = z.object({
  id: z.string().min(1),
  name: PlainText.refine((name) => name !== ""),
  description: PlainText.nullish(),
  status: SnapshotStatus,
  /** The reason of a failed snapshot. The spec does not show its field name (section 3.3). */
  error: ifReadable(z.string()),
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

/** The snapshots of a VPS, how many of them count, and how many the plan allows (0: the plan has none). */
export const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: z.int().nonnegative(),
  max: z.int().nonnegative(),
});
export type Snapshots = z.infer<typeof Snapshots>;

export const NewSnapshot = z.object({ id: z.string().min(1) });
export type NewSnapshot = z.infer<typeof NewSnapshot>;

/** GET /vps/{id}/snapshots. Spec sections 2.9 and 4.3. */
export const listSnapshots = endpoint(
  "GET /vps/{id}/snapshots",
  (call, id: string): Promise<Snapshots> => call.data({ id }, Snapshots),
);

/** POST /vps/{id}/snapshots: starts a snapshot; poll the list until it is complete. Spec sections 2.8 (the name) and 4.3. */
export const createSnapshot = endpoint(
  "POST /vps/{id}/snapshots",
  async (call, id: string, body: { name: string; description?: string }): Promise<NewSnapshot> =>
    (await call.data({ id }, z.object({ snapshot: NewSnapshot }), { body })).snapshot,
);

/** DELETE /vps/{id}/snapshots/{snapshotId}: runs in the background; the row disappears at the end. Spec sections 3.3 and 4.3. */
export const deleteSnapshot = endpoint(
  "DELETE /vps/{id}/snapshots/{snapshotId}",
  (call, id: string, snapshotId: string): Promise<void> => call.done({ id, snapshotId }),
);

/** POST /vps/{id}/snapshots/{snapshotId}/revert: cannot be undone. `confirm` is the snapshot's own name. Spec sections 2.8 and 4.3. */
export const revertSnapshot = endpoint(
  "POST /vps/{id}/snapshots/{snapshotId}/revert",
  (call, id: string, snapshotId: string, confirm: string): Promise<void> =>
    call.done({ id, snapshotId }, { body: { confirm } }),
);
