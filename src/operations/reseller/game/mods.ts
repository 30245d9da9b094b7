import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import { installMod, listMods, removeMod } from "../../../platform/reseller/game/mods.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, idField, parseBody } from "./fields.ts";
import { game, quotedName, stepOf, writtenAnswer } from "./game.ts";
import { goneFrom, idsIn, newIn, reviewedRow, rowChoices, rowsAnswer } from "./rows.ts";

const modChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  rowChoices(await listMods(client, target.serviceId));

export const list = defineOperation({
  command: "reseller game mods",
  summary: "List the mods of a game server that you sell on",
  act: listMods,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target, may }) {
    const command = "reseller game mod remove";
    return rowsAnswer(target, await listMods(client, target.serviceId), {
      one: "mod",
      next: [stepOf(target, "Search…", "mod search"), stepOf(target, "Install…", "mod install")],
      press: may(command) ? { label: "Remove…", command, field: "mod" } : null,
    });
  },
});

export const install = defineOperation({
  command: "reseller game mod install",
  summary: "Install a mod on a game server that you sell on",
  act: installMod,
  reads: [listMods, readService],
  risk: "change",
  verb: "Install mod",
  target: game,
  input: z.object({ body: bodyField }),
  before: async ({ client, target }) => idsIn(await listMods(client, target.serviceId)),
  async run({ client, target, input }) {
    const answered = await installMod(client, target.serviceId, parseBody(input.body));
    return writtenAnswer(`The mod was taken by ${quotedName(target)}. It may need a restart to be loaded.`, answered, [
      stepOf(target, "Mods", "mods"),
      stepOf(target, "Restart", "restart"),
    ]);
  },
  reconcile: async ({ client, target }, { before }) => newIn(await listMods(client, target.serviceId), before),
});

export const remove = defineOperation({
  command: "reseller game mod remove",
  summary: "Remove a mod from a game server that you sell on",
  act: removeMod,
  reads: [listMods, readService],
  risk: "destroy",
  verb: "Remove mod",
  target: game,
  input: z.object({ mod: idField("Mod") }),
  choices: { mod: modChoices },
  typed: ["mod"],
  async review({ client, target, input }) {
    const listed = await listMods(client, target.serviceId);
    const { name, shown, before } = reviewedRow(listed, input.mod, "mod");
    return {
      consequence: `The mod ${code(name)} is taken off ${quotedName(target)}. What a world was built with it may be lost at the next start; one of your own must be uploaded again to have it back.`,
      press: `Remove ${oneLine(name)}`,
      back: "Keep it",
      material: [{ label: "Mod", value: code(name) }],
      shown,
      before,
    };
  },
  async run({ client, target, input }) {
    await removeMod(client, target.serviceId, input.mod);
    return {
      text: `A mod was taken off ${quotedName(target)}.`,
      next: [stepOf(target, "Mods", "mods"), stepOf(target, "Restart", "restart")],
    };
  },
  reconcile: async ({ client, target, input }, { before }) =>
    goneFrom(await listMods(client, target.serviceId), input.mod, before),
});
