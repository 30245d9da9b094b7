import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { listGameFiles, readGameFile, readGameFileContents } from "../../../platform/reseller/game/files.ts";
import { code } from "../../../views/text.ts";
import { queryField, queryOf } from "./asked.ts";
import { game, named, readAnswer, stepOf } from "./game.ts";

// What a file holds, nobody can tell before: it is for its asker alone.
const reading = { api: "reseller", scope: "read", risk: "read", target: game, personal: true } as const;

/** A file or folder by its whole path on the server. */
export const pathField = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .meta({ title: "Path", description: "From the root of the server, such as /config" });

export const list = defineOperation({
  ...reading,
  command: "reseller game files",
  summary: "List what lies in a folder of a game server; the root unless you name one",
  routes: ["GET /services/{id}/game/files", "GET /services/{serviceId}"],
  input: z.object({ path: pathField.default("/"), query: queryField }),
  async run({ client, target, input: { path, query } }) {
    // The spec does not name the field of a folder: both usual names are sent.
    const found = await listGameFiles(client, target.serviceId, queryOf(query, { path, directory: path }));
    return readAnswer(`${code(path)} on ${named(target)}`, found, [
      stepOf(target, "Read…", "file read"),
      stepOf(target, "Make folder…", "file mkdir"),
      stepOf(target, "Delete…", "file delete"),
    ]);
  },
});

export const read = defineOperation({
  ...reading,
  command: "reseller game file read",
  summary: "Read a file of a game server, as its game module tells of it",
  routes: ["GET /services/{id}/game/files/read", "GET /services/{serviceId}"],
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const found = await readGameFile(client, target.serviceId, queryOf(query, { path, file: path }));
    return readAnswer(`${code(path)} on ${named(target)}`, found, [stepOf(target, "Files", "files")]);
  },
});

export const contents = defineOperation({
  ...reading,
  command: "reseller game file contents",
  summary: "Read the bare contents of a file of a game server",
  routes: ["GET /services/{id}/game/files/contents", "GET /services/{serviceId}"],
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const found = await readGameFileContents(client, target.serviceId, queryOf(query, { path, file: path }));
    return readAnswer(`The contents of ${code(path)} on ${named(target)}`, found, [stepOf(target, "Files", "files")]);
  },
});
