import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { listGameFiles, readGameFile, readGameFileContents } from "../../../platform/reseller/game/files.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { code } from "../../../views/text.ts";
import { mergeQuery, queryField } from "./fields.ts";
import { game, quotedName, readAnswer, stepOf } from "./game.ts";

// A file may contain secrets, so only the member who reads it sees the answer.
const reading = { risk: "read", target: game, personal: true } as const;

/** The whole path of a file or folder on the server. */
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
  act: listGameFiles,
  reads: [readService],
  input: z.object({ path: pathField.default("/"), query: queryField }),
  async run({ client, target, input: { path, query } }) {
    // The spec does not name the field of the folder, so both usual names are sent.
    const found = await listGameFiles(client, target.serviceId, mergeQuery(query, { path, directory: path }));
    return readAnswer(`${code(path)} on ${quotedName(target)}`, found, [
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
  act: readGameFile,
  reads: [readService],
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const found = await readGameFile(client, target.serviceId, mergeQuery(query, { path, file: path }));
    return readAnswer(`${code(path)} on ${quotedName(target)}`, found, [stepOf(target, "Files", "files")]);
  },
});

export const contents = defineOperation({
  ...reading,
  command: "reseller game file contents",
  summary: "Read the bare contents of a file of a game server",
  act: readGameFileContents,
  reads: [readService],
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const found = await readGameFileContents(client, target.serviceId, mergeQuery(query, { path, file: path }));
    return readAnswer(`The contents of ${code(path)} on ${quotedName(target)}`, found, [
      stepOf(target, "Files", "files"),
    ]);
  },
});
