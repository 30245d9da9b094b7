import * as z from "#zod";
import { rowButton } from "../../../messages/answers/buttons.ts";
import { doneIf, type Progress, type Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { NotYet } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { nameIs, timeIs } from "../../../operation/preconditions.ts";
import {
  type Backups,
  createBackup,
  deleteBackup,
  listBackups,
  restoreBackup,
  type Snapshot,
} from "../../../platform/reseller/backups.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { characters, type PlainText, plainly } from "../../../process/plain-text.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { type Block, context, paragraphs, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { code, count } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import {
  afterwards,
  CopyHandle,
  consistencyOf,
  copiesIn,
  copyEffects,
  copyNamePattern,
  copyNames,
  destroysIs,
  emptyListProvesNothing,
  IdsBefore,
  jobProgress,
  longestOtherJobMs,
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
} from "../../kits/copies.ts";
import { rowTitle } from "../../kits/lines.ts";
import { requireControl, requireMachine, resoldService, showStep, soldName, soldWords } from "./service.ts";

export const backups = defineOperation({
  command: "reseller service backups",
  synonyms: ["snapshots"],
  summary: "List the backups of a resold service, or a VPS's snapshots and the losses of restoring each",
  example: "/reseller service backups web-2",
  act: listBackups,
  reads: [readCapabilities],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, may, name }) {
    const found = await listBackups(client, target.serviceId);
    const active = target.status === "active";
    const can = active && (await readCapabilities(client, target.serviceId)).backups;
    const make = { label: "Back up…", command: "reseller service backup", target: target.serviceId };
    const room = can && (found.of === "provider" || found.used < found.max);
    return {
      ...headed(
        headlineOf(name, found, can || !active),
        rowsOf(found, target.serviceId, active && may("reseller service restore")),
      ),
      next: room ? [make] : [],
    };
  },
});

/** `possible`: the service may have backups. A dedicated server has none. */
function headlineOf(name: string, found: Backups, possible: boolean): string {
  if (found.of === "vps")
    return found.max === 0
      ? `The product of ${name} has no snapshots.`
      : `${name} has ${found.used} of ${found.max} snapshots.`;
  if (found.backups.length > 0) return `${name} has ${count(found.backups.length, "backup")}.`;
  return possible ? `No backups of ${name} are listed. ${emptyListProvesNothing}` : `${name} has no backups.`;
}

function rowsOf(found: Backups, target: string, may: boolean): Block[] {
  const restore = (id: string) => {
    const one = { command: "reseller service restore", target, input: { backup: id } };
    return may ? rowButton("Restore…", one, id) : undefined;
  };
  if (found.of === "vps")
    return found.snapshots.flatMap((one) => snapshotRow(one, one.restorable ? restore(one.id) : undefined));
  return found.backups.flatMap((one) => [
    section(`:floppy_disk: ${code(rowTitle(one))}`, restore(one.id)),
    ...paragraphs(jsonLines(partSecrets(one).rest)),
  ]);
}

function snapshotRow(one: Snapshot, accessory: ReturnType<typeof rowButton> | undefined): Block[] {
  const newer = one.destroys_on_restore;
  return [
    section(snapshotLine(one), accessory),
    ...(newer.length > 0 ? [context(`Restoring it destroys ${copyNames(newer)}.`)] : []),
  ];
}

/** A backup for restoring or deleting; only a VPS has `snapshot`. */
interface FoundBackup {
  id: string;
  name: PlainText;
  snapshot: Snapshot | null;
}

/** Null where a provider lists none: it does the same while it cannot be reached. */
export async function readFoundBackups(client: ResellerClient, serviceId: string): Promise<FoundBackup[] | null> {
  const found = await listBackups(client, serviceId);
  if (found.of === "vps")
    return found.snapshots.map((snapshot) => ({ id: snapshot.id, name: snapshot.name, snapshot }));
  const backups = found.backups.map((one) => ({ id: one.id, name: rowTitle(one), snapshot: null }));
  return backups.length === 0 ? null : backups;
}

/** The backups before the call, and the name that it asked for; older handles have none. */
const BackupBefore = IdsBefore.extend({ called: z.string().optional() });

