import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createDrift } from "../../../src/alerts/polling/drift.ts";
import { registry } from "../../../src/operations/index.ts";
import { createPlatform } from "../../../src/platform/platform.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { routesOf } from "../../platform/endpoints.ts";
import { json, startServer } from "../../platform/server.ts";

/** The commands that a platform with these routes is said not to offer. `rewrite` says how its document writes a route. */
async function missing(rewrite: (route: string) => string[]): Promise<string[]> {
  const server = await startServer((response, { url }) => {
    const routes = ["GET /openapi.json", ...routesOf(url.includes("/reseller/") ? "reseller" : "customer").keys()];
    const own = routes.flatMap(rewrite);
    const paths: Record<string, object> = {};
    for (const [method = "", path = ""] of own.map((route) => route.split(" ")))
      paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
    json(response, 200, { openapi: "3.0.3", paths });
  });
  const [clock, log] = [createSandboxClock(), pino({ level: "silent" })];
  const platform = createPlatform({ url: server.url, clock, log });
  onTestFinished(() => platform.close());
  const { missing } = await createDrift({ platform, registry, clock, log }).look();
  return missing.map(({ operation }) => operation.command);
}

const words = { action: ["start", "stop"], op: ["write", "mkdir"] };

test.each<[string, (route: string) => string[]]>([
  ["as the specs write them", (route) => [route]],
  ["with other names of ids", (route) => [route.replaceAll(/\{\w*[iI]d\}/g, "{thing}")]],
  ["under the base path", (route) => [route.replace(" ", " /api/v1")]],
  [
    "with each word of {action} and {op} as a route of its own",
    (route) => {
      const [, name] = /\{(action|op)\}/.exec(route) ?? [];
      const each = name === "action" || name === "op" ? words[name] : null;
      return each?.map((word) => route.replace(`{${name}}`, word)) ?? [route];
    },
  ],
  [
    "with one {action} for several words",
    (route) => [route.replace(/(?<=\/vps\/\{id\}\/)(start|stop|reboot)$/, "{action}")],
  ],
])("no command is said to be missing where the platform lists its routes %s", async (_, rewrite) => {
  expect(await missing(rewrite)).toEqual([]);
});

test("the commands of a route that is gone are named, even if another route is as long", async () => {
  const commands = await missing((route) =>
    route === "GET /vps/{id}/snapshots" ? ["GET /vps/{id}/backups"] : [route],
  );
  expect(commands).toContain("vps snapshots");
  expect(commands).not.toContain("vps ips");
});
