import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { methods } from "../../src/sandbox/slack/webapi/methods.ts";
import { coverage } from "./coverage.ts";

test("each method of the practice Slack is shown by a test file, and none that it does not have", () => {
  const shown = Object.values(coverage).flat();
  expect(shown.sort()).toEqual(Object.keys(methods).sort());
});

test.each(Object.keys(coverage))("%s proves its lines of the table, with no test left out", (name) => {
  const code = readFileSync(join(import.meta.dirname, name), "utf8");
  expect(code).toMatch(/from "(\.\.\/)*app\.ts"/);
  expect(code).not.toMatch(/\b(test|it|describe)(\.\w+)*\.(skip|only|todo|skipIf|runIf)\b/);
});
