import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { InputError, NotYet } from "../../operation/errors.ts";
import { nameIs, timeIs } from "../../operation/preconditions.ts";
import { listSnapshots, revertSnapshot, type Snapshot } from "../../platform/customer/snapshots.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { moment } from "../../views/format.ts";
import { code, listing, oneLine } from "../../views/text.ts";
import {
  destroysBySnapshot,
  findSnapshot,
  presentSnapshot,
  snapshotHandle,
  snapshotPace,
  snapshotProgress,
} from "./snapshots.ts";

const Before = z.object({ name: z.string(), destroys: z.array(z.string()) });

export const revert = defineOperation({
  ...destroysBySnapshot,
  command: "vps revert",
  summary: "Put a VPS's disk back to a snapshot; what came after is lost",
  act: revertSnapshot,
  reads: [listSnapshots, readVps],
  // The revert would destroy a snapshot, so back up by capturing an image.
  backupFirst: "vps capture",
  async review({ client, target, input }) {
    const found = await presentSnapshot(client, target.id, input.snapshot);
    if (!found.restorable)
      throw new NotYet(
        `The snapshot ${code(found.name)} cannot be restored now: it is busy, failed, or missing on its host. Nothing was done.`,
      );
    const destroys = found.destroys_on_restore;
    const newer =
      destroys.length > 0
        ? ` The newer snapshot${destroys.length > 1 ? "s" : ""} ${namesOf(destroys)} ${destroys.length > 1 ? "are" : "is"} destroyed as well.`
        : "";
    return {
      press: `Revert ${oneLine(target.name)}`,
      back: `Keep ${oneLine(target.name)} as it is`,
      consequence: `Everything written on ${code(target.name)} since ${moment(found.created_at)} is lost.${newer} This cannot be undone.`,
      preconditions: {
        snapshot: nameIs("Back to", found.name),
        taken: timeIs("Taken", found.created_at),
        destroys: {
          value: destroys,
          label: "Destroys snapshots",
          text: destroys.length > 0 ? namesOf(destroys) : "none",
        },
      },
      shown: [{ label: "Afterwards", value: afterwards(found) }],
      before: { name: found.name, destroys },
    };
  },
  async run({ client, target, input }) {
    const found = await findSnapshot(client, target.id, input.snapshot);
    if (!found) throw new InputError([{ field: "snapshot", message: "That snapshot is gone; nothing was reverted." }]);
    // The platform requires the snapshot's own name as confirmation.
    await revertSnapshot(client, target.id, found.id, found.name);
    return {
      text: `Reverting ${code(target.name)} to ${code(found.name)}.`,
      handle: { id: found.id, name: found.name },
    };
  },
  async reconcile({ client, target, input }, { before }) {
    const was = Before.parse(before);
    const found = await findSnapshot(client, target.id, input.snapshot);
    if (found?.status === "reverting")
      return { is: "done", text: "it is being reverted.", handle: { id: found.id, name: found.name } };
    if (found && was.destroys.length > 0 && found.destroys_on_restore.length === 0)
      return { is: "done", text: "the newer snapshots are gone." };
    if (was.destroys.length > 0) return { is: "not done", text: "the newer snapshots are all there." };
    return { is: "unsure", text: "There was no newer snapshot by which it could be told." };
  },
  follow: {
    ...snapshotPace,
    handle: snapshotHandle,
    async poll({ client, targetId }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone. Look at the machine before you do anything else.`,
        };
      return snapshotProgress(found, `Reverting to ${code(name)}.`, {
        state: "done",
        text: `The disk is as it was in ${code(name)}. ${found.comes_back_running ? "The machine comes back running." : "The machine stays off until it is started."}`,
        next: [
          ...(found.comes_back_running
            ? []
            : [{ label: "Start", command: "vps start", target: targetId, style: "primary" as const }]),
          { label: "Show", command: "vps show", target: targetId },
        ],
      });
    },
  },
});

function namesOf(names: string[]): string {
  return listing(names.map((name) => code(name, 60)));
}

function afterwards({ comes_back_running: running, crash_consistent: crash }: Snapshot): string {
  const power = running ? "It comes back running." : "It stays off until it is started.";
  return crash === true ? `${power} Files may be as after a power cut.` : power;
}
