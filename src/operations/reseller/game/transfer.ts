import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { fileField } from "../../../operation/input.ts";
import { downloadGameFile, uploadBytes, uploadGameFile } from "../../../platform/reseller/game/files.ts";
import { listMods, uploadMod } from "../../../platform/reseller/game/mods.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { bytes } from "../../../views/format.ts";
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, mergeQuery, parseBody, queryField } from "./fields.ts";
import { pathField } from "./files.ts";
import { game, quotedName, stepOf, writtenAnswer } from "./game.ts";
import { idsIn, newIn } from "./rows.ts";

export const download = defineOperation({
  command: "reseller game file download",
  summary: "Send you a file of a game server, 16 MB at most, in your messages with me",
  act: downloadGameFile,
  reads: [readService],
  risk: "read",
  target: game,
  personal: true,
  input: z.object({ path: pathField, query: queryField }),
  async run({ client, target, input: { path, query } }) {
    const usual = { path, file: path };
    const { content, name } = await downloadGameFile(client, target.serviceId, mergeQuery(query, usual));
    const where = `${code(path)} on ${quotedName(target)}`;
    // Slack refuses files without content.
    if (content.length === 0) return { text: `${where} is empty: there is nothing to send.` };
    const called = oneLine(name ?? path.split("/").at(-1) ?? "") || "file";
    return { text: `${where}, ${bytes(content.length)}.`, file: { name: called, content } };
  },
});

export const upload = defineOperation({
  command: "reseller game file upload",
  summary: "Put a file from Slack on a game server; one of the same name is replaced",
  act: uploadGameFile,
  reads: [readService],
  risk: "destroy",
  verb: "Upload file",
  target: game,
  input: z.object({
    path: pathField.default("/").meta({ title: "Folder", description: "Where it goes; the root unless you name one" }),
    file: fileField(uploadBytes),
  }),
  review: async ({ target, input: { path, file } }) => ({
    consequence: `The file ${code(file.name)} is put into ${code(path)} on ${quotedName(target)}. One of that name is overwritten, and what it held is lost.`,
    press: `Upload ${oneLine(file.name)}`,
    back: "Leave it as it is",
  }),
  async run({ client, target, input: { path, file } }) {
    const content = Buffer.from(file.content, "base64");
    const answered = await uploadGameFile(client, target.serviceId, { path, name: file.name, content });
    return writtenAnswer(`${code(file.name)} is in ${code(path)} on ${quotedName(target)}.`, answered, [
      stepOf(target, "Files", "files", { path }),
    ]);
  },
  reconcile: async () => ({ is: "unsure", text: "`/reseller game files` tells what is there." }),
});

export const uploadOwnMod = defineOperation({
  command: "reseller game mod upload",
  summary: "Install a mod of your own on a game server, from a file in Slack",
  act: uploadMod,
  reads: [listMods, readService],
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
    const sent = { name: file.name, content: file.content, ...(body === undefined ? {} : parseBody(body)) };
    const answered = await uploadMod(client, target.serviceId, sent);
    return writtenAnswer(
      `${quotedName(target)} took ${code(file.name)}. It may need a restart to be loaded.`,
      answered,
      [stepOf(target, "Mods", "mods"), stepOf(target, "Restart", "restart")],
    );
  },
  reconcile: async ({ client, target }, { before }) => newIn(await listMods(client, target.serviceId), before),
});
