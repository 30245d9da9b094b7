import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../fields.ts";
import { done, ifReadable, inData } from "../http/data.ts";
import { endpoint } from "./client.ts";

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
const Snapshots = z.object({
  snapshots: z.array(Snapshot),
  used: z.int().nonnegative(),
  max: z.int().nonnegative(),
});

const NewSnapshot = z.object({ id: z.string().min(1) });

export const listSnapshots = endpoint("GET /vps/{id}/snapshots", "read", "2.9, 4.3", inData(Snapshots));

/** Starts a snapshot; poll the list until it is complete. Section 2.8 has the form of the name. */
export const createSnapshot = endpoint(
  "POST /vps/{id}/snapshots",
  "services",
  "2.8, 4.3",
  inData(NewSnapshot, "snapshot"),
  {
    sends: (body: { name: string; description?: string }) => ({ body }),
  },
);

/** Runs in the background; the row disappears at the end. */
export const deleteSnapshot = endpoint("DELETE /vps/{id}/snapshots/{snapshotId}", "services", "3.3, 4.3", done, {
  removes: true,
});

/** Cannot be undone. `confirm` is the snapshot's own name. */
export const revertSnapshot = endpoint("POST /vps/{id}/snapshots/{snapshotId}/revert", "services", "2.8, 4.3", done, {
  sends: (confirm: string) => ({ body: { confirm } }),
  removes: true,
});
