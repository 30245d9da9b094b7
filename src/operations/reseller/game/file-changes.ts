import * as z from "#zod";
import { unsure } from "../../../operation/answer.ts";
import { uploadSchema } from "../../../operation/input.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { GameBody } from "../../../platform/reseller/game/endpoint.ts";
import {
  type FileOperation,
  listGameFiles,
  runFileOperation,
  uploadBytes,
  uploadGameFile,
} from "../../../platform/reseller/game/files.ts";
import { plainly } from "../../../process/plain-text.ts";
import { code, listing } from "../../../views/text.ts";
import { bodyField, gameWrite, parseTexts, unnamedFields } from "./game.ts";
import { folderOf, nameIn, pathField, realPath, renamedTo } from "./paths.ts";

const whole = bodyField.optional().meta({
  title: "More values",
  format: "lines",
  description: `name=value pairs, or a JSON object, over the values above. ${unnamedFields} No secrets: they are shown`,
});

const fields = z
  .object({
    path: pathField,
    to: pathField.meta({ title: "New name", description: "Or its whole new path, from the root" }),
    content: z.string().max(3_000).meta({
      title: "Content",
      format: "lines",
      description: "The whole new content of the file. No secrets: they are shown",
    }),
    mode: z
      .string()
      .trim()
      .regex(/^0?[0-7]{3}$/, "write three digits from 0 to 7.")
      .meta({ title: "Mode", description: "Such as 644" }),
  })
  .partial()
  .extend({ body: whole });
type FileChange = z.output<typeof fields>;
type FileInput = z.ZodObject & z.ZodType<FileChange>;

/** Needs each value, or a body that names them all as the supplier's game module wants it. */
function orBody<I extends FileInput>(input: I): I {
  return input.superRefine((values, context) => {
    if (values.body !== undefined) return;
    const missing = Object.keys(input.shape).filter((name) => name !== "body" && !(name in values));
    for (const name of missing) context.addIssue({ code: "custom", path: [name], message: "this is needed." });
  });
}

export const pathInput = orBody(fields.pick({ path: true, body: true }));

/** The body of a file operation, with the path as the server has it. */
export async function makeBody(
  client: ResellerClient,
  id: string,
  input: FileChange,
  usual: (path: string) => GameBody,
): Promise<GameBody> {
  const { path, body } = input;
  const named = path === undefined ? {} : usual(await realPath(client, id, path));
  return { ...named, ...textsIn(body) };
}

function textsIn(body: string | undefined): GameBody {
  return body === undefined ? {} : parseTexts(body);
}

/** The path that is sent, if it has its usual name. */
function pathIn({ path }: GameBody): string | null {
  return typeof path === "string" ? path : null;
}

