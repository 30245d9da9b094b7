import * as z from "zod";
import { rowButton } from "../../../notifications/answers/buttons.ts";
import type { Progress } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { wrongInput } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { nameIs, timeIs } from "../../../operation/preconditions.ts";
import {
  type Backup,
  type Backups,
  createBackup,
  deleteBackup,
  listBackups,
  restoreBackup,
  type Snapshot,
} from "../../../platform/reseller/backups.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { type Block, context, paragraphs, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, count, oneLine } from "../../../views/text.ts";
import {
  afterwards,
  CopyHandle,
  consistencyOf,
  copyNamePattern,
  copyNames,
  destroysIs,
  IdsBefore,
  lostWithIt,
  requireRestorable,
  snapshotLine,
  snapshotOffer,
  takenButNotRestorable,
} from "../../kits/copies.ts";
import { nameOf, requireControl, requireInService, resoldService, showStep, soldWords } from "./service.ts";

export const backups = defineOperation({
  command: "reseller service backups",
  synonyms: ["snapshots"],
  summary: "List the backups of a resold service, or a VPS's snapshots and the losses of restoring each",
  act: listBackups,
  reads: [readCapabilities, readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, may }) {
    const found = await listBackups(client, target.serviceId);
    const active = target.status === "active";
    const can = active && (await readCapabilities(client, target.serviceId)).backups;
    const headline = headlineOf(code(nameOf(target)), found);
    const make = { label: "Back up…", command: "reseller service backup", target: target.serviceId };
    const room = can && (found.of === "provider" || found.used < found.max);
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...rowsOf(found, target.serviceId, active && may("reseller service restore"))],
      next: room ? [make] : [],
    };
  },
});

function headlineOf(name: string, found: Backups): string {
  if (found.of === "vps")
    return found.max === 0
      ? `The product of ${name} has no snapshots.`
      : `${name} has ${found.used} of ${found.max} snapshots.`;
  return found.backups.length === 0
    ? `${name} has no backups.`
    : `${name} has ${count(found.backups.length, "backup")}.`;
}

function rowsOf(found: Backups, target: string, may: boolean): Block[] {
  const restore = (id: string) => {
    const one = { command: "reseller service restore", target, input: { backup: id } };
    return may ? rowButton("Restore…", one, id) : undefined;
  };
  if (found.of === "vps")
    return found.snapshots.flatMap((one) => snapshotRow(one, one.restorable ? restore(one.id) : undefined));
  return found.backups.flatMap((one) => [
    section(`:floppy_disk: ${code(backupName(one))}`, restore(one.id)),
    ...paragraphs(renderJson(partSecrets(one).rest)),
  ]);
}

function snapshotRow(one: Snapshot, accessory: ReturnType<typeof rowButton> | undefined): Block[] {
  const newer = one.destroys_on_restore;
  return [
    section(snapshotLine(one), accessory),
    ...(newer.length > 0 ? [context(`Restoring it destroys ${copyNames(newer)}.`)] : []),
  ];
}

/** A provider's backup by its name, else its id. */
function backupName({ id, name }: Backup): string {
  return typeof name === "string" && name !== "" ? name : id;
}

/** A backup for restoring or deleting; only a VPS has `snapshot`. */
export interface FoundBackup {
  id: string;
  name: string;
  snapshot: Snapshot | null;
}

async function findBackup(client: ResellerClient, serviceId: string, id: string): Promise<FoundBackup | null> {
  return (await foundBackups(client, serviceId)).find((one) => one.id === id) ?? null;
}

/** The backup with that id. Throws where it is gone. */
async function presentBackup(client: ResellerClient, serviceId: string, id: string): Promise<FoundBackup> {
  const found = await findBackup(client, serviceId, id);
  if (!found) throw wrongInput("backup", "That backup is gone.");
  return found;
}

async function foundBackups(client: ResellerClient, serviceId: string): Promise<FoundBackup[]> {
  const found = await listBackups(client, serviceId);
  if (found.of === "vps")
    return found.snapshots.map((snapshot) => ({ id: snapshot.id, name: snapshot.name, snapshot }));
  return found.backups.map((one) => ({ id: one.id, name: backupName(one), snapshot: null }));
}

const backupChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  (await foundBackups(client, target.serviceId)).map(({ id, name, snapshot }) => ({
    value: id,
    label: name,
    ...(snapshot?.created_at ? { at: snapshot.created_at, description: snapshot.status } : {}),
  }));

