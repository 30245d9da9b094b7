import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { readModProject, readModSources, readModVersions, searchMods } from "../../../platform/reseller/game/mods.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { code } from "../../../views/text.ts";
import { mergeQuery, queryField } from "./fields.ts";
import { game, quotedName, readAnswer, stepOf } from "./game.ts";

const reading = { risk: "read", target: game } as const;

export const sources = defineOperation({
  ...reading,
  command: "reseller game mod sources",
  summary: "List where mods for a game server can be had",
  act: readModSources,
  reads: [readService],
  input: z.object({}),
  run: async ({ client, target }) =>
    readAnswer(`Where mods for ${quotedName(target)} can be had`, await readModSources(client, target.serviceId), [
      stepOf(target, "Search…", "mod search"),
    ]),
});

export const search = defineOperation({
  ...reading,
  command: "reseller game mod search",
  summary: "Search for mods that a game server can be given",
  act: searchMods,
  reads: [readService],
  input: z.object({ text: z.string().trim().min(1).max(200).meta({ title: "Text" }), query: queryField }),
  async run({ client, target, input: { text, query } }) {
    // The spec does not name the field of the search words, so both usual names are sent.
    const found = await searchMods(client, target.serviceId, mergeQuery(query, { query: text, q: text }));
    return readAnswer(`Mods for ${quotedName(target)} that fit ${code(text)}`, found, [
      stepOf(target, "Install…", "mod install"),
    ]);
  },
});

const project = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ title: "Project", description: "Its id, as the search tells it" });

export const versions = defineOperation({
  ...reading,
  command: "reseller game mod versions",
  summary: "List the versions of a mod that a game server can be given",
  act: readModVersions,
  reads: [readService],
  input: z.object({ project, query: queryField }),
  async run({ client, target, input }) {
    const found = await readModVersions(client, target.serviceId, mergeQuery(input.query, namesOf(input.project)));
    return readAnswer(`Versions of ${code(input.project)}`, found, [stepOf(target, "Install…", "mod install")]);
  },
});

export const show = defineOperation({
  ...reading,
  command: "reseller game mod show",
  summary: "Show what the source tells of a mod",
  act: readModProject,
  reads: [readService],
  input: z.object({ project, query: queryField }),
  async run({ client, target, input }) {
    const found = await readModProject(client, target.serviceId, mergeQuery(input.query, namesOf(input.project)));
    return readAnswer(`The mod ${code(input.project)}`, found, [
      stepOf(target, "Versions", "mod versions", { project: input.project }),
    ]);
  },
});

/** The spec does not name the field of the project, so each usual name is sent. */
function namesOf(project: string) {
  return { project, projectId: project, id: project };
}
