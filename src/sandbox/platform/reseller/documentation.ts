import { type ApiResponse, json, plain } from "../http/response.ts";
import type { World } from "../world/world.ts";
import type { Route } from "./request/call.ts";
import { routes } from "./routes.ts";

/** The three routes that need no key; they answer no envelope. */
export function documentation(world: World, path: string): ApiResponse | undefined {
  if (path === "/openapi.json") return json(200, openApi(world));
  if (path === "/docs") {
    return plain(200, "text/html; charset=utf-8", "<!doctype html><title>Practice reseller programme</title>");
  }
  if (path === "/guide.md") return plain(200, "text/markdown; charset=utf-8", "# The practice reseller programme\n");
  return undefined;
}

function openApi(world: World) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (world.settings.dropped.includes(`${route.method} /reseller${route.path}`)) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Reseller API (practice)", version: "1.0.0" },
    servers: [{ url: `${world.url}/reseller` }],
    paths,
  };
}

function operation({ path, scope }: Route) {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return { parameters, security: [{ bearer: [scope] }], responses: { 200: { description: "Done" } } };
}
