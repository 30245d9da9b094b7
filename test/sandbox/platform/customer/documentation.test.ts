import { expect, test } from "vitest";
import { routes } from "../../../../src/sandbox/platform/customer/routes.ts";
import { at, practice, refusal } from "../client.ts";

test("the API describes itself without a key, in every route that it has", async () => {
  const { ask, platform } = await practice();
  const unknown = { key: "none" };
  const open = await ask("GET /openapi.json", { as: unknown });
  expect(open).toMatchObject({ status: 200, body: { openapi: "3.0.3" } });
  expect(at(open, "success")).toBeUndefined();
  const paths = Object(at(open, "paths"));
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(routes.map((route) => `${route.method} ${route.path}`).sort());

  platform.settings.dropped = ["POST /vps/{id}/capture"];
  const fewer = Object(at(await ask("GET /openapi.json"), "paths"));
  expect(fewer["/vps/{id}/capture"]).toBeUndefined();
  expect(fewer["/vps/{id}/start"]).toBeDefined();
  expect(await ask(`POST /vps/${platform.find("web-1").id}/capture`)).toMatchObject(refusal(404, "NOT_FOUND"));
  platform.apiOff();
  expect(await ask("GET /openapi.json", { as: unknown })).toMatchObject(refusal(403, "FEATURE_DISABLED"));
});

test("docs and guide are pages", async () => {
  const { platform } = await practice();
  expect((await fetch(`${platform.url}/docs`)).headers.get("content-type")).toContain("text/html");
  expect((await fetch(`${platform.url}/guide.md`)).headers.get("content-type")).toContain("text/markdown");
});
