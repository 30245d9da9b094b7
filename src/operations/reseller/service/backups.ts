import * as z from "zod";
import { rowButton } from "../../../notifications/answers/buttons.ts";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { type Backup, type Backups, listBackups, type Snapshot } from "../../../platform/reseller/backups.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { type Block, context, paragraphs, section } from "../../../views/blocks.ts";
import { bytes, moment } from "../../../views/format.ts";
import { renderJson } from "../../../views/json.ts";
import { code, count, listing } from "../../../views/text.ts";
import { nameOf, resoldService } from "./service.ts";

export const backups = defineOperation({
  command: "reseller service backups",
  summary: "List the backups of a service that you sell on, or a VPS's snapshots and what restoring each destroys",
  act: listBackups,
  reads: [readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, may }) {
    const found = await listBackups(client, target.serviceId);
    const headline = headlineOf(code(nameOf(target)), found);
    const make = { label: "Back up…", command: "reseller service backup", target: target.serviceId };
    const room = found.of === "provider" || found.used < found.max;
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...rowsOf(found, target.serviceId, may("reseller service restore"))],
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
    section(code(backupName(one)), restore(one.id)),
    ...paragraphs(renderJson(partSecrets(one).rest)),
  ]);
}

function snapshotRow(one: Snapshot, accessory: ReturnType<typeof rowButton> | undefined): Block[] {
  const facts = [
    one.status,
    one.created_at ? `taken ${moment(one.created_at)}` : null,
    one.size_bytes ? bytes(one.size_bytes) : null,
    one.crash_consistent === true ? "crash-consistent" : null,
  ].filter((fact) => fact !== null);
  const newer = one.destroys_on_restore;
  return [
    section(`${code(one.name)} · ${facts.join(" · ")}`, accessory),
    ...(newer.length > 0 ? [context(`Restoring it destroys ${namesOf(newer)}.`)] : []),
  ];
}

export function namesOf(names: string[]): string {
  return listing(names.map((name) => code(name, 60)));
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

export async function findBackup(client: ResellerClient, serviceId: string, id: string): Promise<FoundBackup | null> {
  return (await foundBackups(client, serviceId)).find((one) => one.id === id) ?? null;
}

/** The backup with that id. Throws where it is gone. */
export async function presentBackup(client: ResellerClient, serviceId: string, id: string): Promise<FoundBackup> {
  const found = await findBackup(client, serviceId, id);
  if (!found) throw new InputError([{ field: "backup", message: "That backup is gone." }]);
  return found;
}

export async function foundBackups(client: ResellerClient, serviceId: string): Promise<FoundBackup[]> {
  const found = await listBackups(client, serviceId);
  if (found.of === "vps")
    return found.snapshots.map((snapshot) => ({ id: snapshot.id, name: snapshot.name, snapshot }));
  return found.backups.map((one) => ({ id: one.id, name: backupName(one), snapshot: null }));
}

export const backupChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  (await foundBackups(client, target.serviceId)).map(({ id, name, snapshot }) => ({
    value: id,
    label: name,
    ...(snapshot?.created_at ? { at: snapshot.created_at, description: snapshot.status } : {}),
  }));
