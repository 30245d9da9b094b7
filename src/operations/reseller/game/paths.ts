import * as z from "#zod";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type FileRow, listGameFiles } from "../../../platform/reseller/game/files.ts";
import { asShown } from "../../../views/text.ts";

const marks: Record<string, string> = {
  '"': '"',
  "“": "”",
  "„": "“",
  "”": "”",
  "'": "'",
  "‘": "’",
  "`": "`",
  "«": "»",
};

/** Nobody nests more marks, and each pair reads the whole path again. */
const mostPairs = 10;

/** A path without the marks that it was copied with: code marks, or the quotes that a command needs around blanks. */
function withoutMarks(typed: string): string {
  let path = typed.trim();
  for (let pairs = 0; pairs < mostPairs; pairs += 1) {
    const closing = marks[path.charAt(0)];
    if (path.length < 2 || closing === undefined || !path.endsWith(closing)) break;
    path = path
      .slice(1, -1)
      .replaceAll(/\\(["“”„‟\\])/g, "$1")
      .trim();
  }
  return path;
}

/** The whole path of a file or folder on the server. */
export const pathField = z
  .string()
  .overwrite(withoutMarks)
  .min(1)
  .max(1_000)
  .meta({ title: "Path", description: "From the root of the server, such as /config" });

/** A path as it must be typed in a command: in quotes if it has blanks or quotes. */
export function typable(path: string): string {
  return /^[\p{L}\p{N}_.:/@#+-]+$/u.test(path) ? path : `"${path.replaceAll(/[\\"“”„‟]/g, "\\$&")}"`;
}

/** The lookbehind keeps a long run of slashes from being read again from each of them. */
const slashesAtEnd = /(?<!\/)\/+$/;

export function folderOf(path: string): string {
  return path.replace(slashesAtEnd, "").replace(/\/[^/]*$/, "") || "/";
}

export function nameIn(path: string): string {
  return path.replace(slashesAtEnd, "").split("/").at(-1) ?? "";
}

function join(folder: string, name: string): string {
  return `${folder.replace(slashesAtEnd, "")}/${name.replace(/^\/+/, "")}`;
}

/** The new path of a file that is renamed: a bare name stays in the file's folder. */
export function renamedTo(path: string, to: string): string {
  return to.startsWith("/") ? to : join(folderOf(path), to);
}

/** A file or folder of a listing. `isFolder` is null where the listing does not tell. */
export interface FileEntry {
  name: string;
  path: string;
  isFolder: boolean | null;
  /** The other fields. */
  rest: Record<string, unknown>;
}

/** The entry of a row in the listing of `folder`. The spec shows no fields, so that the usual ones are read. Reseller spec section 4. */
export function entryOf(row: FileRow, folder: string): FileEntry {
  const { name: given, path: at, ...others } = row;
  const name = (given ?? nameIn(at ?? "")).replace(/(?<=^.|[^/])\/+$/, "");
  const isShown = (key: string, value: unknown) =>
    kindKeys.has(bare(key)) && (typeof value === "boolean" || /^(type|kind)$/.test(key));
  const rest = Object.fromEntries(Object.entries(others).filter(([key, value]) => !isShown(key, value)));
  return { name: nameIn(name) || name, path: pathOf(name, at, folder), isFolder: isFolder(row), rest };
}

/** `at` is the whole path, or the folder that it lies in. */
function pathOf(name: string, at: string | undefined, folder: string): string {
  if (at === undefined || at === "") return join(folder, name);
  const whole = at.startsWith("/") ? at : `/${at}`;
  return nameIn(whole) === nameIn(name) ? whole.replace(/(?<=^.|[^/])\/+$/, "") : join(whole, name);
}

const kindKeys = new Set(["type", "kind", "isdirectory", "isdir", "isfolder", "directory", "dir", "folder", "isfile"]);

function isFolder(row: FileRow): boolean | null {
  if (/\/$/.test(row.name ?? row.path ?? "")) return true;
  const said = Object.entries(row).map(([key, value]) => saysFolder(bare(key), value));
  return said.find((one) => one !== null) ?? null;
}

/** True or false if this value of the row says so; else null. */
function saysFolder(name: string, value: unknown): boolean | null {
  if (!kindKeys.has(name) && !/^(mode|permissions)$/.test(name)) return null;
  if (typeof value === "boolean") return name === "isfile" ? !value : value;
  if (typeof value !== "string") return null;
  if (/^(d|dir|directory|folder)$|^d[r-][w-][xsStT-]/i.test(value)) return true;
  return /^(-|f|file|regular|regular file)$|^-[r-][w-][xsStT-]/i.test(value) ? false : null;
}

function bare(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, "");
}

const plainName = /^[A-Za-z0-9_.:@#+-]*$/;

/**
 * The path on the server that a member means. Slack shows a name with one blank for two, keyboards change its quotes, and letters are
 * composed in two ways: such a name is looked up in its folder. The typed path itself comes first.
 */
export async function realPath(client: ResellerClient, id: string, path: string): Promise<string> {
  let found = "";
  for (const part of path.split("/").filter((one) => one !== ""))
    found += `/${plainName.test(part) ? part : await nameLike(client, id, found || "/", part)}`;
  return path.startsWith("/") && found !== "" ? `${found}${path.endsWith("/") ? "/" : ""}` : path;
}

async function nameLike(client: ResellerClient, id: string, folder: string, part: string): Promise<string> {
  const names = await namesIn(client, id, folder);
  if (names.includes(part)) return part;
  const alike = names.filter((name) => asTyped(name) === asTyped(part));
  const [only] = alike;
  return only !== undefined && alike.length === 1 ? only : part;
}

/** No names where the folder cannot be listed: the platform then judges the path as it was typed. */
async function namesIn(client: ResellerClient, id: string, folder: string): Promise<string[]> {
  try {
    const { rows } = await listGameFiles(client, id, folderQuery(folder));
    return rows.map((row) => entryOf(row, folder).name);
  } catch (error) {
    if (error instanceof PlatformRefused && error.auth === undefined) return [];
    throw error;
  }
}

function asTyped(name: string): string {
  return asShown(name)
    .replaceAll(/[“”„‟]/g, '"')
    .replaceAll(/[‘’‚‛]/g, "'");
}

/** The spec does not name the field of the folder, so both usual names are sent. */
export function folderQuery(path: string): { path: string; directory: string } {
  return { path, directory: path };
}

/** The buttons of one file or folder, by label: the words after `reseller game`. */
export function fileActs({ name, isFolder }: Pick<FileEntry, "name" | "isFolder">): Record<string, string> {
  const isArchive = isFolder === false && /\.(zip|tar|tgz|tar\.\w+|gz|7z|rar)$/i.test(name);
  return {
    ...(isFolder === false ? { Open: "file read" } : {}),
    ...(isFolder === true ? { Open: "files" } : {}),
    ...(isFolder === null ? { "Open as file": "file read", "Open as folder": "files" } : {}),
    ...(isFolder === true ? {} : { Download: "file download" }),
    "Rename…": "file rename",
    ...(isArchive ? { "Unpack…": "file decompress" } : {}),
    "Delete…": "file delete",
  };
}
