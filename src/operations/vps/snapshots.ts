import * as z from "zod";
import { rowButton } from "../../notifications/answers/buttons.ts";
import type { Progress } from "../../operation/answer.ts";
import type { Choice } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { Chooser } from "../../operation/input.ts";
import type { PollCall } from "../../operation/operation.ts";
import { nameIs, timeIs } from "../../operation/preconditions.ts";
import {
  createSnapshot,
  deleteSnapshot,
  listSnapshots,
  revertSnapshot,
  type Snapshot,
} from "../../platform/customer/snapshots.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, oneLine, prose, sentence } from "../../views/text.ts";
import {
  afterwards,
  CopyHandle,
  consistencyOf,
  copyNamePattern,
  destroysIs,
  IdsBefore,
  lostWithIt,
  requireRestorable,
  snapshotLine,
  snapshotOffer,
  takenButNotRestorable,
} from "../kits/copies.ts";
import { powerSteps } from "../kits/power.ts";
import { isUsable, requireUsable, vps } from "./vps.ts";

/** Snapshots move every few seconds (spec section 6). */
const snapshotPace = { every: 3_000, deadline: 2 * 60 * 60_000 };

/** The snapshots of a machine, as choices. */
const snapshotChoices: Chooser<"customer", Vps> = async ({ client, target }): Promise<Choice[]> => {
  const { snapshots } = await listSnapshots(client, target.id);
  return snapshots.map(({ id, name, created_at, restorable, status }) => ({
    value: id,
    label: name,
    at: created_at,
    ...(restorable ? {} : { description: `${status}, cannot be restored now` }),
  }));
};

/** Common to acts that destroy data with a snapshot. */
const destroysBySnapshot = {
  risk: "destroy",
  target: vps,
  input: z.object({ snapshot: z.string().meta({ title: "Snapshot" }) }),
  choices: { snapshot: snapshotChoices },
  usable: ({ target }: { target: Vps }) => requireUsable(target, "snapshots"),
} as const;

/** The snapshot with that id; undefined if it is gone. */
async function findSnapshot(
  client: PollCall<"customer">["client"],
  vpsId: string,
  id: string,
): Promise<Snapshot | undefined> {
  return (await listSnapshots(client, vpsId)).snapshots.find((snapshot) => snapshot.id === id);
}

/** The snapshot with that id; throws an InputError if it is gone. */
async function presentSnapshot(client: PollCall<"customer">["client"], vpsId: string, id: string): Promise<Snapshot> {
  const found = await findSnapshot(client, vpsId, id);
  if (!found) throw wrongInput("snapshot", "That snapshot is gone.");
  return found;
}

function snapshotsStep(target: string) {
  return { label: "Snapshots", command: "vps snapshots", target };
}

/** The progress of a snapshot's job, while its row exists. */
function snapshotProgress(snapshot: Snapshot, doing: string, done: Progress): Progress {
  if (snapshot.status === "error")
    return {
      state: "failed",
      text: `The snapshot ${code(snapshot.name)} failed: ${failureOf(snapshot)}`,
    };
  return snapshot.in_progress ? { state: "working", text: doing } : done;
}

/** Milliseconds from the start of a snapshot in which another job on the same disk may end. */
const longestOtherJobMs = 10 * 60_000;

/** The platform's reason as a sentence. The description is the member's own text, and no reason. */
function failureOf({ error }: Snapshot): string {
  return error ? sentence(prose(error)) : "the platform gave no reason.";
}

export const snapshots = defineOperation({
  command: "vps snapshots",
  synonyms: ["backups"],
  summary: "List a VPS's snapshots, and the newer ones that restoring each would destroy",
  act: listSnapshots,
  reads: [readVps],
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target, may }) {
    const { snapshots: found, used, max } = await listSnapshots(client, target.id);
    const name = code(target.name);
    if (max === 0) return { text: `The plan of ${name} has no snapshots.` };
    const headline = `${name} has ${used} of ${max} snapshots.`;
    const usable = isUsable(target, "snapshots");
    const operable = usable && may("vps revert");
    const next = usable && used < max ? [{ label: "New snapshot…", command: "vps snapshot", target: target.id }] : [];
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...found.flatMap((snapshot) => row(snapshot, target.id, operable))],
      next,
    };
  },
});

function row(snapshot: Snapshot, target: string, may: boolean): Block[] {
  const { id, destroys_on_restore: destroys, restorable, description } = snapshot;
  const loss =
    destroys.length > 0 ? `Reverting to it destroys ${destroys.map((newer) => code(newer, 40)).join(", ")}.` : "";
  const revert = { command: "vps revert", target, input: { snapshot: id } };
  const accessory = may && restorable ? rowButton("Revert…", revert, id) : undefined;
  const about = description ? `\n${prose(description, 300)}` : "";
  const failed = snapshot.status === "error" ? `It failed: ${failureOf(snapshot)}` : "";
  const notes = [failed, loss].filter((note) => note !== "");
  return [section(`${snapshotLine(snapshot)}${about}`, accessory), ...(notes.length > 0 ? [context(...notes)] : [])];
}

