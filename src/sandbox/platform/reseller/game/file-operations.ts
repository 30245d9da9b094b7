import { randomBytes } from "node:crypto";
import { z } from "zod";
import { badField, badRequest, conflict, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import type { GameFile, GameServer } from "../../programme/game.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { checkedPath } from "./files.ts";
import { acted, path, stateOf } from "./server.ts";

export const gameFileOperationRoutes: Route[] = [
  { method: "POST", path: `${path}/files/{op}`, scope: "services", handle: operate },
];

/** Spec section 8. */
const mostUploadBytes = 4 * 1024 * 1024;

type Operation = (call: Call, server: GameServer) => unknown;

/** The operations on files, by their name in the path; each has a body of its own. */
const operations: Record<string, Operation> = {
  write(call, server) {
    const { path: name, content } = readBody(call, z.object({ path: pathField, content: z.string() }));
    return put(call, server, name, Buffer.from(content));
  },
  mkdir(call, server) {
    const { path: name } = readBody(call, z.object({ path: pathField }));
    return put(call, server, `${checkedPath(name).replace(/\/$/, "")}/`, Buffer.alloc(0));
  },
  rename(call, server) {
    const { from, to } = readBody(call, z.object({ from: pathField, to: pathField }));
    const moved = found(server, checkedPath(from));
    if (below(server, checkedPath(to)).length > 0) throw conflict(`${to} exists already`);
    for (const [name, one] of moved) {
      server.files.delete(name);
      server.files.set(checkedPath(to) + name.slice(checkedPath(from).length), one);
    }
    return { path: to };
  },
  delete(call, server) {
    const { paths } = readBody(call, pathsBody);
    for (const name of paths) for (const [one] of found(server, checkedPath(name))) server.files.delete(one);
    return { deleted: paths };
  },
  compress(call, server) {
    const { paths } = readBody(call, pathsBody);
    const packed = paths.flatMap((name) => found(server, checkedPath(name)));
    const names = packed.map(([name]) => name);
    return put(call, server, `/archive-${server.files.size}.tar.gz`, Buffer.from(JSON.stringify(names)));
  },
  decompress(call, server) {
    const { path: name } = readBody(call, z.object({ path: pathField }));
    found(server, checkedPath(name));
    if (!/\.(tar\.gz|zip)$/.test(name)) throw badRequest("The file is no archive");
    return put(call, server, `${checkedPath(name).replace(/\.(tar\.gz|zip)$/, "")}/`, Buffer.alloc(0));
  },
  chmod(call, server) {
    const mode = z.string("mode is required").regex(/^0?[0-7]{3}$/, "mode must be three octal digits");
    const body = readBody(call, z.object({ path: pathField, mode }));
    for (const [, one] of found(server, checkedPath(body.path))) one.mode = body.mode.padStart(4, "0");
    return body;
  },
  "download-url"(call, server) {
    const { path: name } = readBody(call, z.object({ path: pathField }));
    found(server, checkedPath(name));
    const expires_at = new Date(call.world.clock.now() + 300_000).toISOString();
    return { url: `https://games.practice.example/d/${randomBytes(24).toString("hex")}`, expires_at };
  },
  upload(call, server) {
    const body = readBody(call, uploadBody);
    const content = Buffer.from(body.content, "base64");
    if (content.length > mostUploadBytes) throw badField("content", "A file has at most 4 MiB");
    return put(call, server, `${checkedPath(body.path).replace(/\/$/, "")}/${body.name}`, content);
  },
};

const pathField = z.string("path is required").min(1, "path is required");
const pathsBody = z
  .union([z.object({ paths: z.array(pathField).min(1) }), z.object({ path: pathField })])
  .transform((body) => ("paths" in body ? body : { paths: [body.path] }));
export const base64 = z.string("content is required").regex(/^[A-Za-z0-9+/]*={0,2}$/, "content must be base64");
const uploadBody = z.object({
  path: pathField,
  name: z.string("name is required").regex(/^[^/\0]{1,255}$/, "name must be the name of a file"),
  content: base64,
});

function operate(call: Call) {
  const service = acted(call);
  const run = operations[param(call, "op")];
  if (run === undefined) throw notFound("Route");
  return ok(run(call, stateOf(call, service)));
}

function put(call: Call, { files }: GameServer, name: string, content: Buffer) {
  const at = checkedPath(name);
  files.set(at, { content, mode: "0644", modified: call.world.clock.now() });
  return { path: at, size: content.length };
}

/** The same as `below`; throws where there is none. */
function found(server: GameServer, name: string): [string, GameFile][] {
  const files = below(server, name);
  if (files.length === 0) throw notFound("File");
  return files;
}

/** A file, or a folder with all that is in it. */
function below({ files }: GameServer, name: string): [string, GameFile][] {
  const folder = name.endsWith("/") ? name : `${name}/`;
  return [...files].filter(([one]) => one === name || one.startsWith(folder));
}
