import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { fileField } from "../../../operation/input.ts";
import { downloadGameFile, uploadBytes, uploadGameFile } from "../../../platform/reseller/game/files.ts";
import { listMods, uploadMod } from "../../../platform/reseller/game/mods.ts";
import { bytes } from "../../../views/format.ts";
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, bodyOf, queryField, queryOf } from "./asked.ts";
import { pathField } from "./files.ts";
import { game, named, stepOf, writtenAnswer } from "./game.ts";
import { idsIn, newIn } from "./rows.ts";

export const download = defineOperation({
  api: "reseller",
  command: "reseller game file download",
  summary: "Send you a file of a game server, 16 MB at most, in your messages with me",
  routes: ["GET /services/{id}/game/files/download", "GET /services/{serviceId}"],
  scope: "read",
  risk: "read",
  target: game,
  personal: true,
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const usual = { path, file: path };
    const { content, name } = await downloadGameFile(client, target.serviceId, queryOf(query, usual));
    const where = `${code(path)} on ${named(target)}`;
    // Slack takes no file without content.
    if (content.length === 0) return { text: `${where} is empty: there is nothing to send.` };
    const called = oneLine(name ?? path.split("/").at(-1) ?? "") || "file";
    return { text: `${where}, ${bytes(content.length)}.`, file: { name: called, content } };
  },
});

export const upload = defineOperation({
  api: "reseller",
  command: "reseller game file upload",
  summary: "Put a file from Slack on a game server; one of the same name is replaced",
  routes: ["POST /services/{id}/game/files/{op}", "GET /services/{serviceId}"],
  scope: "services",
  risk: "destroy",
  verb: "Upload file",
  target: game,
  input: z.object({
    path: pathField.default("/").meta({ title: "Folder", description: "Where it goes; the root unless you name one" }),
    file: fileField(uploadBytes),
  }),
  review: async ({ target, input: { path, file } }) => ({
    consequence: `The file ${code(file.name)} is put into ${code(path)} on ${named(target)}. One of that name is overwritten, and what it held is lost.`,
    press: `Upload ${oneLine(file.name)}`,
    back: "Leave it as it is",
  }),
  async run({ client, target, input: { path, file } }) {
    const content = Buffer.from(file.content, "base64");
    const answered = await uploadGameFile(client, target.serviceId, { path, name: file.name, content });
    return writtenAnswer(`${code(file.name)} is in ${code(path)} on ${named(target)}.`, answered, [
      stepOf(target, "Files", "files", { path }),
    ]);
  },
  reconcile: async () => ({ is: "unsure", text: "`/reseller game files` tells what is there." }),
});

export const uploadOwnMod = defineOperation({
  api: "reseller",
  command: "reseller game mod upload",
  summary: "Install a mod of your own on a game server, from a file in Slack",
  routes: ["POST /services/{id}/game/mods/upload", "GET /services/{id}/game/mods", "GET /services/{serviceId}"],
  scope: "services",
  risk: "change",
  verb: "Upload mod",
  target: game,
  input: z.object({
    file: fileField(uploadBytes),
    body: bodyField.optional().meta({
      title: "More to send",
      format: "lines",
      description: "name=value pairs, or a JSON object, beside name and content. No secrets: they are shown",
    }),
  }),
  before: async ({ client, target }) => idsIn(await listMods(client, target.serviceId)),
  async run({ client, target, input: { file, body } }) {
    const sent = { name: file.name, content: file.content, ...(body === undefined ? {} : bodyOf(body)) };
    const answered = await uploadMod(client, target.serviceId, sent);
    return writtenAnswer(`${named(target)} took ${code(file.name)}. It may need a restart to be loaded.`, answered, [
      stepOf(target, "Mods", "mods"),
      stepOf(target, "Restart", "restart"),
    ]);
  },
  reconcile: async ({ client, target }, { before }) => newIn(await listMods(client, target.serviceId), before),
});
