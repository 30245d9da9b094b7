import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import {
  changeGameBackupAt,
  changeGameBackups,
  createGameBackup,
  deleteGameBackup,
  listGameBackups,
  restoreGameBackup,
} from "../../../platform/reseller/game/backups.ts";
import { code, oneLine } from "../../../views/text.ts";
import { nameOf } from "../service/service.ts";
import { bodyField, idField, parseBody, parseOptionalBody, quotedName } from "./game.ts";
import { addsTo, chosenFrom, gameList, reconcileGone, rowReview } from "./rows.ts";
import { gameWrite } from "./table.ts";

const list = gameList("backup", {
  summary: "List the backups of a resold game server",
  list: listGameBackups,
  next: { "Back up now": "backup create", "Delete one…": "backup delete" },
  press: ["Restore…", "backup restore"],
});

const create = gameWrite("backup create", {
  ...addsTo(listGameBackups),
  summary: "Start a backup of a resold game server",
  act: createGameBackup,
  risk: "change",
  verb: "Back up",
  input: z.object({ body: bodyField.optional() }),
  send: (client, id, { body }) => createGameBackup(client, id, parseOptionalBody(body)),
  done: (server) => `A backup of ${server} was started.`,
  next: { Backups: "backups" },
});

const change = gameWrite("backup change", {
  ...chosenFrom("backup", listGameBackups),
  summary: "Change a backup of a game server, or what holds for all of them",
  act: changeGameBackups,
  risk: "change",
  verb: "Change backup",
  input: z.object({
    body: bodyField,
    backup: idField("Backup").optional().meta({
      title: "Backup",
      description: "Left empty, it is sent to the list of them, and the body says which is meant",
    }),
  }),
  send: (client, id, { body, backup }) =>
    backup === undefined
      ? changeGameBackups(client, id, parseBody(body))
      : changeGameBackupAt(client, id, backup, parseBody(body)),
  done: (server, { backup }) =>
    `The change of ${backup === undefined ? "the backups" : `the backup ${code(backup)}`} of ${server} was taken.`,
  next: { Backups: "backups" },
  reconcile: unsure("`/reseller game backups` tells how they are."),
});

const overwriting = rowReview("backup", "Backup", listGameBackups, (name, server) => ({
  consequence: `What ${quotedName(server)} holds now is overwritten with the backup ${code(name)}. This cannot be undone.`,
  press: `Overwrite ${oneLine(nameOf(server))}`,
  back: "Keep it as it is",
}));

const restore = gameWrite("backup restore", {
  ...chosenFrom("backup", listGameBackups),
  summary: "Put a game server back to one of its backups; what it holds now is overwritten",
  act: restoreGameBackup,
  risk: "destroy",
  verb: "Restore backup",
  input: z.object({ backup: idField("Backup") }),
  async review(call) {
    const { isListed, preconditions, ...review } = await overwriting(call);
    const text = isListed ? "yes" : "the game module lists none";
    return { ...review, preconditions: { ...preconditions, listed: { value: isListed, label: "Listed", text } } };
  },
  send: (client, id, { backup }) => restoreGameBackup(client, id, backup),
  done: (server) => `${server} is being put back to the backup. There is no way back to what it held.`,
  next: { Show: "show" },
  reconcile: unsure("The game module does not tell whether a backup was put back. Look at what the server holds."),
});

const remove = gameWrite("backup delete", {
  ...chosenFrom("backup", listGameBackups),
  summary: "Delete a backup of a resold game server",
  act: deleteGameBackup,
  risk: "destroy",
  verb: "Delete backup",
  input: z.object({ backup: idField("Backup") }),
  review: rowReview("backup", "Backup", listGameBackups, (name, server) => ({
    consequence: `The backup ${code(name)} of ${quotedName(server)} is deleted: nothing can be restored from it again.`,
    press: `Delete backup ${oneLine(name)}`,
    back: "Keep it",
  })),
  send: (client, id, { backup }) => deleteGameBackup(client, id, backup),
  done: (server) => `A backup of ${server} is deleted. There is no way back.`,
  next: { Backups: "backups" },
  reconcile: reconcileGone("backup", listGameBackups),
});

export const backupOperations = [list, create, change, restore, remove];
