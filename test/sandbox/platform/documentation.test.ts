import { expect, test } from "vitest";
import { routes } from "../../../src/sandbox/platform/customer/routes.ts";
import { routes as resellerRoutes } from "../../../src/sandbox/platform/reseller/routes.ts";
import { at, createPractice, type PlatformAnswer, refusal, resellerRefusal } from "./client.ts";

const unknown = { key: "none" };

/** The routes of a document, as `GET /vps/{id}`. */
function routesIn(document: PlatformAnswer): string[] {
  return Object.entries(Object(at(document, "paths"))).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

test.each([
  ["customer", "", routes, refusal(404, "NOT_FOUND")],
  ["reseller", "/reseller", resellerRoutes, resellerRefusal(404, "Route not found")],
])(
  "the %s API describes itself without a key, in every route that it has, and has pages for people",
  async (...api) => {
    const [name, base, served, gone] = api;
    const { ask, resell, platform } = await createPractice();
    const asking = name === "customer" ? ask : resell;
    const all = served.map(({ method, path }) => `${method} ${path}`).sort();
    const open = await asking("GET /openapi.json", { as: unknown });
    expect(open).toMatchObject({ status: 200, body: { openapi: "3.0.3" } });
    expect(at(open, "success")).toBeUndefined();
    expect(routesIn(open).sort()).toEqual(all);
    platform.settings.dropped = [`GET ${base}/products`];
    const left = all.filter((route) => route !== "GET /products");
    expect(routesIn(await asking("GET /openapi.json")).sort()).toEqual(left);
    expect(await asking("GET /products")).toMatchObject(gone);
    const typeOf = async (page: string) => (await fetch(`${platform.url}${base}${page}`)).headers.get("content-type");
    expect(await typeOf("/docs")).toContain("text/html");
    expect(await typeOf("/guide.md")).toContain("text/markdown");
  },
);

test("a customer API that is switched off does not even describe itself", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.api = false;
  expect(await ask("GET /openapi.json", { as: unknown })).toMatchObject(refusal(403, "FEATURE_DISABLED"));
});
