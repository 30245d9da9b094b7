import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import { doneIf, type Progress } from "../../operation/answer.ts";
import type { TargetContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { Chooser } from "../../operation/input.ts";
import { nameIs, timeIs } from "../../operation/preconditions.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { Vps } from "../../platform/customer/vps.ts";
import {
  createSnapshot,
  deleteSnapshot,
  listSnapshots,
  revertSnapshot,
  type Snapshot,
} from "../../platform/customer/vps.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, prose, reasonWords } from "../../views/text.ts";
import { headed } from "../kits/card.ts";
import {
  afterwards,
  CopyHandle,
  consistencyOf,
  copiesIn,
  copyEffects,
  copyNamePattern,
  destroysIs,
  IdsBefore,
  jobProgress,
  longestUnshownMs,
  lostWithIt,
  requireRestorable,
  restoreBegun,
  restored,
  restoreEffects,
  restoreOutcome,
  snapshotFirst,
  snapshotLine,
  snapshotOffer,
  takingProgress,
} from "../kits/copies.ts";
import { powerSteps } from "../kits/power.ts";
import { isUsable, requireUsable, vps } from "./vps.ts";

async function readSnapshots(client: CustomerClient, vpsId: string): Promise<Snapshot[]> {
  return (await listSnapshots(client, vpsId)).snapshots;
}

const { find, present } = copiesIn<"customer", Snapshot>("snapshot", readSnapshots);

const snapshotChoices: Chooser<"customer", Vps> = async ({ client, target }) =>
  (await readSnapshots(client, target.id)).map(({ id, name, created_at, restorable, status }) => ({
    value: id,
    label: name,
    at: created_at,
    ...(restorable ? {} : { description: `${status}, cannot be restored now` }),
  }));

/** The members of every act on snapshots. */
const common = {
  target: vps,
  usable: ({ target }: TargetContext<"customer", Vps>) => requireUsable(target, "snapshots"),
};

/** The members of an act that destroys data with a snapshot. */
const destroysBySnapshot = {
  ...common,
  risk: "destroy",
  reads: [listSnapshots],
  input: z.object({ snapshot: z.string().meta({ title: "Snapshot" }) }),
  choices: { snapshot: snapshotChoices },
} as const;

/** Snapshots move every few seconds (spec section 6). */
const pace = { every: 3_000, deadline: 2 * 60 * 60_000, handle: CopyHandle };

function snapshotsStep(target: string) {
  return { label: "Snapshots", command: "vps snapshots", target };
}

/** The platform's reason as a sentence. The description is the member's own text, and no reason. */
function failureOf({ error }: Snapshot): string {
  return reasonWords(error);
}

function failed(snapshot: Snapshot): Progress {
  return { state: "failed", text: `The snapshot ${code(snapshot.name)} failed: ${failureOf(snapshot)}` };
}

export const snapshots = defineOperation({
  command: "vps snapshots",
  synonyms: ["backups"],
  summary: "List a VPS's snapshots, and the newer ones that restoring each would destroy",
  example: "/vps snapshots web-1",
  act: listSnapshots,
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target, may, name }) {
    const { snapshots: found, used, max } = await listSnapshots(client, target.id);
    if (max === 0) return { text: `The plan of ${name} has no snapshots.` };
    const usable = isUsable(target, "snapshots");
    const operable = usable && may("vps revert");
    return {
      ...headed(
        `${name} has ${used} of ${max} snapshots.`,
        found.flatMap((snapshot) => row(snapshot, target.id, operable)),
      ),
      next: usable && used < max ? [{ label: "New snapshot…", command: "vps snapshot", target: target.id }] : [],
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
  const failure = snapshot.status === "error" ? `It failed: ${failureOf(snapshot)}` : "";
  const notes = [failure, loss].filter((note) => note !== "");
  return [section(`${snapshotLine(snapshot)}${about}`, accessory), ...(notes.length > 0 ? [context(...notes)] : [])];
}

export const snapshot = defineOperation({
  ...common,
  command: "vps snapshot",
  agents: "by rule",
  group: "data",
  synonyms: ["backup"],
  summary: "Take a snapshot of a VPS's disk",
  example: "/vps snapshot web-2 name=before-upgrade",
  act: createSnapshot,
  reads: [listSnapshots],
  risk: "change",
  effects: copyEffects,
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
  copy: {
    ...snapshotFirst,
    async offer({ client, target }) {
      if (target.capabilities === null) return "unknown";
      if (!target.capabilities.snapshots) return null;
      const { snapshots: found, used, max } = await listSnapshots(client, target.id);
      return used < max ? snapshotOffer(target.name, found) : null;
    },
  },
  before: async ({ client, target }) => ({ ids: (await readSnapshots(client, target.id)).map(({ id }) => id) }),
  async run({ client, target, input: { name: called, description }, name }) {
    const body = { name: called, ...(description ? { description } : {}) };
    const { id } = await createSnapshot(client, target.id, body);
    return { text: `Taking the snapshot ${code(called)} of ${name}.`, handle: { id, name: called } };
  },
  async reconcile({ client, target, input }, { before }) {
    // An older snapshot of that name is not this one: taken for a fresh backup, it would let the disk be erased after it.
    const older = IdsBefore.safeParse(before).data?.ids ?? [];
    const found = (await readSnapshots(client, target.id)).find(
      ({ id, name }) => name === input.name && !older.includes(id),
    );
    if (!found) return { is: "not done", text: "there is no such snapshot." };
    return {
      is: "done",
      text: `the snapshot is ${found.status}.`,
      handle: { id: found.id, name: characters(found.name) },
    };
  },
  follow: {
    ...pace,
    async poll({ client, targetId, since, now }, { id, name }) {
      const found = await find(client, targetId, id);
      const working = `Taking the snapshot ${code(name)}.`;
      if (!found && now - since <= longestUnshownMs) return { state: "working", text: working };
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone: somebody deleted it, or the platform could not take it.`,
        };
      const next = [snapshotsStep(targetId)];
      return takingProgress(found, now - since, {
        working,
        failed: failed(found),
        ended: { state: "done", text: `The snapshot ${code(name)} is taken.${consistencyOf(found).atEnd}`, next },
        next,
      });
    },
  },
});

export const snapshotDelete = defineOperation({
  ...destroysBySnapshot,
  command: "vps snapshot delete",
  summary: "Delete a snapshot of a VPS",
  example: "/vps snapshot delete web-1 snapshot=weekly-1",
  act: deleteSnapshot,
  effects: [],
  verb: "Delete snapshot of",
  async review({ client, target, input, name }) {
    const found = await present(client, target.id, input.snapshot);
    return {
      press: plainly`Delete snapshot ${found.name}`,
      back: plainly`Keep ${found.name}`,
      consequence: `This will delete the snapshot ${code(found.name)} of ${name}. Nothing can be restored from it again.`,
      preconditions: {
        snapshot: nameIs("Snapshot", found.name),
        taken: timeIs("Taken", found.created_at),
      },
      shown: [{ label: "State", value: found.status }],
      before: characters(found.name),
    };
  },
  async run({ client, target, input: { snapshot: id } }) {
    const found = await find(client, target.id, id);
    const name = found?.name ?? id;
    await deleteSnapshot(client, target.id, id);
    return {
      text: `Deleting the snapshot ${code(name)}. There is no way back.`,
      handle: CopyHandle.parse({ id, name: characters(name), was: found?.status }),
    };
  },
  async reconcile({ client, target, input }, { before }) {
    const found = await find(client, target.id, input.snapshot);
    if (found?.status === "deleting")
      return {
        is: "done",
        text: "the snapshot is being deleted.",
        handle: { id: found.id, name: String(before), begun: true },
      };
    return doneIf(!found, "the snapshot is gone.", "the snapshot still exists.");
  },
  follow: {
    ...pace,
    async poll({ client, targetId, since, now }, handle) {
      const { id, name } = handle;
      const found = await find(client, targetId, id);
      if (!found) return { state: "done", text: `The snapshot ${code(name)} is deleted.` };
      const still = `The snapshot ${code(name)} still exists: the platform stopped the deletion.`;
      return jobProgress(found, handle, {
        job: `the deletion of the snapshot ${code(name)}`,
        elapsed: now - since,
        next: [snapshotsStep(targetId)],
        working: `Deleting the snapshot ${code(name)}.`,
        failed: failed(found),
        ended: { state: "failed", text: still },
      });
    },
  },
});

const RevertBefore = z.object({ name: z.string(), destroys: z.array(z.string()), running: z.boolean() });

export const revert = defineOperation({
  ...destroysBySnapshot,
  command: "vps revert",
  synonyms: ["rollback", "restore"],
  summary: "Revert a VPS's disk to a snapshot; everything newer is lost",
  example: "/vps revert web-2 snapshot=clean",
  act: revertSnapshot,
  effects: ({ before }) => restoreEffects(RevertBefore.safeParse(before).data?.running),
  // The revert would destroy a snapshot, so back up by capturing an image.
  backupFirst: "vps capture",
  async review({ client, target, input, name }) {
    const found = await present(client, target.id, input.snapshot);
    requireRestorable(found);
    const destroys = found.destroys_on_restore;
    const newer = lostWithIt(destroys, destroys.length > 1 ? "snapshots " : "snapshot ");
    const consistency = consistencyOf(found);
    return {
      press: plainly`Revert ${target.name}`,
      back: plainly`Keep ${target.name} as it is`,
      consequence: `Everything written on ${name} since ${moment(found.created_at)} will be lost.${newer} This cannot be undone.`,
      preconditions: {
        snapshot: nameIs("Back to", found.name),
        taken: timeIs("Taken", found.created_at),
        destroys: destroysIs("Destroys snapshots", destroys, "none"),
      },
      warnings: consistency.warnings,
      shown: [...consistency.facts, { label: "Afterwards", value: afterwards(found.comes_back_running) }],
      before: { name: characters(found.name), destroys, running: found.comes_back_running },
    };
  },
  async run({ client, target, input, name }) {
    const found = await find(client, target.id, input.snapshot);
    if (!found) throw wrongInput("snapshot", "That snapshot is gone; nothing was reverted.");
    // The platform requires the snapshot's own name as confirmation.
    const answer = await revertSnapshot(client, target.id, found.id, characters(found.name));
    return {
      text: `Reverting ${name} to ${code(found.name)}.`,
      handle: CopyHandle.parse({
        id: found.id,
        name: characters(found.name),
        was: found.status,
        destroys: found.destroys_on_restore,
        ...(await restoreBegun(answer, () => find(client, target.id, found.id))),
      }),
    };
  },
  async reconcile({ client, target, input }, { before }) {
    const was = RevertBefore.parse(before);
    const found = await find(client, target.id, input.snapshot);
    if (found?.status === "reverting")
      return {
        is: "done",
        text: "the disk is being reverted.",
        handle: { id: found.id, name: characters(found.name), begun: true },
      };
    return restoreOutcome(was.destroys, found?.destroys_on_restore);
  },
  follow: {
    ...pace,
    async poll({ client, targetId, since, now }, handle) {
      const { id, name } = handle;
      const found = await find(client, targetId, id);
      if (!found)
        return {
          state: "failed",
          text: `The snapshot ${code(name)} is gone. Check the machine before you do anything else.`,
        };
      return jobProgress(found, handle, {
        job: `the revert to ${code(name)}`,
        elapsed: now - since,
        next: [{ label: "Show", command: "vps show", target: targetId }],
        working: `Reverting to ${code(name)}.`,
        failed: failed(found),
        ended: restored(
          found,
          powerSteps((verb) => `vps ${verb}`, targetId, found.comes_back_running ? "running" : "stopped"),
        ),
      });
    },
  },
});
