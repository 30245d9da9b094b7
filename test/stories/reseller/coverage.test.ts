import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { shown } from "./coverage.ts";

test("each reseller operation has a story, and none that there is not", () => {
  const commands = registry.all.flatMap(({ api, command }) => (api === "reseller" ? [command] : []));
  const listed = Object.values(shown)
    .flat()
    .map((command) => `reseller ${command}`);
  expect(listed.sort()).toEqual(commands.sort());
});

test.each(Object.keys(shown))("%s proves its lines of the table, with no story left out", (name) => {
  const code = readFileSync(join(import.meta.dirname, name), "utf8");
  expect(code).toMatch(/from "\.\/selling\.ts"/);
  expect(code).not.toMatch(/\b(test|it|describe)(\.\w+)*\.(skip|only|todo|skipIf|runIf)\b/);
});