/** The backups that were not there before. Null where a provider lists none, or listed none before: then each may be an old one. */
function freshBackups(found: FoundBackup[] | null, ids: readonly string[]): FoundBackup[] | null {
  const isProof = found?.every(({ snapshot }) => snapshot !== null) || ids.length > 0;
  return isProof ? (found?.filter(({ id }) => !ids.includes(id)) ?? null) : null;
}

/**
 * The backup that an accepted call made. A VPS's snapshot has the name that was asked for: one of another name is somebody else's, and taken
 * for a fresh backup it would let the disk be erased after it. The spec does not say that a provider keeps the name.
 */
function madeBackup(fresh: FoundBackup[], called: string | undefined): FoundBackup | undefined {
  if (called === undefined) return fresh[0];
  return fresh.find(({ name }) => name === called) ?? fresh.find(({ snapshot }) => snapshot === null);
}

const { find, present } = copiesIn<"reseller", FoundBackup>("backup", readFoundBackups);

const backupChoices: Chooser<"reseller", Service> = async ({ client, target }) => {
  const found = await readFoundBackups(client, target.serviceId);
  if (found === null) throw new NotYet(`No backups are listed now. ${emptyListProvesNothing} Nothing was done.`);
  return found.map(({ id, name, snapshot }) => ({
    value: id,
    label: name,
    ...(snapshot?.created_at ? { at: snapshot.created_at, description: snapshot.status } : {}),
  }));
};

/** The state of a snapshot changes every few seconds. */
const pace = { every: 5_000, deadline: 2 * 60 * 60_000 };

/** The progress while a provider lists no backups: it may answer again. `ended`: the sentence at the end of the wait. */
function unlistedProgress(elapsed: number, working: string, ended: string, next: Step[]): Progress {
  if (elapsed < longestOtherJobMs) return { state: "working", text: working, every: 30_000 };
  return {
    state: "done",
    endUnknown: true,
    text: `${ended} No backups are listed now. ${emptyListProvesNothing}`,
    next,
  };
}

function backupsStep(target: string) {
  return { label: "Backups", command: "reseller service backups", target };
}

export const backup = defineOperation({
  command: "reseller service backup",
  group: "data",
  synonyms: ["snapshot"],
  summary: "Back up a resold service; of a VPS, take a snapshot",
  example: "/reseller service backup web-2 name=before-upgrade",
  act: createBackup,
  reads: [readCapabilities, listBackups],
  risk: "change",
  effects: copyEffects,
  verb: "Back up",
  target: resoldService,
  input: z.object({
    name: z
      .string()
      .regex(copyNamePattern, "use only letters, digits, dots, dashes and underscores, at most 120.")
      .optional()
      .meta({ title: "Name", description: "Such as before-upgrade; if empty, the platform chooses one" }),
    description: z
      .string()
      .max(500)
      .optional()
      .meta({ title: "Description", description: "Only for a VPS's snapshot" }),
  }),
  usable: ({ client, target }) => requireControl(client, target, "backups"),
  copy: {
    ...snapshotFirst,
    async offer({ client, target }) {
      const found = await listBackups(client, target.serviceId);
      if (found.of !== "vps" || found.used >= found.max) return null;
      return snapshotOffer(soldName(target), found.snapshots);
    },
  },
  before: async ({ client, target }) => ({
    ids: ((await readFoundBackups(client, target.serviceId)) ?? []).map(({ id }) => id),
  }),
  async run({ client, target, input: { name: called, description }, name }, before) {
    const body = { ...(called ? { name: called } : {}), ...(description ? { description } : {}) };
    await createBackup(client, target.serviceId, Object.keys(body).length > 0 ? body : undefined);
    return {
      text: `Backing up ${name}.`,
      handle: { ...IdsBefore.parse(before ?? { ids: [] }), ...(called && { called }) },
    };
  },
  async reconcile({ client, target, input: { name: called } }, { before }) {
    const { ids } = IdsBefore.parse(before);
    const fresh = freshBackups(await readFoundBackups(client, target.serviceId), ids);
    if (fresh === null)
      return { is: "unsure", text: `The provider's lists do not show a new backup. ${emptyListProvesNothing}` };
    if (called && fresh.some(({ name }) => name === called))
      return { is: "done", text: `the backup ${code(called)} is there.`, handle: { ids, called } };
    const other = fresh.find(({ snapshot }) => !called || snapshot === null);
    if (!other) return { is: "not done", text: "there is no such backup." };
    return { is: "unsure", text: `There is a new backup, ${code(other.name)}, but another request may have made it.` };
  },
  follow: {
    ...pace,
    handle: BackupBefore,
    async poll({ client, targetId, since, now }, { ids, called }): Promise<Progress> {
      const elapsed = now - since;
      const found = await readFoundBackups(client, targetId);
      const accepted = "The provider accepted the backup.";
      if (found === null) return unlistedProgress(elapsed, "Backing up.", accepted, [backupsStep(targetId)]);
      const fresh = freshBackups(found, ids);
      if (fresh === null) {
        const text = `${accepted} It listed no backups before, so its list does not show the new one.`;
        return { state: "done", endUnknown: true, text, next: [backupsStep(targetId)] };
      }
      const made = madeBackup(fresh, called);
      if (!made && elapsed < longestOtherJobMs) return { state: "working", text: "Backing up." };
      if (!made) return { state: "failed", text: "The backup is not in the list: it failed, or somebody deleted it." };
      const name = code(made.name);
      const next = [backupsStep(targetId)];
      if (made.snapshot === null) return { state: "done", text: `The backup ${name} is in the provider's list.`, next };
      return takingProgress(made.snapshot, elapsed, {
        working: `Taking ${name}.`,
        failed: { state: "failed", text: `${name} failed.`, next },
        ended: { state: "done", text: `The backup ${name} is taken.${consistencyOf(made.snapshot).atEnd}`, next },
        next,
      });
    },
  },
});

