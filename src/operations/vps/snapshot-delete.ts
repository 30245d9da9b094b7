import { defineOperation } from "../../operation/define.ts";
import { nameIs, timeIs } from "../../operation/preconditions.ts";
import { deleteSnapshot, listSnapshots } from "../../platform/customer/snapshots.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { code, oneLine } from "../../views/text.ts";
import {
  destroysBySnapshot,
  findSnapshot,
  presentSnapshot,
  snapshotHandle,
  snapshotPace,
  snapshotProgress,
} from "./snapshots.ts";

export const snapshotDelete = defineOperation({
  ...destroysBySnapshot,
  command: "vps snapshot delete",
  summary: "Delete a snapshot of a VPS",
  act: deleteSnapshot,
  reads: [listSnapshots, readVps],
  verb: "Delete snapshot",
  async review({ client, target, input }) {
    const found = await presentSnapshot(client, target.id, input.snapshot);
    return {
      press: `Delete snapshot ${oneLine(found.name)}`,
      back: `Keep ${oneLine(found.name)}`,
      consequence: `The snapshot ${code(found.name)} of ${code(target.name)} is deleted: nothing can be restored from it again.`,
      preconditions: {
        snapshot: nameIs("Snapshot", found.name),
        taken: timeIs("Taken", found.created_at),
      },
      shown: [{ label: "State", value: found.status }],
      before: found.name,
    };
  },
  async run({ client, target, input }) {
    const found = await findSnapshot(client, target.id, input.snapshot);
    await deleteSnapshot(client, target.id, input.snapshot);
    const name = found?.name ?? input.snapshot;
    return { text: `Deleting the snapshot ${code(name)}. There is no way back.`, handle: { id: input.snapshot, name } };
  },
  async reconcile({ client, target, input }, { before }) {
    const found = await findSnapshot(client, target.id, input.snapshot);
    if (!found) return { is: "done", text: "the snapshot is gone." };
    if (found.status === "deleting")
      return { is: "done", text: "it is being deleted.", handle: { id: found.id, name: String(before) } };
    return { is: "not done", text: "the snapshot is still there." };
  },
  follow: {
    ...snapshotPace,
    handle: snapshotHandle,
    async poll({ client, targetId }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found) return { state: "done", text: `The snapshot ${code(name)} is deleted.` };
      return snapshotProgress(found, `Deleting the snapshot ${code(name)}.`, {
        state: "failed",
        text: `The snapshot ${code(name)} is still there: the platform gave the deletion up.`,
      });
    },
  },
});
