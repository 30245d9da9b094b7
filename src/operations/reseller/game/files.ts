import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { fileField } from "../../../operation/input.ts";
import {
  downloadGameFile,
  type FileOperation,
  listGameFiles,
  openGameFileLink,
  readGameFile,
  readGameFileContents,
  runFileOperation,
  uploadBytes,
  uploadGameFile,
} from "../../../platform/reseller/game/files.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { bytes } from "../../../views/format.ts";
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, game, mergeQuery, parseTexts, queryField, quotedName, requireAccepted, stepsOf } from "./game.ts";
import { gameRead, gameWrite } from "./table.ts";

/** The whole path of a file or folder on the server. */
const pathField = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .meta({ title: "Path", description: "From the root of the server, such as /config" });

const fileInput = z.object({ path: pathField, query: queryField });

/** The spec does not name the field of the file, so both usual names are sent. */
function fileQuery({ path, query }: z.output<typeof fileInput>) {
  return mergeQuery(query, { path, file: path });
}

const list = gameRead("files", {
  summary: "List what lies in a folder of a game server; the root unless you name one",
  act: listGameFiles,
  personal: true,
  input: z.object({ path: pathField.default("/"), query: queryField }),
  query: ({ path, query }) => mergeQuery(query, { path, directory: path }),
  headline: (server, { path }) => `${code(path)} on ${server}`,
  next: { "Read…": "file read", "Make folder…": "file mkdir", "Delete…": "file delete" },
});
const read = gameRead("file read", {
  summary: "Read a file of a game server, as its game module tells of it",
  act: readGameFile,
  personal: true,
  input: fileInput,
  query: fileQuery,
  headline: (server, { path }) => `${code(path)} on ${server}`,
  next: { Files: "files" },
});
const contents = gameRead("file contents", {
  summary: "Read the bare contents of a file of a game server",
  act: readGameFileContents,
  personal: true,
  input: fileInput,
  query: fileQuery,
  headline: (server, { path }) => `The contents of ${code(path)} on ${server}`,
  next: { Files: "files" },
});

const download = defineOperation({
  command: "reseller game file download",
  summary: "Send you a file of a game server, 16 MB at most, in your messages with me",
  act: downloadGameFile,
  reads: [readService],
  risk: "read",
  target: game,
  personal: true,
  input: fileInput,
  async run({ client, target, input }) {
    const { content, name } = await downloadGameFile(client, target.serviceId, fileQuery(input));
    const where = `${code(input.path)} on ${quotedName(target)}`;
    // Slack refuses files without content.
    if (content.length === 0) return { text: `${where} is empty: there is nothing to send.` };
    const called = oneLine(name ?? input.path.split("/").at(-1) ?? "") || "file";
    return { text: `${where}, ${bytes(content.length)}.`, file: { name: called, content } };
  },
});

/** An operation of the game module on its files. `loses` is what it destroys: a person decides first. */
function fileOperation(
  op: Exclude<FileOperation, "download-url" | "upload">,
  { summary, done, loses }: { summary: string; done: string; loses?: string },
) {
  return gameWrite(`file ${op}`, {
    summary,
    act: openGameFileLink,
    risk: loses === undefined ? "change" : "destroy",
    input: z.object({ body: bodyField }),
    review: async ({ target }) => ({
      consequence:
        loses === undefined ? `${summary}.` : `On ${quotedName(target)}, ${loses}. There is no way back but a backup.`,
      back: "Leave it as it is",
    }),
    send: (client, id, { body }) => runFileOperation(client, id, op, parseTexts(body)),
    done: (server) => `On ${server}, ${done}.`,
    next: { Files: "files" },
    reconcile: unsure("`/reseller game files` tells what is there."),
  });
}

const write = fileOperation("write", {
  summary: "Write a file of a game server; what it held is replaced",
  done: "the file was written",
  loses: "the file is written anew, and what it held before is lost",
});
const mkdir = fileOperation("mkdir", {
  summary: "Make a folder on a game server",
  done: "the folder was made",
});
const rename = fileOperation("rename", {
  summary: "Rename or move a file or folder of a game server",
  done: "it was renamed",
});
const remove = fileOperation("delete", {
  summary: "Delete files or folders of a game server, with all that is in them",
  done: "it was deleted",
  loses: "what is named there is deleted, folders with all that is in them",
});
const compress = fileOperation("compress", {
  summary: "Pack files or folders of a game server into an archive",
  done: "the archive was made",
});
const decompress = fileOperation("decompress", {
  summary: "Unpack an archive on a game server, over what is there",
  done: "the archive was unpacked",
  loses: "the archive is unpacked, and files of the same names are overwritten",
});
const chmod = fileOperation("chmod", {
  summary: "Set who may read, write and run a file of a game server",
  done: "the mode was set",
});

const upload = gameWrite("file upload", {
  summary: "Put a file from Slack on a game server; one of the same name is replaced",
  act: uploadGameFile,
  risk: "destroy",
  verb: "Upload file",
  input: z.object({
    path: pathField.default("/").meta({ title: "Folder", description: "Where it goes; the root unless you name one" }),
    file: fileField(uploadBytes),
  }),
  review: async ({ target, input: { path, file } }) => ({
    consequence: `The file ${code(file.name)} is put into ${code(path)} on ${quotedName(target)}. One of that name is overwritten, and what it held is lost.`,
    press: `Upload ${oneLine(file.name)}`,
    back: "Leave it as it is",
  }),
  send: (client, id, { path, file }) =>
    uploadGameFile(client, id, { path, name: file.name, content: Buffer.from(file.content, "base64") }),
  done: (server, { path, file }) => `${code(file.name)} is in ${code(path)} on ${server}.`,
  next: { Files: "files" },
  carry: ({ path }) => ({ path }),
  reconcile: unsure("`/reseller game files` tells what is there."),
});

const link = defineOperation({
  command: "reseller game file link",
  group: "data",
  summary: "Make a link that downloads a file of a game server: whoever has it can, so that you get it once",
  act: openGameFileLink,
  reads: [readService],
  risk: "change",
  verb: "Make download link",
  target: game,
  usable: ({ target }) => requireAccepted(target, "file link"),
  input: z.object({ body: bodyField }),
  async run({ client, target, input }) {
    const { secrets } = await openGameFileLink(client, target.serviceId, parseTexts(input.body));
    return {
      text:
        secrets.length > 0
          ? `A download link for a file of ${quotedName(target)} was made. It is for who asked alone.`
          : `The game module of ${quotedName(target)} took that, and told no link.`,
      next: stepsOf(target, { Files: "files" }),
      secrets: secrets.map(({ name, value }) => ({ label: name, value })),
    };
  },
  reconcile: unsure("A link that nobody saw harms nobody. Make another."),
});

/** In the order of the guide. */
export const fileOperations = [
  ...[list, read, contents, download, link],
  ...[upload, write, mkdir, rename, compress, decompress, chmod, remove],
];
