import * as z from "zod";
import { uploadSchema } from "../../../operation/input.ts";
import { uploadBytes } from "../../../platform/reseller/game/files.ts";
import {
  installMod,
  listMods,
  readModProject,
  readModSources,
  readModVersions,
  removeMod,
  searchMods,
  uploadMod,
} from "../../../platform/reseller/game/mods.ts";
import { plainly } from "../../../process/plain-text.ts";
import { code } from "../../../views/text.ts";
import { paramsWords } from "../../kits/provider-action.ts";
import { type Buttons, bodyField, idField, mergeQuery, parseBody, queryField, unnamedFields } from "./game.ts";
import { gameRead, gameWrite, moduleList } from "./table.ts";

const mods = moduleList("mod", listMods);

const list = mods.operation({
  summary: "List the mods of a resold game server",
  example: "/reseller game mods arena-1",
  next: { "Search…": "mod search", "Install…": "mod install" },
  press: ["Remove…", "mod remove"],
});

const sources = gameRead("mod sources", {
  summary: "List the mod sources of a game server",
  example: "/reseller game mod sources arena-1",
  act: readModSources,
  input: z.object({}),
  headline: (server) => `Mod sources of ${server}`,
  next: { "Search…": "mod search" },
});

const search = gameRead("mod search", {
  phrase: "Search mods",
  summary: "Search for mods for a game server",
  example: "/reseller game mod search arena-1 text=map",
  act: searchMods,
  input: z.object({ text: z.string().trim().min(1).max(200).meta({ title: "Text" }), query: queryField }),
  // The spec does not name the field of the search words, so both usual names are sent.
  query: ({ text, query }) => mergeQuery(query, { query: text, q: text }),
  headline: (server, { text }) => `Mods for ${server} that match ${code(text)}`,
  next: { "Install…": "mod install" },
});

const projectInput = z.object({
  project: z.string().trim().min(1).max(200).meta({ title: "Project", description: "Its id from the search" }),
  query: queryField,
});

/** The spec does not name the field of the project, so each usual name is sent. */
function projectQuery({ project, query }: z.output<typeof projectInput>) {
  return mergeQuery(query, { project, projectId: project, id: project });
}

const versions = gameRead("mod versions", {
  summary: "List the versions of a mod for a game server",
  example: "/reseller game mod versions arena-1 project=deep-caves",
  act: readModVersions,
  input: projectInput,
  query: projectQuery,
  headline: (_, { project }) => `Versions of ${code(project)}`,
  next: { "Install…": "mod install" },
});

const show = gameRead("mod show", {
  phrase: "Show a mod",
  summary: "Show a mod as its source describes it",
  example: "/reseller game mod show arena-1 project=deep-caves",
  act: readModProject,
  input: projectInput,
  query: projectQuery,
  headline: (_, { project }) => `The mod ${code(project)}`,
  next: { Versions: "mod versions" },
  carry: ({ project }) => ({ project }),
});

/** A mod is loaded when the server starts. */
const modsAndRestart: Buttons = { Mods: "mods", Restart: "restart" };

const install = gameWrite("mod install", {
  ...mods.addition,
  summary: "Install a mod on a resold game server",
  example: '/reseller game mod install arena-1 body="project=deep-caves version=2.9.1"',
  act: installMod,
  verb: "Install mod on",
  input: z.object({ body: bodyField }),
  send: (client, id, { body }) => installMod(client, id, parseBody(body)),
  done: (server) => `${server} accepted the mod. The server may need a restart to load it.`,
  next: modsAndRestart,
});

const upload = gameWrite("mod upload", {
  ...mods.addition,
  summary: "Install a mod of your own on a game server, from a file in Slack",
  example: "/reseller game mod upload arena-1",
  act: uploadMod,
  verb: "Upload mod to",
  input: z.object({
    file: uploadSchema(uploadBytes),
    body: bodyField.optional().meta({
      title: "More values",
      format: "lines",
      description: `Values beside name and content: ${paramsWords}. ${unnamedFields} No secrets: they are shown`,
    }),
  }),
  send: (client, id, { file, body }) =>
    uploadMod(client, id, { name: file.name, content: file.content, ...(body === undefined ? {} : parseBody(body)) }),
  done: (server, { file }) => `${server} accepted ${code(file.name)}. The server may need a restart to load it.`,
  next: modsAndRestart,
});

const remove = gameWrite("mod remove", {
  ...mods.removal((name, server) => ({
    consequence: `This will remove the mod ${code(name)} from ${server}. Parts of a world that use the mod may be lost at the next start. To get your own mod back, upload it again.`,
    press: plainly`Remove ${name}`,
    back: "Keep it",
  })),
  summary: "Remove a mod from a resold game server",
  example: '/reseller game mod remove arena-1 mod="Fair Weather"',
  act: removeMod,
  verb: "Remove mod from",
  input: z.object({ mod: idField("Mod") }),
  send: (client, id, { mod }) => removeMod(client, id, mod),
  done: (server) => `A mod was removed from ${server}.`,
  next: modsAndRestart,
});

export const modOperations = [list, search, show, versions, sources, install, upload, remove];
