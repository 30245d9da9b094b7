import * as z from "zod";
import type { BackupOffer } from "../../operation/backup.ts";
import { defineOperation } from "../../operation/define.ts";
import { createSnapshot, listSnapshots, type Snapshot } from "../../platform/customer/snapshots.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";
import { findSnapshot, snapshotHandle, snapshotPace, snapshotProgress } from "./snapshots.ts";
import { requireUsable, vps } from "./vps.ts";

/** Spec section 2.8. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

const Before = z.object({ ids: z.array(z.string()) });

export const snapshot = defineOperation({
  command: "vps snapshot",
  summary: "Take a snapshot of a VPS's disk",
  act: createSnapshot,
  reads: [listSnapshots, readVps],
  risk: "change",
  target: vps,
  bulk: true,
  input: z.object({
    name: z
      .string()
      .regex(
        namePattern,
        "letters, digits, dots, dashes and underscores only, beginning with a letter or digit, at most 120.",
      )
      .meta({ title: "Name of the snapshot", description: "Such as before-upgrade" }),
    description: z.string().max(500).optional().meta({ title: "Description" }),
  }),
  usable: ({ target }) => requireUsable(target, "snapshots"),
  copy: {
    label: "Snapshot first",
    step: "Take a snapshot of the disk",
    async offer({ client, target }) {
      if (target.capabilities?.snapshots !== true) return null;
      const { snapshots, used, max } = await listSnapshots(client, target.id);
      return used < max ? snapshotOffer(target.name, snapshots) : null;
    },
  },
  before: async ({ client, target }) => ({
    ids: (await listSnapshots(client, target.id)).snapshots.map(({ id }) => id),
  }),
  async run({ client, target, input }) {
    const { name, description } = input;
    const made = await createSnapshot(client, target.id, { name, ...(description ? { description } : {}) });
    return {
      text: `Taking the snapshot ${code(made.name)} of ${code(target.name)}.`,
      handle: { id: made.id, name: made.name },
    };
  },
  async reconcile({ client, target, input }, { before }) {
    // An older snapshot of that name is not this one: taken for a fresh backup, it would let the disk be erased after it.
    const older = Before.safeParse(before).data?.ids ?? [];
    const { snapshots } = await listSnapshots(client, target.id);
    const found = snapshots.find(({ id, name }) => name === input.name && !older.includes(id));
    if (!found) return { is: "not done", text: "there is no such snapshot." };
    return { is: "done", text: `the snapshot is ${found.status}.`, handle: { id: found.id, name: found.name } };
  },
  follow: {
    ...snapshotPace,
    handle: snapshotHandle,
    async poll({ client, targetId }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone: somebody deleted it, or it could not be taken.`,
        };
      // A snapshot that cannot be restored is no backup, whatever its state is called.
      if (!found.in_progress && !found.restorable && found.status !== "error")
        return { state: "failed", text: `The snapshot ${code(name)} is ${found.status} and cannot be restored.` };
      const consistency =
        found.crash_consistent === true
          ? " The system could not be frozen, so it restores like after a power cut."
          : "";
      return snapshotProgress(found, `Taking the snapshot ${code(name)}.`, {
        state: "done",
        text: `The snapshot ${code(name)} is taken.${consistency}`,
        next: [{ label: "Snapshots", command: "vps snapshots", target: targetId }],
      });
    },
  },
});

/** The texts about a snapshot that runs before a change of plan. */
export function snapshotOffer(
  name: string,
  snapshots: Pick<Snapshot, "name" | "created_at" | "restorable">[],
): BackupOffer {
  const [newest] = snapshots
    .filter(({ restorable }) => restorable)
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  return {
    words: `takes a snapshot of the disk of ${code(name)} before anything else is done. It is a way back for the disk, not for the plan: what is written after it is lost by going back to it.`,
    brief: "First a snapshot of its disk is taken: a way back for the disk, not for the plan.",
    newest: newest ? { name: newest.name, at: Date.parse(newest.created_at) } : null,
  };
}