/** The state of a snapshot changes every few seconds. */
const pace = { every: 5_000, deadline: 2 * 60 * 60_000 };
const input = z.object({ backup: z.string().meta({ title: "Backup" }) });
const backupsStep = (target: string) => ({ label: "Backups", command: "reseller service backups", target });

export const backup = defineOperation({
  command: "reseller service backup",
  group: "data",
  synonyms: ["snapshot"],
  summary: "Back up a resold service; of a VPS, take a snapshot",
  act: createBackup,
  reads: [readCapabilities, listBackups, readService],
  risk: "change",
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
  usable: async ({ client, target }) => void (await requireControl(client, target, "backups")),
  copy: {
    label: "Snapshot first",
    step: "Take a snapshot of the disk",
    async offer({ client, target }) {
      const found = await listBackups(client, target.serviceId);
      if (found.of !== "vps" || found.used >= found.max) return null;
      return snapshotOffer(nameOf(target), found.snapshots);
    },
  },
  before: async ({ client, target }) => ({ ids: (await foundBackups(client, target.serviceId)).map(({ id }) => id) }),
  async run({ client, target, input: { name, description } }, before) {
    const body = { ...(name ? { name } : {}), ...(description ? { description } : {}) };
    await createBackup(client, target.serviceId, Object.keys(body).length > 0 ? body : undefined);
    return { text: `Backing up ${code(nameOf(target))}.`, handle: before ?? { ids: [] } };
  },
  async reconcile({ client, target }, { before }) {
    const { ids } = IdsBefore.parse(before);
    const made = (await foundBackups(client, target.serviceId)).find(({ id }) => !ids.includes(id));
    if (!made) return { is: "not done", text: "there is no new backup." };
    return { is: "done", text: `the backup ${code(made.name)} is there.`, handle: { ids } };
  },
  follow: {
    ...pace,
    handle: IdsBefore,
    async poll({ client, targetId, since, now }, { ids }): Promise<Progress> {
      const made = (await foundBackups(client, targetId)).find(({ id }) => !ids.includes(id));
      if (!made) {
        const waits = now - since < 10 * 60_000;
        const text = "The backup is not in the list: it failed, or somebody deleted it.";
        return waits ? { state: "working", text: "Backing up." } : { state: "failed", text };
      }
      if (made.snapshot?.in_progress) return { state: "working", text: `Taking ${code(made.name)}.` };
      const next = [backupsStep(targetId)];
      if (made.snapshot?.status === "error") return { state: "failed", text: `${code(made.name)} failed.`, next };
      // While another job works on the disk, as the next backup, none can be restored.
      const mayBeBusy = now - since < 10 * 60_000;
      if (made.snapshot?.restorable === false && mayBeBusy)
        return { state: "working", text: `Taking ${code(made.name)}.` };
      if (made.snapshot?.restorable === false) return { ...takenButNotRestorable(made.name), next };
      const consistency = made.snapshot ? consistencyOf(made.snapshot) : "";
      const taken = made.snapshot === null ? "is in the provider's list" : "is taken";
      return { state: "done", text: `The backup ${code(made.name)} ${taken}.${consistency}`, next };
    },
  },
});

