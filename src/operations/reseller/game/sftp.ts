import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { readSftp, rotateSftp } from "../../../platform/reseller/game/sftp.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { game, partedAnswer, quotedName, stepOf } from "./game.ts";

export const show = defineOperation({
  command: "reseller game sftp",
  summary: "Show how the files of a game server are reached by SFTP; its password is not shown",
  act: readSftp,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  run: async ({ client, target }) =>
    partedAnswer(`SFTP of ${quotedName(target)}`, await readSftp(client, target.serviceId), [
      stepOf(target, "New password", "sftp rotate"),
    ]),
});

export const rotate = defineOperation({
  command: "reseller game sftp rotate",
  summary: "Give a game server a new SFTP password, shown once; the one before no longer works",
  act: rotateSftp,
  reads: [readService],
  risk: "change",
  verb: "New SFTP password",
  target: game,
  input: z.object({}),
  interrupts: "The password that your customer has no longer works: they need the new one from you.",
  async run({ client, target }) {
    const { secrets } = await rotateSftp(client, target.serviceId);
    const note =
      secrets.length > 0
        ? "It is for who asked alone, once."
        : "The game module did not tell it: it is read in the supplier's panel.";
    return {
      text: `${quotedName(target)} has a new SFTP password; the one before no longer works. ${note}`,
      next: [stepOf(target, "SFTP", "sftp")],
      secrets: secrets.map(({ name, value }) => ({ label: name, value })),
    };
  },
  reconcile: async () => ({
    is: "unsure",
    text: "If it was done, nobody has the new password. Ask for another: only the last one holds.",
  }),
});