export const snapshot = defineOperation({
  command: "vps snapshot",
  agents: "by rule",
  group: "data",
  synonyms: ["backup"],
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
        copyNamePattern,
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
    const older = IdsBefore.safeParse(before).data?.ids ?? [];
    const { snapshots } = await listSnapshots(client, target.id);
    const found = snapshots.find(({ id, name }) => name === input.name && !older.includes(id));
    if (!found) return { is: "not done", text: "there is no such snapshot." };
    return { is: "done", text: `the snapshot is ${found.status}.`, handle: { id: found.id, name: found.name } };
  },
  follow: {
    ...snapshotPace,
    handle: CopyHandle,
    async poll({ client, targetId, since, now }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone: somebody deleted it, or the platform could not take it.`,
        };
      // A snapshot that cannot be restored is no backup. While another job works on the disk, as the next snapshot, none can be.
      if (!found.in_progress && !found.restorable && found.status !== "error") {
        if (now - since < longestOtherJobMs) return { state: "working", text: `Taking the snapshot ${code(name)}.` };
        return { ...takenButNotRestorable(name), next: [snapshotsStep(targetId)] };
      }
      return snapshotProgress(found, `Taking the snapshot ${code(name)}.`, {
        state: "done",
        text: `The snapshot ${code(name)} is taken.${consistencyOf(found)}`,
        next: [snapshotsStep(targetId)],
      });
    },
  },
});

export const snapshotDelete = defineOperation({
  ...destroysBySnapshot,
  command: "vps snapshot delete",
  summary: "Delete a snapshot of a VPS",
  act: deleteSnapshot,
  reads: [listSnapshots, readVps],
  verb: "Delete snapshot of",
  async review({ client, target, input }) {
    const found = await presentSnapshot(client, target.id, input.snapshot);
    return {
      press: `Delete snapshot ${oneLine(found.name)}`,
      back: `Keep ${oneLine(found.name)}`,
      consequence: `The snapshot ${code(found.name)} of ${code(target.name)} is deleted. Nothing can be restored from it again.`,
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
      return { is: "done", text: "the snapshot is being deleted.", handle: { id: found.id, name: String(before) } };
    return { is: "not done", text: "the snapshot still exists." };
  },
  follow: {
    ...snapshotPace,
    handle: CopyHandle,
    async poll({ client, targetId }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found) return { state: "done", text: `The snapshot ${code(name)} is deleted.` };
      return snapshotProgress(found, `Deleting the snapshot ${code(name)}.`, {
        state: "failed",
        text: `The snapshot ${code(name)} still exists: the platform stopped the deletion.`,
      });
    },
  },
});

const RevertBefore = z.object({ name: z.string(), destroys: z.array(z.string()) });

export const revert = defineOperation({
  ...destroysBySnapshot,
  command: "vps revert",
  synonyms: ["rollback", "restore"],
  summary: "Revert a VPS's disk to a snapshot; everything newer is lost",
  act: revertSnapshot,
  reads: [listSnapshots, readVps],
  // The revert would destroy a snapshot, so back up by capturing an image.
  backupFirst: "vps capture",
  async review({ client, target, input }) {
    const found = await presentSnapshot(client, target.id, input.snapshot);
    requireRestorable(found);
    const destroys = found.destroys_on_restore;
    const newer = lostWithIt(destroys, destroys.length > 1 ? "snapshots " : "snapshot ");
    return {
      press: `Revert ${oneLine(target.name)}`,
      back: `Keep ${oneLine(target.name)} as it is`,
      consequence: `Everything written on ${code(target.name)} since ${moment(found.created_at)} is lost.${newer} This cannot be undone.`,
      preconditions: {
        snapshot: nameIs("Back to", found.name),
        taken: timeIs("Taken", found.created_at),
        destroys: destroysIs("Destroys snapshots", destroys, "none"),
      },
      shown: [
        {
          label: "Afterwards",
          value: `${afterwards(found.comes_back_running)}${found.crash_consistent === true ? " Files may be incomplete, as after a power cut." : ""}`,
        },
      ],
      before: { name: found.name, destroys },
    };
  },
  async run({ client, target, input }) {
    const found = await findSnapshot(client, target.id, input.snapshot);
    if (!found) throw wrongInput("snapshot", "That snapshot is gone; nothing was reverted.");
    // The platform requires the snapshot's own name as confirmation.
    await revertSnapshot(client, target.id, found.id, found.name);
    return {
      text: `Reverting ${code(target.name)} to ${code(found.name)}.`,
      handle: { id: found.id, name: found.name },
    };
  },
  async reconcile({ client, target, input }, { before }) {
    const was = RevertBefore.parse(before);
    const found = await findSnapshot(client, target.id, input.snapshot);
    if (found?.status === "reverting")
      return { is: "done", text: "the disk is being reverted.", handle: { id: found.id, name: found.name } };
    if (found && was.destroys.length > 0 && found.destroys_on_restore.length === 0)
      return { is: "done", text: "the newer snapshots are gone." };
    if (was.destroys.length > 0) return { is: "not done", text: "the newer snapshots are all there." };
    return { is: "unsure", text: "The platform does not show whether the disk was reverted." };
  },
  follow: {
    ...snapshotPace,
    handle: CopyHandle,
    async poll({ client, targetId }, { id, name }) {
      const found = await findSnapshot(client, targetId, id);
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone. Check the machine before you do anything else.`,
        };
      return snapshotProgress(found, `Reverting to ${code(name)}.`, {
        state: "done",
        text: `The disk is as it was in ${code(name)}. ${found.comes_back_running ? "The machine comes back running." : "The machine stays off until it is started."}`,
        next: powerSteps("vps", targetId, found.comes_back_running ? "running" : "stopped"),
      });
    },
  },
});
