import * as z from "#zod";
import { rowButton } from "../../messages/answers/buttons.ts";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { wrongInput } from "../../operation/errors.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { createBackup, listBackups, restoreBackup } from "../../platform/customer/services.ts";
import { plainly } from "../../process/plain-text.ts";
import { section } from "../../views/blocks.ts";
import { code, count } from "../../views/text.ts";
import { headed } from "../kits/card.ts";
import { copyEffects, emptyListProvesNothing, restoreEffects } from "../kits/copies.ts";
import { restLine, rowTitle } from "../kits/lines.ts";
import { askProvider } from "./provider.ts";
import { requireLive, service, serviceName } from "./service.ts";

export const backups = defineOperation({
  command: "service backups",
  summary: "List the backups that a service's provider keeps",
  example: "/service backups plugin-1",
  act: listBackups,
  risk: "read",
  target: service,
  input: z.object({}),
  async run({ client, may, target: { service: row }, name }) {
    const found = await askProvider(row, "backups.list", () => listBackups(client, row.id));
    if (found.available === false) return { text: `The provider of ${name} offers no backups.` };
    const next = [{ label: "Back up now", command: "service backup", target: row.id }];
    if (found.backups.length === 0)
      return {
        text: `No backups of ${name} are listed. ${emptyListProvesNothing}`,
        next,
      };
    const restorable = may("service restore");
    const rows = found.backups.map((backup) => {
      const restore = { command: "service restore", target: row.id, input: { backup: backup.id } };
      const press = restorable ? rowButton("Restore…", restore, backup.id) : undefined;
      return section(`:floppy_disk: ${code(rowTitle(backup))}\n${restLine(backup)}`, press);
    });
    return { ...headed(`${name} has ${count(found.backups.length, "backup")}.`, rows), next };
  },
});

export const backup = defineOperation({
  command: "service backup",
  group: "data",
  summary: "Start a backup of a service with its provider",
  example: "/service backup plugin-1",
  act: createBackup,
  risk: "change",
  effects: copyEffects,
  verb: "Back up",
  target: service,
  input: z.object({}),
  async run({ client, target: { service: row }, name }) {
    await askProvider(row, "backups.create", () => createBackup(client, row.id));
    return {
      text: `A backup of ${name} was started.`,
      next: [{ label: "Backups", command: "service backups", target: row.id }],
    };
  },
  reconcile: unsure("`/service backups` lists the backups that the provider has."),
});

export const restore = defineOperation({
  command: "service restore",
  summary: "Restore a service from a backup of its provider; its present data is overwritten",
  example: "/service restore plugin-1 backup=daily-1",
  act: restoreBackup,
  reads: [listBackups],
  risk: "destroy",
  effects: restoreEffects(undefined),
  target: service,
  usable: ({ target }) => requireLive(target),
  input: z.object({ backup: z.string().meta({ title: "Backup" }) }),
  typed: ["backup"],
  choices: {
    backup: async ({ client, target: { service: row } }) =>
      (await askProvider(row, "backups.list", () => listBackups(client, row.id))).backups.map((one) => ({
        value: one.id,
        label: rowTitle(one),
        description: one.id,
      })),
  },
  async review({ client, target: { service: row }, input, name }) {
    const { backups: listed } = await askProvider(row, "backups.list", () => listBackups(client, row.id));
    const found = listed.find(({ id }) => id === input.backup);
    if (!found) throw wrongInput("backup", "That backup is no longer listed.");
    return {
      press: plainly`Overwrite ${serviceName(row)}`,
      back: plainly`Keep ${serviceName(row)} as it is`,
      consequence: `This will overwrite the present data of ${name} with the backup ${code(rowTitle(found))}. This cannot be undone.`,
      preconditions: { backup: nameIs("Backup", rowTitle(found)) },
      shown: [
        {
          label: "The provider's description",
          value: restLine(found) || "not shown",
          decides: restLine(found) ? "known" : "unknown",
        },
      ],
    };
  },
  async run({ client, target: { service: row }, input, name }) {
    await askProvider(row, "backups.restore", () => restoreBackup(client, row.id, input.backup));
    return {
      text: `${name} is being restored from the backup. Its former data cannot be recovered.`,
      next: [{ label: "Show", command: "service show", target: row.id }],
    };
  },
  reconcile: unsure("The platform does not show whether a backup was restored. Check the data of the service."),
});
