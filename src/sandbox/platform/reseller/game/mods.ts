import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, conflict, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { shapeOf } from "../../world/shapes.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { base64 } from "./file-operations.ts";
import { acted, gameOf, path, refuseWithoutRuntime, stateOf } from "./server.ts";

const all = `${path}/mods`;

export const modRoutes: Route[] = [
  { method: "GET", path: all, scope: "read", handle: list },
  { method: "GET", path: `${all}/sources`, scope: "read", handle: sources },
  { method: "GET", path: `${all}/search`, scope: "read", handle: search },
  { method: "GET", path: `${all}/versions`, scope: "read", handle: versions },
  { method: "GET", path: `${all}/project`, scope: "read", handle: project },
  { method: "POST", path: all, scope: "services", handle: install },
  { method: "POST", path: `${all}/upload`, scope: "services", handle: upload },
  { method: "DELETE", path: `${all}/{gameModId}`, scope: "services", handle: remove },
];

/** The mods of the one source: by project, its name and its versions, newest first. */
const offered: Record<string, { name: string; versions: string[] }> = {
  "fair-weather": { name: "Fair Weather", versions: ["1.4.2", "1.4.0"] },
  "deep-caves": { name: "Deep Caves", versions: ["3.0.0-beta", "2.9.1"] },
  "tidy-chests": { name: "Tidy Chests <b>", versions: ["0.2.0"] },
};
const source = "practice-mods";

function list(call: Call) {
  const service = gameOf(call);
  const { mods } = stateOf(call, service);
  return ok(shapeOf(call, service.id, 2) === 0 ? { mods } : mods);
}

function sources(call: Call) {
  const service = gameOf(call);
  return ok(shapeOf(call, service.id, 2) === 0 ? [{ id: source, name: "Practice mods" }] : { sources: [source] });
}

function search(call: Call) {
  const service = gameOf(call);
  const words = (call.query.get("query") ?? call.query.get("q") ?? "").toLowerCase();
  const hits = Object.entries(offered)
    .filter(([, { name }]) => name.toLowerCase().includes(words))
    .map(
      ([
        id,
        {
          name,
          versions: [latest],
        },
      ]) => ({ id, name, latest, source }),
    );
  return ok(shapeOf(call, service.id, 2) === 0 ? { results: hits, total: hits.length } : hits);
}

function versions(call: Call) {
  const service = gameOf(call);
  const rows = projectAsked(call).versions.map((version) => ({ id: version, name: version }));
  return ok(shapeOf(call, service.id, 2) === 0 ? { versions: rows } : rows);
}

function project(call: Call) {
  gameOf(call);
  const { id, name, versions: all } = projectAsked(call);
  return ok({ project: { id, name, source, downloads: 1_200, versions: all.length } });
}

const installBody = z.object({ project: z.string("project is required"), version: z.string().optional() });

function install(call: Call) {
  const service = acted(call);
  refuseWithoutRuntime(service);
  const body = readBody(call, installBody);
  const { name, versions: all } = projectNamed(body.project);
  const version = body.version ?? all[0] ?? "";
  if (!all.includes(version)) throw notFound("Version");
  const { mods } = stateOf(call, service);
  if (mods.some((mod) => mod.name === name)) throw conflict(`${name} is installed already`);
  const mod = { id: randomUUID(), name, version, source };
  mods.push(mod);
  return success(201, { mod });
}

const uploadBody = z.object({ name: z.string("name is required").min(1, "name is required"), content: base64 });

function upload(call: Call) {
  const service = acted(call);
  refuseWithoutRuntime(service);
  const { name } = readBody(call, uploadBody);
  const mod = { id: randomUUID(), name, version: "own", source: "upload" };
  stateOf(call, service).mods.push(mod);
  return success(201, { mod });
}

function remove(call: Call) {
  const server = stateOf(call, acted(call));
  const id = param(call, "gameModId");
  if (!server.mods.some((mod) => mod.id === id)) throw notFound("Mod");
  server.mods = server.mods.filter((mod) => mod.id !== id);
  return ok({ removed: true });
}

function projectAsked({ query }: Call) {
  const id = query.get("project") ?? query.get("id") ?? query.get("projectId");
  if (id === null) throw badField("project", "project is required");
  return projectNamed(id);
}

function projectNamed(id: string) {
  const found = offered[id];
  if (found === undefined) throw notFound("Project");
  return { id, ...found };
}