/** The backup of a job, as it is right before. */
function handleOf({ id, name, snapshot }: FoundBackup): z.infer<typeof CopyHandle> {
  return CopyHandle.parse({ id, name: characters(name), was: snapshot?.status });
}

const RestoreBefore = z.object({ destroys: z.array(z.string()), running: z.boolean().optional() });

/** The members of an act that destroys data with a backup. */
const destroysByBackup = {
  risk: "destroy",
  target: resoldService,
  reads: [listBackups],
  input: z.object({ backup: z.string().meta({ title: "Backup" }) }),
  choices: { backup: backupChoices },
  // A suspended VPS refuses even the list of its snapshots, so the choices refuse it. Others delete and restore. Reseller spec section 4.3.
  usable: ({ target }: { target: Service }) => requireMachine(target),
} as const;

export const restore = defineOperation({
  ...destroysByBackup,
  command: "reseller service restore",
  synonyms: ["revert", "rollback"],
  summary: "Restore a resold service from a backup; all changes since are lost",
  example: "/reseller service restore web-2 backup=clean",
  act: restoreBackup,
  effects: ({ before }) => restoreEffects(RestoreBefore.safeParse(before).data?.running),
  verb: "Restore",
  backupFirst: "reseller service capture",
  async review({ client, target, input }) {
    const { name, snapshot } = await present(client, target.serviceId, input.backup);
    const destroys = snapshot?.destroys_on_restore ?? [];
    if (snapshot) requireRestorable(snapshot);
    const taken = snapshot?.created_at;
    const consistency = snapshot && consistencyOf(snapshot);
    return {
      press: plainly`Restore ${soldName(target)}`,
      back: plainly`Keep ${soldName(target)} as it is`,
      consequence: `All data written on ${soldWords(target)} since ${taken ? moment(taken) : "that backup"} will be lost.${lostWithIt(destroys)} This cannot be undone.`,
      preconditions: {
        backup: nameIs("Backup", name),
        taken: timeIs("Taken", taken),
        // Only of a VPS does the platform say it: a provider's silence is no promise.
        destroys: snapshot
          ? destroysIs("Destroys", destroys, "no other backup")
          : { value: null, label: "Destroys", text: "unknown: the platform does not say if other backups go" },
      },
      warnings: consistency?.warnings ?? [],
      shown: snapshot
        ? [...(consistency?.facts ?? []), { label: "Afterwards", value: afterwards(snapshot.comes_back_running) }]
        : [],
      before: { destroys, ...(snapshot ? { running: snapshot.comes_back_running } : {}) },
    };
  },
  async run({ client, target, input: { backup: id }, name }) {
    const found = await present(client, target.serviceId, id);
    // For a VPS the platform requires the snapshot's name as the confirmation.
    const answer = await restoreBackup(
      client,
      target.serviceId,
      id,
      found.snapshot ? characters(found.name) : undefined,
    );
    const destroys = found.snapshot?.destroys_on_restore ?? [];
    const begun = found.snapshot
      ? await restoreBegun(answer, async () => (await find(client, target.serviceId, id))?.snapshot)
      : {};
    return { text: `Restoring ${name} to ${code(found.name)}.`, handle: { ...handleOf(found), destroys, ...begun } };
  },
  async reconcile({ client, target, input: { backup: id } }, { before }) {
    const { destroys } = RestoreBefore.parse(before);
    const found = await find(client, target.serviceId, id);
    const handle = found ? { ...handleOf(found), begun: true } : null;
    if (found?.snapshot?.in_progress) return { is: "done", text: "the restore is running.", handle };
    const outcome = restoreOutcome(destroys, found?.snapshot?.destroys_on_restore);
    return outcome.is === "done" ? { ...outcome, handle } : outcome;
  },
  follow: {
    ...pace,
    handle: CopyHandle,
    async poll({ client, targetId, since, now }, handle): Promise<Progress> {
      const found = await find(client, targetId, handle.id);
      const name = code(found?.name ?? handle.name);
      if (found === null)
        return { state: "failed", text: `${name} is gone. Check the service before you do anything else.` };
      const next = [showStep(targetId)];
      if (!found?.snapshot) {
        const text = `The provider accepted the restore of ${name}. The provider does not show when it has ended.`;
        return { state: "done", endUnknown: true, text, next };
      }
      return jobProgress(found.snapshot, handle, {
        job: `the restore of ${name}`,
        elapsed: now - since,
        next,
        working: `Restoring ${name}.`,
        failed: { state: "failed", text: `${name} failed.`, next },
        ended: restored(found.snapshot, next),
      });
    },
  },
});

