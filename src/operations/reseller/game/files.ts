import * as z from "#zod";
import { rowButton } from "../../../messages/answers/buttons.ts";
import { actsMenu } from "../../../messages/answers/menus.ts";
import { type Answer, type Step, unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import {
  downloadGameFile,
  listGameFiles,
  openGameFileLink,
  readGameFile,
  readGameFileContents,
} from "../../../platform/reseller/game/files.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { characters } from "../../../process/plain-text.ts";
import { labelledSecrets, partSecrets } from "../../../process/secret-parts.ts";
import { actions, type Block, section } from "../../../views/blocks.ts";
import { bytes } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { code, count, oneLine } from "../../../views/text.ts";
import { wholeLines } from "../../kits/lines.ts";
import { makeBody, pathInput } from "./file-changes.ts";
import { game, isAccepted, mergeQuery, queryField, readAnswer, requireAccepted, stepsOf } from "./game.ts";
import {
  entryOf,
  type FileEntry,
  fileActs,
  folderOf,
  folderQuery,
  nameIn,
  pathField,
  realPath,
  typable,
} from "./paths.ts";

const list = defineOperation({
  command: "reseller game files",
  agents: "never",
  summary: "List the files in a folder of a game server; the root by default",
  example: "/reseller game files arena-1",
  act: listGameFiles,
  risk: "read",
  target: game,
  personal: true,
  input: z.object({ path: pathField.default("/"), query: queryField }),
  async run({ client, target, input, may, name }) {
    const path = await realPath(client, target.serviceId, input.path);
    const { answer, rows } = await listGameFiles(client, target.serviceId, mergeQuery(input.query, folderQuery(path)));
    const headline = `${code(typable(path), mostPath)} on ${name}`;
    const next = [
      ...(path === "/" ? [] : stepsOf(target, { "One folder up": "files" }, { path: folderOf(path) })),
      ...stepsOf(target, { "Upload…": "file upload", "New folder…": "file mkdir" }, { path }),
      ...stepsOf(target, { "New file…": "file write" }),
    ];
    if (rows.length === 0) return readAnswer(headline, partSecrets(answer), next);
    const offered = (acts: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(acts)
          .filter(([, verb]) => may(`reseller game ${verb}`) && isAccepted(target, verb))
          .map(([label, verb]) => [label, `reseller game ${verb}`]),
      );
    const entries = rows.map((row) => entryOf(row, path)).toSorted(foldersFirst);
    const blocks = entries.flatMap((entry) => entryBlocks(entry, target, offered(fileActs(entry))));
    const amount = count(rows.length, "entry", "entries");
    return { text: `${headline}: ${amount}.`, blocks: [section(`*${headline}*: ${amount}.`), ...blocks], next };
  },
});

/** A path is shown whole, so that it can be copied. */
const mostPath = 1_000;

function foldersFirst(one: FileEntry, other: FileEntry): number {
  return Number(other.isFolder ?? false) - Number(one.isFolder ?? false) || one.name.localeCompare(other.name, "en");
}

const icons = { true: ":file_folder:", false: ":page_facing_up:", null: ":grey_question:" } as const;

/** A row with its acts in a menu; as buttons if its path is too long for Slack's menu. */
function entryBlocks(
  { path, isFolder, rest }: FileEntry,
  { serviceId: target }: Service,
  acts: Record<string, string>,
): Block[] {
  const detail = wholeLines(detailOf(rest, isFolder), 450);
  const text = `${icons[`${isFolder}`]} ${code(typable(path), mostPath)}${detail === "" ? "" : `\n${detail}`}`;
  const menu = actsMenu(acts, { target, input: { path } });
  if (menu) return [section(text, menu)];
  const buttons = Object.entries(acts).map(([label, command]) =>
    rowButton(label, { command, target, input: { path } }, ""),
  );
  return [section(text), ...actions(buttons)];
}

const sizeKey = /^(size|bytes|length|size_?bytes)$/i;

/** "4 KiB" and the fields beside the size. A folder has no size of its own, and what is surely an empty file is called so. */
function detailOf(fields: FileEntry["rest"], isFolder: boolean | null): string[] {
  const { rest } = partSecrets(fields);
  const all = Object.entries(rest ?? {});
  const [, size] = all.find(([key, value]) => sizeKey.test(key) && typeof value === "number") ?? [];
  const others = Object.fromEntries(all.filter(([key]) => size === undefined || !sizeKey.test(key)));
  const words = typeof size !== "number" || isFolder ? [] : [size === 0 && isFolder === false ? "empty" : bytes(size)];
  return [...words, ...(Object.keys(others).length > 0 ? jsonLines(others) : [])];
}

/** The spec does not name the field of the file, so both usual names are sent. */
function fileQuery(path: string, query: string | undefined) {
  return mergeQuery(query, { path, file: path });
}

const fileInput = z.object({ path: pathField, query: queryField });

/** The buttons under a file that was read. */
function fileSteps(target: Service, path: string): Step[] {
  const acts = Object.entries(fileActs({ name: nameIn(path), isFolder: false })).filter(([label]) => label !== "Open");
  return [
    ...stepsOf(target, Object.fromEntries(acts), { path }),
    ...stepsOf(target, { "Open the folder": "files" }, { path: folderOf(path) }),
  ];
}

interface FileRead {
  summary: string;
  example: `/reseller ${string}`;
  phrase: string;
  act: typeof readGameFile | typeof readGameFileContents;
  /** The words before the path. */
  headline: string;
}

function fileRead(verb: string, { headline, ...row }: FileRead) {
  return defineOperation({
    ...row,
    command: `reseller game ${verb}`,
    agents: "never",
    reads: [readService, listGameFiles],
    risk: "read",
    target: game,
    personal: true,
    input: fileInput,
    async run({ client, target, input, name }): Promise<Answer> {
      const path = await realPath(client, target.serviceId, input.path);
      const found = await row.act(client, target.serviceId, fileQuery(path, input.query));
      const words = `${headline}${code(typable(path), mostPath)} on ${name}`;
      return readAnswer(words, partSecrets(decoded(found)), fileSteps(target, path));
    },
  });
}

const read = fileRead("file read", {
  phrase: "Read a file",
  summary: "Read a file of a game server, as its game module sends it",
  example: "/reseller game file read arena-1 path=/server.properties",
  act: readGameFile,
  headline: "",
});
const contents = fileRead("file contents", {
  phrase: "Show file contents",
  summary: "Read only the contents of a file of a game server",
  example: "/reseller game file contents arena-1 path=/server.properties",
  act: readGameFileContents,
  headline: "The contents of ",
});

const Encoded = z.looseObject({ encoding: z.literal("base64") });

/** Text that the module sends in base64, and says so, as text; what is no text stays encoded. */
function decoded(found: unknown): unknown {
  const { success, data } = Encoded.safeParse(found);
  if (!success) return found;
  const { encoding, ...fields } = data;
  const texts = Object.entries(fields).map(([name, value]) => [name, isContent(name) ? textIn(value) : null] as const);
  if (texts.every(([, text]) => text === null)) return found;
  return { ...fields, ...Object.fromEntries(texts.filter(([, text]) => text !== null)) };
}

function isContent(name: string): boolean {
  return /^(contents?|data|text|body)$/i.test(name);
}

/** Null where the bytes are no text. */
function textIn(value: unknown): string | null {
  const { success, data } = z.base64().safeParse(value);
  if (!success) return null;
  const text = Buffer.from(data, "base64").toString("utf8");
  return text.includes("\u0000") || text.includes("\ufffd") ? null : text;
}

const download = defineOperation({
  command: "reseller game file download",
  agents: "never",
  phrase: "Download a file",
  summary: "Send you a file of a game server as a direct message, 16 MiB at most",
  example: "/reseller game file download arena-1 path=/server.properties",
  act: downloadGameFile,
  reads: [readService, listGameFiles],
  risk: "read",
  target: game,
  personal: true,
  input: fileInput,
  async run({ client, target, input, name }) {
    const path = await realPath(client, target.serviceId, input.path);
    const { content, name: sent } = await downloadGameFile(client, target.serviceId, fileQuery(path, input.query));
    const where = `${code(path, mostPath)} on ${name}`;
    // Slack refuses files without content.
    if (content.length === 0) return { text: `${where} is empty: there is nothing to send.` };
    const called = characters(oneLine(sent ?? nameIn(path), "file"));
    return { text: `${where}, ${bytes(content.length)}.`, file: { name: called, content } };
  },
});

const link = defineOperation({
  command: "reseller game file link",
  group: "data",
  summary: "Make a download link for a file of a game server, shown once; anyone with the link can use it",
  example: '/reseller game file link arena-1 body="path=/server.properties"',
  act: openGameFileLink,
  reads: [readService, listGameFiles],
  risk: "change",
  effects: [],
  verb: "Make a file link on",
  target: game,
  usable: ({ target }) => requireAccepted(target, "file link"),
  input: pathInput,
  async run({ client, target, input, name }) {
    const body = await makeBody(client, target.serviceId, input, (path) => ({ path }));
    const { secrets } = await openGameFileLink(client, target.serviceId, body);
    return {
      text:
        secrets.length > 0
          ? `A download link for a file of ${name} is in the requester's direct messages with me.`
          : `The game module of ${name} accepted the request, but sent no link.`,
      next: stepsOf(target, { Files: "files" }),
      secrets: labelledSecrets(secrets),
    };
  },
  reconcile: unsure("Nobody saw the first link. Making another one is safe."),
});

/** In the order of the guide. */
export const fileOperations = [list, read, contents, download, link];
