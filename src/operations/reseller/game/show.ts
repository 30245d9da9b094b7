import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { readGame, readGameAddons } from "../../../platform/reseller/game/server.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { game, partedAnswer, quotedName, readAnswer, stepOf } from "./game.ts";

export const show = defineOperation({
  command: "reseller game show",
  summary: "Show a game server that you sell on, and what can be done with it",
  act: readGame,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target }) {
    const found = await readGame(client, target.serviceId);
    return partedAnswer(`:video_game: ${quotedName(target)} as its game module tells of it`, found, [
      stepOf(target, "Start", "start"),
      stepOf(target, "Restart", "restart"),
      stepOf(target, "Stop", "stop"),
      stepOf(target, "Files", "files"),
      stepOf(target, "Backups", "backups"),
      stepOf(target, "Schedules", "schedules"),
      stepOf(target, "Mods", "mods"),
      { ...stepOf(target, "Refresh", "show"), replace: true },
    ]);
  },
});

export const addons = defineOperation({
  command: "reseller game addons",
  summary: "List what can be had beside a game server that you sell on",
  act: readGameAddons,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  run: async ({ client, target }) =>
    readAnswer(`Add-ons of ${quotedName(target)}`, await readGameAddons(client, target.serviceId), [
      stepOf(target, "Show", "show"),
    ]),
});
