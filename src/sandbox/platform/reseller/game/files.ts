import { badField, badRequest, notFound } from "../../http/refusal.ts";
import { type ApiResponse, file, ok } from "../../http/response.ts";
import type { GameFile, GameServer } from "../../programme/game.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { Call, Route } from "../request/call.ts";
import { gameOf, path, stateOf } from "./server.ts";

const read = { method: "GET", scope: "read" } as const;

export const gameFileRoutes: Route[] = [
  { ...read, path: `${path}/files`, handle: list },
  { ...read, path: `${path}/files/read`, handle: readText },
  { ...read, path: `${path}/files/contents`, handle: contents },
  { ...read, path: `${path}/files/download`, handle: download },
];

/** The entries right in a folder; the root by default. */
function list(call: Call) {
  const service = gameOf(call);
  const { files } = stateOf(call, service);
  const folder = checkedPath(requestedPath(call) ?? "/");
  const inside = folder.endsWith("/") ? folder : `${folder}/`;
  if (inside !== "/" && !files.has(inside)) throw notFound("Folder");
  const rows = [...files].flatMap(([name, one]) => {
    const rest = name.startsWith(inside) ? name.slice(inside.length) : "";
    return /^[^/]+\/?$/.test(rest) ? [entry(call, service.id, rest, inside, one)] : [];
  });
  return ok(shapeOf(call, service.id, 2) === 0 ? { path: folder, files: rows } : { directory: folder, entries: rows });
}

function entry(call: Call, id: string, rest: string, inside: string, { content, mode, modified }: GameFile) {
  const directory = rest.endsWith("/");
  const name = rest.replace(/\/$/, "");
  const modified_at = new Date(modified).toISOString();
  if (shapeOf(call, id, 2) === 0) {
    return {
      name,
      path: inside + name,
      type: directory ? "directory" : "file",
      size: content.length,
      mode,
      modified_at,
    };
  }
  return {
    name,
    is_directory: directory,
    bytes: content.length,
    permissions: mode,
    mtime: Math.floor(modified / 1000),
  };
}

function readText(call: Call) {
  const service = gameOf(call);
  const { name, content } = fileAsked(call, stateOf(call, service));
  const text = content.toString("utf8");
  return ok(shapeOf(call, service.id, 2) === 0 ? { path: name, content: text } : { file: { name, text } });
}

function contents(call: Call) {
  const service = gameOf(call);
  const { name, content } = fileAsked(call, stateOf(call, service));
  if (shapeOf(call, service.id, 2) === 0) return ok(content.toString("utf8"));
  return ok({ path: name, contents: content.toString("base64"), encoding: "base64" });
}

function download(call: Call): ApiResponse {
  const { name, content } = fileAsked(call, stateOf(call, gameOf(call)));
  return file(content, name.split("/").at(-1) ?? "file");
}

function requestedPath({ query }: Call): string | null {
  return query.get("path") ?? query.get("file") ?? query.get("directory");
}

function fileAsked(call: Call, { files }: GameServer) {
  const name = requestedPath(call);
  if (name === null) throw badField("path", "path is required");
  const found = files.get(checkedPath(name));
  if (found === undefined || name.endsWith("/")) throw notFound("File");
  return { name, content: found.content };
}

/** Below the root of the server, by its whole path. */
export function checkedPath(name: string): string {
  if (!name.startsWith("/") || name.split("/").includes("..") || name.includes("\u0000")) {
    throw badRequest("A path begins with a slash and stays on the server");
  }
  return name.replace(/\/+/g, "/");
}
