import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { readModProject, readModSources, readModVersions, searchMods } from "../../../platform/reseller/game/mods.ts";
import { code } from "../../../views/text.ts";
import { queryField, queryOf } from "./asked.ts";
import { game, named, readAnswer, stepOf } from "./game.ts";

const reading = { api: "reseller", scope: "read", risk: "read", target: game } as const;

export const sources = defineOperation({
  ...reading,
  command: "reseller game mod sources",
  summary: "List where mods for a game server can be had",
  routes: ["GET /services/{id}/game/mods/sources", "GET /services/{serviceId}"],
  input: z.object({}),
  run: async ({ client, target }) =>
    readAnswer(`Where mods for ${named(target)} can be had`, await readModSources(client, target.serviceId), [
      stepOf(target, "Search…", "mod search"),
    ]),
});

export const search = defineOperation({
  ...reading,
  command: "reseller game mod search",
  summary: "Search for mods that a game server can be given",
  routes: ["GET /services/{id}/game/mods/search", "GET /services/{serviceId}"],
  input: z.object({ text: z.string().trim().min(1).max(200).meta({ title: "Text" }), query: queryField }),
  async run({ client, target, input: { text, query } }) {
    // The spec does not name the field of the words: both usual names are sent.
    const found = await searchMods(client, target.serviceId, queryOf(query, { query: text, q: text }));
    return readAnswer(`Mods for ${named(target)} that fit ${code(text)}`, found, [
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
  routes: ["GET /services/{id}/game/mods/versions", "GET /services/{serviceId}"],
  input: z.object({ project, query: queryField }),
  async run({ client, target, input }) {
    const found = await readModVersions(client, target.serviceId, queryOf(input.query, namesOf(input.project)));
    return readAnswer(`Versions of ${code(input.project)}`, found, [stepOf(target, "Install…", "mod install")]);
  },
});

export const show = defineOperation({
  ...reading,
  command: "reseller game mod show",
  summary: "Show what the source tells of a mod",
  routes: ["GET /services/{id}/game/mods/project", "GET /services/{serviceId}"],
  input: z.object({ project, query: queryField }),
  async run({ client, target, input }) {
    const found = await readModProject(client, target.serviceId, queryOf(input.query, namesOf(input.project)));
    return readAnswer(`The mod ${code(input.project)}`, found, [
      stepOf(target, "Versions", "mod versions", { project: input.project }),
    ]);
  },
});

/** The spec does not name the field of the project: each usual name is sent. */
function namesOf(project: string) {
  return { project, projectId: project, id: project };
}
