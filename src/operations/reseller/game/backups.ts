import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import {
  changeGameBackupAt,
  changeGameBackups,
  createGameBackup,
  deleteGameBackup,
  listGameBackups,
  restoreGameBackup,
} from "../../../platform/reseller/game/backups.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { nameOf } from "../service/service.ts";
import { bodyField, idField, parseBody } from "./fields.ts";
import { game, quotedName, stepOf, writtenAnswer } from "./game.ts";
import { goneFrom, idsIn, newIn, reviewedRow, rowChoices, rowsAnswer } from "./rows.ts";

const backupChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  rowChoices(await listGameBackups(client, target.serviceId));

export const list = defineOperation({
  command: "reseller game backups",
  summary: "List the backups of a game server that you sell on",
  act: listGameBackups,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target, may }) {
    const command = "reseller game backup restore";
    return rowsAnswer(target, await listGameBackups(client, target.serviceId), {
      one: "backup",
      next: [stepOf(target, "Back up now", "backup create"), stepOf(target, "Delete one…", "backup delete")],
      press: may(command) ? { label: "Restore…", command, field: "backup" } : null,
    });
  },
});

export const create = defineOperation({
  command: "reseller game backup create",
  summary: "Start a backup of a game server that you sell on",
  act: createGameBackup,
  reads: [listGameBackups, readService],
  risk: "change",
  verb: "Back up",
  target: game,
  input: z.object({ body: bodyField.optional() }),
  before: async ({ client, target }) => idsIn(await listGameBackups(client, target.serviceId)),
  async run({ client, target, input: { body } }) {
    const sent = body === undefined ? undefined : parseBody(body);
    const answered = await createGameBackup(client, target.serviceId, sent);
    return writtenAnswer(`A backup of ${quotedName(target)} was started.`, answered, [
      stepOf(target, "Backups", "backups"),
    ]);
  },
  reconcile: async ({ client, target }, { before }) => newIn(await listGameBackups(client, target.serviceId), before),
});

export const change = defineOperation({
  command: "reseller game backup change",
  summary: "Change a backup of a game server, or what holds for all of them",
  act: changeGameBackups,
  reads: [listGameBackups, readService],
  risk: "change",
  verb: "Change backup",
  target: game,
  input: z.object({
    body: bodyField,
    backup: idField("Backup").optional().meta({
      title: "Backup",
      description: "Left empty, it is sent to the list of them, and the body says which is meant",
    }),
  }),
  choices: { backup: backupChoices },
  typed: ["backup"],
  async run({ client, target, input: { body, backup } }) {
    const answered =
      backup === undefined
        ? await changeGameBackups(client, target.serviceId, parseBody(body))
        : await changeGameBackupAt(client, target.serviceId, backup, parseBody(body));
    const which = backup === undefined ? "the backups" : `the backup ${code(backup)}`;
    return writtenAnswer(`The change of ${which} of ${quotedName(target)} was taken.`, answered, [
      stepOf(target, "Backups", "backups"),
    ]);
  },
  reconcile: async () => ({ is: "unsure", text: "`/reseller game backups` tells how they are." }),
});

export const restore = defineOperation({
  command: "reseller game backup restore",
  summary: "Put a game server back to one of its backups; what it holds now is overwritten",
  act: restoreGameBackup,
  reads: [listGameBackups, readService],
  risk: "destroy",
  verb: "Restore backup",
  target: game,
  input: z.object({ backup: idField("Backup") }),
  choices: { backup: backupChoices },
  typed: ["backup"],
  async review({ client, target, input }) {
    const backups = await listGameBackups(client, target.serviceId);
    const { name, listed, shown } = reviewedRow(backups, input.backup, "backup");
    return {
      consequence: `What ${quotedName(target)} holds now is overwritten with the backup ${code(name)}. This cannot be undone.`,
      press: `Overwrite ${oneLine(nameOf(target))}`,
      back: "Keep it as it is",
      material: [
        { label: "Backup", value: code(name) },
        { label: "Listed", value: listed ? "yes" : "the game module lists none" },
      ],
      shown,
    };
  },
  async run({ client, target, input }) {
    const answered = await restoreGameBackup(client, target.serviceId, input.backup);
    return writtenAnswer(
      `${quotedName(target)} is being put back to the backup. There is no way back to what it held.`,
      answered,
      [stepOf(target, "Show", "show")],
    );
  },
  reconcile: async () => ({
    is: "unsure",
    text: "The game module does not tell whether a backup was put back. Look at what the server holds.",
  }),
});

export const remove = defineOperation({
  command: "reseller game backup delete",
  summary: "Delete a backup of a game server that you sell on",
  act: deleteGameBackup,
  reads: [listGameBackups, readService],
  risk: "destroy",
  verb: "Delete backup",
  target: game,
  input: z.object({ backup: idField("Backup") }),
  choices: { backup: backupChoices },
  typed: ["backup"],
  async review({ client, target, input }) {
    const listed = await listGameBackups(client, target.serviceId);
    const { name, shown, before } = reviewedRow(listed, input.backup, "backup");
    return {
      consequence: `The backup ${code(name)} of ${quotedName(target)} is deleted: nothing can be restored from it again.`,
      press: `Delete backup ${oneLine(name)}`,
      back: "Keep it",
      material: [{ label: "Backup", value: code(name) }],
      shown,
      before,
    };
  },
  async run({ client, target, input }) {
    await deleteGameBackup(client, target.serviceId, input.backup);
    return {
      text: `A backup of ${quotedName(target)} is deleted. There is no way back.`,
      next: [stepOf(target, "Backups", "backups")],
    };
  },
  reconcile: async ({ client, target, input }, { before }) =>
    goneFrom(await listGameBackups(client, target.serviceId), input.backup, before),
});
