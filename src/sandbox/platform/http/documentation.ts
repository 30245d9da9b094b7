import { type ApiResponse, json, plain } from "./response.ts";

interface DocumentedRoute {
  method: string;
  path: string;
  scope: string;
}

/** An API as its documents show it. */
interface Documented {
  /** Of its OpenAPI document. */
  title: string;
  /** Of its pages. */
  name: string;
  url: string;
  routes: readonly DocumentedRoute[];
}

/** The three documents of an API that need no key; they have no envelope. */
export function documentation(path: string, { title, name, url, routes }: Documented): ApiResponse | undefined {
  if (path === "/openapi.json") return json(200, openApi(title, url, routes));
  if (path === "/docs") return plain(200, "text/html; charset=utf-8", `<!doctype html><title>${name}</title>`);
  if (path === "/guide.md") return plain(200, "text/markdown; charset=utf-8", `# ${name}\n`);
  return undefined;
}

function openApi(title: string, url: string, routes: readonly DocumentedRoute[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return { openapi: "3.0.3", info: { title: `${title} (practice)`, version: "1.0.0" }, servers: [{ url }], paths };
}

function operation({ path, scope }: DocumentedRoute) {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return { parameters, security: [{ bearer: [scope] }], responses: { 200: { description: "Done" } } };
}