export const restore = defineOperation({
  command: "reseller service restore",
  synonyms: ["revert", "rollback"],
  summary: "Restore a resold service from a backup; all changes since are lost",
  act: restoreBackup,
  reads: [listBackups, readService],
  risk: "destroy",
  verb: "Restore",
  target: resoldService,
  backupFirst: "reseller service capture",
  input,
  choices: { backup: backupChoices },
  usable: ({ target }) => requireInService(target),
  async review({ client, target, input: { backup: id } }) {
    const found = await presentBackup(client, target.serviceId, id);
    const destroys = found.snapshot?.destroys_on_restore ?? [];
    if (found.snapshot) requireRestorable(found.snapshot);
    const taken = found.snapshot?.created_at;
    return {
      press: `Restore ${oneLine(nameOf(target))}`,
      back: `Keep ${oneLine(nameOf(target))} as it is`,
      consequence: `All data written on ${soldWords(target)} since ${taken ? moment(taken) : "that backup"} will be lost.${lostWithIt(destroys)} This cannot be undone.`,
      preconditions: {
        backup: nameIs("Backup", found.name),
        ...(taken && { taken: timeIs("Taken", taken) }),
        destroys: destroysIs("Destroys", destroys, "no other backup"),
      },
      ...(found.snapshot
        ? { shown: [{ label: "Afterwards", value: afterwards(found.snapshot.comes_back_running) }] }
        : {}),
      before: { destroys },
    };
  },
  async run({ client, target, input: { backup: id } }) {
    const found = await presentBackup(client, target.serviceId, id);
    // For a VPS the platform requires the snapshot's name as the confirmation.
    await restoreBackup(client, target.serviceId, id, found.snapshot ? found.name : undefined);
    return { text: `Restoring ${code(nameOf(target))} to ${code(found.name)}.`, handle: { id, name: found.name } };
  },
  async reconcile({ client, target, input: { backup: id } }, { before }) {
    const { destroys } = z.object({ destroys: z.array(z.string()) }).parse(before);
    const found = await findBackup(client, target.serviceId, id);
    const handle = found && { id, name: found.name };
    if (found?.snapshot?.in_progress) return { is: "done", text: "the restore is running.", handle };
    if (!found?.snapshot || destroys.length === 0)
      return { is: "unsure", text: "The platform shows nothing that proves the restore." };
    const left = found.snapshot.destroys_on_restore.length;
    return left === 0
      ? { is: "done", text: "the newer snapshots are gone.", handle }
      : { is: "not done", text: "the newer snapshots are all there." };
  },
  follow: {
    ...pace,
    handle: CopyHandle,
    async poll({ client, targetId }, { id, name }): Promise<Progress> {
      const found = await findBackup(client, targetId, id);
      if (!found)
        return { state: "failed", text: `${code(name)} is gone. Check the service before you do anything else.` };
      return restoreProgress(found, targetId);
    },
  },
});

function restoreProgress({ name, snapshot }: FoundBackup, targetId: string): Progress {
  const next = [showStep(targetId)];
  if (snapshot === null) {
    const text = `The provider accepted the restore of ${code(name)}. The provider does not show when it has ended.`;
    return { state: "done", endUnknown: true, text, next };
  }
  if (snapshot.status === "error") return { state: "failed", text: `${code(name)} failed.`, next };
  if (snapshot.in_progress) return { state: "working", text: `Restoring ${code(name)}.` };
  return {
    state: "done",
    text: `The disk is as it was in ${code(name)}. ${afterwards(snapshot.comes_back_running)}`,
    next,
  };
}

export const backupDelete = defineOperation({
  command: "reseller service backup delete",
  summary: "Delete a backup of a resold service",
  act: deleteBackup,
  reads: [listBackups, readService],
  risk: "destroy",
  verb: "Delete a backup of",
  target: resoldService,
  input,
  choices: { backup: backupChoices },
  usable: ({ target }) => requireInService(target),
  async review({ client, target, input: { backup: id } }) {
    const { name, snapshot } = await presentBackup(client, target.serviceId, id);
    return {
      press: `Delete ${oneLine(name)}`,
      back: `Keep ${oneLine(name)}`,
      consequence: `This erases the backup ${code(name)} of ${soldWords(target)}. The service itself stays as it is. This cannot be undone.`,
      preconditions: {
        backup: nameIs("Backup", name),
        ...(snapshot?.created_at && { taken: timeIs("Taken", snapshot.created_at) }),
      },
    };
  },
  async run({ client, target, input: { backup: id } }) {
    const { name } = await presentBackup(client, target.serviceId, id);
    await deleteBackup(client, target.serviceId, id);
    return { text: `Deleting the backup ${code(name)} of ${code(nameOf(target))}.`, handle: { id, name } };
  },
  async reconcile({ client, target, input: { backup: id } }) {
    const found = await findBackup(client, target.serviceId, id);
    if (!found) return { is: "done", text: "the backup is gone." };
    return { is: "not done", text: `the backup ${code(found.name)} is still there.` };
  },
  follow: {
    ...pace,
    handle: CopyHandle,
    async poll({ client, targetId }, { id, name }): Promise<Progress> {
      const found = await findBackup(client, targetId, id);
      const next = [backupsStep(targetId)];
      if (!found) return { state: "done", text: `The backup ${code(name)} is deleted.`, next };
      if (found.snapshot?.status === "error")
        return { state: "failed", text: `${code(name)} could not be deleted.`, next };
      return { state: "working", text: `Deleting ${code(name)}.` };
    },
  },
});
