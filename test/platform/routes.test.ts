import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventNames } from "../../src/platform/reseller/events.ts";
import { routes as servedToCustomers } from "../../src/sandbox/platform/customer/routes.ts";
import { eventNames as practiceEventNames } from "../../src/sandbox/platform/programme/events.ts";
import { routes as servedToPartners } from "../../src/sandbox/platform/reseller/routes.ts";
import { endpoints, routesOf } from "./endpoints.ts";

/** The public documents need no key; the practice platform serves them outside its routes. */
const documents = ["/openapi.json", "/docs", "/guide.md"];
const practice = { customer: servedToCustomers, reseller: servedToPartners };

test.each(["customer", "reseller"] as const)(
  "the app has an endpoint for each route of the %s API that the practice platform serves, under the same scope",
  (api) => {
    const served = practice[api].filter(({ path }) => !documents.includes(path));
    const known = endpoints[api].flatMap(({ route, serves, scope }) =>
      [route, ...serves].map((one) => `${one} needs ${scope}`),
    );
    expect([...new Set(known)].sort()).toEqual(
      served.map(({ method, path, scope }) => `${method} ${path} needs ${scope}`).sort(),
    );
  },
);

test("the app knows each event that the practice platform can raise, and no other", () => {
  expect([...eventNames].sort(), "write the event in sandbox/platform/programme/events.ts, and have it raised").toEqual(
    [...practiceEventNames].sort(),
  );
});

test("no endpoint of the app reaches a key", () => {
  const segments = (["customer", "reseller"] as const).flatMap((api) =>
    endpoints[api].flatMap(({ serves }) => serves.flatMap((route) => route.split(/[ /]/))),
  );
  expect(segments).toContain("ssh-keys");
  expect(segments.filter((segment) => /key|token/.test(segment) && !["ssh-keys", "{keyId}"].includes(segment))).toEqual(
    [],
  );
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
  for (const api of ["customer", "reseller"] as const) {
    const written = [...routesOfSpec(`${api}-api.md`)];
    // A table may write only the end of a path ("/{id}, /stats"), or leave out its beginning ("/game/mods").
    const missing = [...routesOf(api).keys()].filter((route) => {
      const [method = "", path = ""] = route.split(" ");
      return !written.some((one) => one.startsWith(`${method} `) && path.endsWith(one.slice(method.length + 1)));
    });
    expect(missing).toEqual([]);
  }
});

/** The lines of a section of a spec, with those of the sections under it. None where the spec has no such section. */
function linesOfSection(text: string, section: string): string[] {
  const sections = text.split(/^(?=#{2,3} \d)/m).filter((part) => {
    const [, number] = part.match(/^#{2,3} (\d+(?:\.\d+)?)/) ?? [];
    return number === section || number?.startsWith(`${section}.`);
  });
  return sections.flatMap((part) => part.split("\n"));
}

test.skipIf(!existsSync(specs)).each(["customer", "reseller"] as const)(
  "each section that an endpoint of the %s API names is one of its spec, and that of a refusal has its status, code and fixed sentence in one line",
  (api) => {
    const text = readFileSync(join(specs, `${api}-api.md`), "utf8");
    for (const { route, spec, refusals } of endpoints[api]) {
      for (const section of spec.split(", "))
        expect(linesOfSection(text, section), `${section} of ${route}`).not.toEqual([]);
      for (const { status, code, says, spec: section } of refusals) {
        const words = [String(status), ...(code === undefined ? [] : [code])].map(
          (word) => new RegExp(`\\b${word}\\b`),
        );
        const lines = linesOfSection(text, section).filter((line) => words.every((word) => word.test(line)));
        const sentence = typeof says === "string" ? says : "";
        expect(lines.join("\n"), `${route}: section ${section} has no ${status} ${code ?? ""}`).not.toBe("");
        expect(lines.join("\n"), `${route}: section ${section} about ${status}`).toContain(sentence);
      }
    }
  },
);
