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
import { plainly } from "../../../process/plain-text.ts";
import { code } from "../../../views/text.ts";
import { soldName } from "../service/service.ts";
import { bodyField, idField, parseBody, parseOptionalBody } from "./game.ts";
import { gameWrite, moduleList } from "./table.ts";

const backups = moduleList("backup", listGameBackups);

const list = backups.operation({
  summary: "List the backups of a resold game server",
  example: "/reseller game backups arena-1",
  next: { "Back up now": "backup create", "Delete one…": "backup delete" },
  press: ["Restore…", "backup restore"],
});

const create = gameWrite("backup create", {
  ...backups.addition,
  summary: "Start a backup of a resold game server",
  example: '/reseller game backup create arena-1 body="name=nightly"',
  act: createGameBackup,
  verb: "Back up",
  input: z.object({ body: bodyField.optional() }),
  send: (client, id, { body }) => createGameBackup(client, id, parseOptionalBody(body)),
  done: (server) => `A backup of ${server} was started.`,
  next: { Backups: "backups" },
});

const change = gameWrite("backup change", {
  ...backups.chosen,
  summary: "Change a backup of a game server, or the settings of all its backups",
  example: '/reseller game backup change arena-1 backup=before-the-patch body="name=weekly"',
  act: changeGameBackups,
  writes: [changeGameBackupAt],
  risk: "change",
  verb: "Change backup of",
  input: z.object({
    body: bodyField,
    backup: idField("Backup").optional().meta({
      title: "Backup",
      description: "If empty, the change goes to the list of backups, and the body names the backup",
    }),
  }),
  send: (client, id, { body, backup }) =>
    backup === undefined
      ? changeGameBackups(client, id, parseBody(body))
      : changeGameBackupAt(client, id, backup, parseBody(body)),
  done: (server, { backup }) =>
    `${server} accepted the change of ${backup === undefined ? "its backups" : `the backup ${code(backup)}`}.`,
  next: { Backups: "backups" },
  reconcile: unsure("`/reseller game backups` shows the backups."),
});

const overwriting = backups.review((name, server, { target }) => ({
  consequence: `The backup ${code(name)} will overwrite the present data of ${server}. This cannot be undone.`,
  press: plainly`Overwrite ${soldName(target)}`,
  back: "Keep it as it is",
}));

const restore = gameWrite("backup restore", {
  ...backups.chosen,
  summary: "Restore a backup of a game server; it overwrites the server's present data",
  example: "/reseller game backup restore arena-1 backup=before-the-patch",
  act: restoreGameBackup,
  risk: "destroy",
  // Its game module may stop it meanwhile.
  effects: [{ aspect: "power", through: ["stopped"], to: [] }],
  verb: "Restore backup of",
  input: z.object({ backup: idField("Backup") }),
  async review(call) {
    const { isListed, preconditions, ...review } = await overwriting(call);
    const text = isListed ? "yes" : "the game module lists no backups";
    return { ...review, preconditions: { ...preconditions, listed: { value: isListed, label: "Listed", text } } };
  },
  send: (client, id, { backup }) => restoreGameBackup(client, id, backup),
  done: (server) => `The game module is restoring the backup of ${server}. The data from before is lost.`,
  next: { Show: "show" },
  reconcile: unsure("The game module does not show if it restored the backup. Check the data on the server."),
});

const remove = gameWrite("backup delete", {
  ...backups.removal((name, server) => ({
    consequence: `This will delete the backup ${code(name)} of ${server}. Nobody can restore it afterwards.`,
    press: plainly`Delete backup ${name}`,
    back: "Keep it",
  })),
  summary: "Delete a backup of a resold game server",
  example: "/reseller game backup delete arena-1 backup=nightly",
  act: deleteGameBackup,
  verb: "Delete backup of",
  input: z.object({ backup: idField("Backup") }),
  send: (client, id, { backup }) => deleteGameBackup(client, id, backup),
  done: (server) => `A backup of ${server} is deleted. This cannot be undone.`,
  next: { Backups: "backups" },
});

export const backupOperations = [list, create, change, restore, remove];