export const backupDelete = defineOperation({
  ...destroysByBackup,
  command: "reseller service backup delete",
  summary: "Delete a backup of a resold service",
  example: "/reseller service backup delete web-2 backup=clean",
  act: deleteBackup,
  effects: [],
  verb: "Delete a backup of",
  async review({ client, target, input }) {
    const { name, snapshot } = await present(client, target.serviceId, input.backup);
    return {
      press: plainly`Delete ${name}`,
      back: plainly`Keep ${name}`,
      consequence: `This will erase the backup ${code(name)} of ${soldWords(target)}. The service itself stays as it is. This cannot be undone.`,
      preconditions: {
        backup: nameIs("Backup", name),
        taken: timeIs("Taken", snapshot?.created_at),
      },
    };
  },
  async run({ client, target, input: { backup: id }, name: server }) {
    const found = await present(client, target.serviceId, id);
    await deleteBackup(client, target.serviceId, id);
    return { text: `Deleting the backup ${code(found.name)} of ${server}.`, handle: handleOf(found) };
  },
  async reconcile({ client, target, input }) {
    const found = await find(client, target.serviceId, input.backup);
    if (found === undefined) return { is: "unsure", text: `No backups are listed now. ${emptyListProvesNothing}` };
    return doneIf(!found, "the backup is gone.", `the backup ${code(found?.name ?? "")} is still there.`);
  },
  follow: {
    ...pace,
    handle: CopyHandle,
    async poll({ client, targetId, since, now }, handle): Promise<Progress> {
      const { id, name } = handle;
      const found = await find(client, targetId, id);
      const next = [backupsStep(targetId)];
      const working = `Deleting ${code(name)}.`;
      if (found === undefined)
        return unlistedProgress(now - since, working, `The provider accepted the deletion of ${code(name)}.`, next);
      if (!found) return { state: "done", text: `The backup ${code(name)} is deleted.`, next };
      if (found.snapshot === null) return { state: "working", text: working };
      const failed: Progress = { state: "failed", text: `${code(name)} could not be deleted.`, next };
      const job = `the deletion of ${code(name)}`;
      return jobProgress(found.snapshot, handle, { job, elapsed: now - since, next, working, failed, ended: failed });
    },
  },
});
