import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { routes } from "../../src/sandbox/platform/customer/routes.ts";
import { routes as resellerRoutes } from "../../src/sandbox/platform/reseller/routes.ts";
import { methods } from "../../src/sandbox/slack/webapi/methods.ts";
import { coverage } from "./coverage.ts";

test("each route of the practice platform is shown by a test file, and none that it does not have", () => {
  const shown = Object.values(coverage).flatMap((file) => file.routes ?? []);
  const served = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    ...resellerRoutes.map(({ method, path }) => `${method} /reseller${path}`),
  ];
  expect(shown.sort()).toEqual(served.sort());
});

test("each method of the practice Slack is shown by a test file, and none that it does not have", () => {
  const shown = Object.values(coverage).flatMap((file) => file.methods ?? []);
  expect(shown.sort()).toEqual(Object.keys(methods).sort());
});

test.each(Object.keys(coverage))("%s proves its lines of the table, with no test left out", (name) => {
  const code = readFileSync(join(import.meta.dirname, name), "utf8");
  expect(code).toMatch(/from "(\.\.\/)*(client|app)\.ts"/);
  expect(code).not.toMatch(/\b(test|it|describe)(\.\w+)*\.(skip|only|todo|skipIf|runIf)\b/);
});