/** All files that a body names, under the usual names. The spec does not say which name the game module reads. */
function pathsIn({ path, from, paths }: GameBody): string[] {
  const all = [path, from, ...(Array.isArray(paths) ? paths : [paths])];
  return [...new Set(all.flatMap((one) => (one === undefined ? [] : [asText(one)])))];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * An operation of the game module on its files. `sent` is its body under the usual names, since the spec shows none. `will` says what the
 * body that is sent does to its paths; where it `destroys` something, a person decides first. `presses`: the words before the path on the
 * button.
 */
function fileOperation<I extends FileInput>(
  op: Exclude<FileOperation, "download-url" | "upload">,
  words: {
    summary: string;
    example: `/reseller ${string}`;
    verb: string;
    input: I;
    sent: (path: string, values: FileChange) => GameBody;
    done: (path: string) => string;
    will: (paths: string, body: GameBody) => string;
    destroys?: true;
    presses?: string;
  },
) {
  const { summary, example, verb, input, sent, done, will, destroys, presses = verb.split(" ")[0] ?? verb } = words;
  return gameWrite(`file ${op}`, {
    summary,
    example,
    act: runFileOperation,
    list: listGameFiles,
    risk: destroys ? "destroy" : "change",
    input,
    verb,
    review: async ({ client, target, input, name }) => {
      const body = await makeBody(client, target.serviceId, input, (path) => sent(path, input));
      const path = pathIn(body);
      const paths = pathsIn(body);
      return {
        consequence: `On ${name}, ${will(fileNames(paths), body)}.${destroys ? " Only a backup brings the old data back." : ""}`,
        back: "Leave it as it is",
        ...(path === null || paths.length > 1 ? {} : { press: plainly`${presses} ${nameIn(path)}` }),
        // A typed path is looked up: the file that it means must still be the one that was shown.
        ...(path === null || input.path === undefined ? {} : { preconditions: { path: nameIs("Path", path) } }),
      };
    },
    send: async (client, id, input) => {
      const body = await makeBody(client, id, input, (path) => sent(path, input));
      return runFileOperation(client, id, op, body);
    },
    done: (server, { path, body }) => `On ${server}, ${done(fileNames(pathsIn({ path, ...textsIn(body) })))}.`,
    next: { Files: "files" },
    carry: ({ path }) => (path === undefined ? undefined : { path: folderOf(path) }),
    reconcile: unsure("`/reseller game files` shows the files."),
  });
}

function fileNames(paths: readonly string[]): string {
  return paths.length === 0 ? "the path in the body" : listing(paths.map((path) => code(path, 1_000)));
}

const write = fileOperation("write", {
  summary: "Write a file of a game server; the new content replaces the old",
  example: "/reseller game file write arena-1 path=/motd.txt content=Welcome",
  verb: "Write file on",
  input: orBody(fields.pick({ path: true, content: true, body: true })),
  sent: (path, { content }) => ({ path, content }),
  done: (path) => `${path} was written`,
  destroys: true,
  will: (path) => `the new content will replace ${path}, and the old content will be lost`,
});
const mkdir = fileOperation("mkdir", {
  summary: "Make a folder on a game server",
  example: "/reseller game file mkdir arena-1 path=/maps",
  verb: "Make folder on",
  input: pathInput,
  sent: (path) => ({ path }),
  will: (path) => `the folder ${path} will be made`,
  presses: "Make folder",
  done: (path) => `the folder ${path} was made`,
});
const rename = fileOperation("rename", {
  summary: "Rename or move a file or folder of a game server",
  example: "/reseller game file rename arena-1 path=/server.properties to=old.properties",
  verb: "Rename file on",
  input: orBody(fields.pick({ path: true, to: true, body: true })),
  sent: (path, { to = path }) => ({ path, from: path, to: renamedTo(path, to) }),
  will: (path, { to }) => `${path} will be renamed${to === undefined ? "" : ` to ${code(asText(to), 1_000)}`}`,
  done: (path) => `${path} was renamed`,
});
const remove = fileOperation("delete", {
  summary: "Delete files or folders of a game server, with all their contents",
  example: "/reseller game file delete arena-1 path=/server.properties",
  verb: "Delete files on",
  input: pathInput,
  sent: (path) => ({ path, paths: [path] }),
  done: (path) => `${path} was deleted`,
  destroys: true,
  will: (path) => `${path} will be deleted, with all its contents if it is a folder`,
});
const compress = fileOperation("compress", {
  summary: "Pack files or folders of a game server into an archive",
  example: "/reseller game file compress arena-1 path=/server.properties",
  verb: "Pack files on",
  input: pathInput,
  sent: (path) => ({ path, paths: [path] }),
  will: (path) => `an archive of ${path} will be made`,
  done: (path) => `an archive of ${path} was made`,
});
const decompress = fileOperation("decompress", {
  summary: "Unpack an archive on a game server; it overwrites files of the same names",
  example: "/reseller game file decompress arena-1 path=/archive-5.tar.gz",
  verb: "Unpack archive on",
  input: pathInput,
  sent: (path) => ({ path }),
  done: (path) => `the archive ${path} was unpacked`,
  destroys: true,
  will: (path) => `the archive ${path} will be unpacked, and files of the same names will be overwritten`,
});
const chmod = fileOperation("chmod", {
  summary: "Set who may read, write and run a file of a game server",
  example: "/reseller game file chmod arena-1 path=/server.properties mode=644",
  verb: "Set file mode on",
  input: orBody(fields.pick({ path: true, mode: true, body: true })),
  sent: (path, { mode }) => ({ path, mode }),
  will: (path, { mode }) =>
    `the mode of ${path} ${mode === undefined ? "will be set" : `will be ${code(asText(mode))}`}`,
  presses: "Set mode of",
  done: (path) => `the mode of ${path} was set`,
});

const upload = gameWrite("file upload", {
  summary: "Upload a file from Slack to a game server; it replaces a file of the same name",
  example: "/reseller game file upload arena-1",
  act: uploadGameFile,
  risk: "destroy",
  verb: "Upload file to",
  input: z.object({
    path: pathField.default("/").meta({ title: "Folder", description: "The folder for the file; the root by default" }),
    file: uploadSchema(uploadBytes),
  }),
  review: async ({ input: { path, file }, name }) => ({
    consequence: `A file of the same name will be overwritten, and its content lost. This will upload ${code(file.name)} to ${code(path)} on ${name}.`,
    press: plainly`Upload ${file.name}`,
    back: "Leave it as it is",
  }),
  send: (client, id, { path, file }) =>
    uploadGameFile(client, id, { path, name: file.name, content: Buffer.from(file.content, "base64") }),
  done: (server, { path, file }) => `${code(file.name)} is in ${code(path)} on ${server}.`,
  next: { Files: "files" },
  carry: ({ path }) => ({ path }),
  reconcile: unsure("`/reseller game files` shows the files."),
});

/** In the order of the guide. */
export const fileChangeOperations = [upload, write, mkdir, rename, compress, decompress, chmod, remove];
