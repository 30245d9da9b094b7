import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { customerRoutes } from "../../src/platform/customer/routes.ts";
import { elidedRoutes, resellerRoutes } from "../../src/platform/reseller/routes.ts";
import { routes as servedToCustomers } from "../../src/sandbox/platform/customer/routes.ts";
import { routes as servedToPartners } from "../../src/sandbox/platform/reseller/routes.ts";

/** The public documents need no key; the practice platform serves them outside its routes. */
const documents = ["GET /openapi.json", "GET /docs", "GET /guide.md"];

function withScopes(routes: Record<string, string | null>): string[] {
  return Object.entries(routes)
    .filter(([route]) => !documents.includes(route))
    .map(([route, scope]) => `${route} needs ${scope}`)
    .sort();
}

function served(routes: readonly { method: string; path: string; scope: string | null }[]): string[] {
  return routes
    .map(({ method, path, scope }) => `${method} ${path} needs ${scope}`)
    .filter((line) => !documents.some((route) => line.startsWith(`${route} `)))
    .sort();
}

test("the practice platform serves each route of the customer API, and asks for the scope that the app takes it to need", () => {
  expect(served(servedToCustomers)).toEqual(withScopes(customerRoutes));
});

test("the practice platform serves each route of the reseller API, and asks for the scope that the app takes it to need", () => {
  expect(served(servedToPartners)).toEqual(withScopes(resellerRoutes));
});

const specs = join(import.meta.dirname, "..", "..", "..", "shared", "spec");

/** The routes of the tables in a section of a spec: `| GET, POST /a, /b | …` in any of its layouts. */
function routesOfSpec(file: string): Set<string> {
  const text = readFileSync(join(specs, file), "utf8");
  const section = text.slice(text.indexOf("\n## 4"), text.indexOf("\n## 5"));
  const found = new Set<string>();
  for (const row of section.split("\n").filter((line) => line.startsWith("| ")))
    for (const part of row.split("|").slice(1, 3).join(" ").split(";")) {
      const methods = part.match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];
      const paths = part.match(/(?:\.\.\.)?\/[\w{}./-]*/g) ?? [];
      for (const method of methods) for (const path of paths) found.add(`${method} ${path.replace("...", "")}`);
    }
  return found;
}

test.skipIf(!existsSync(specs))("each route stands in its spec, as far as the spec writes it out", () => {
  for (const [file, routes] of [
    ["customer-api.md", customerRoutes],
    ["reseller-api.md", resellerRoutes],
  ] as const) {
    const written = [...routesOfSpec(file)];
    // A table may write only the end of a path ("/{id}, /stats"), or leave out its beginning ("/game/mods").
    const missing = Object.keys(routes).filter((route) => {
      const [method = "", path = ""] = route.split(" ");
      return (
        !documents.includes(route) &&
        !(route in elidedRoutes) &&
        !written.some((one) => one.startsWith(`${method} `) && path.endsWith(one.slice(method.length + 1)))
      );
    });
    expect(missing).toEqual([]);
  }
});
