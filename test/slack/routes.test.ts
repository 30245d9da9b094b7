import { describe, expect, test } from "vitest";
import type { Operation as AnyOperation } from "../../src/operation/operation.ts";
import type { AppContext } from "../../src/operations/app-context.ts";
import { registry } from "../../src/operations/index.ts";
import { routesOf as routesIn } from "../platform/endpoints.ts";

type Operation = AnyOperation<AppContext>;

// No endpoint, for it needs no key.
const document = "GET /openapi.json";
const customer = [document, ...routesIn("customer").keys()];
const reseller = [document, ...routesIn("reseller").keys()];

const { all } = registry;

function routesOf(api: Operation["api"]): string[] {
  return all.filter((operation) => operation.api === api).flatMap((operation) => operation.routes);
}

describe("every route of", () => {
  test("the customer API is the work of some command", () => {
    const used = new Set([...routesOf("customer"), ...routesOf("app")]);
    expect(customer.filter((route) => !used.has(route))).toEqual([]);
  });

  test("the reseller API is the work of some command", () => {
    const used = new Set([...routesOf("reseller"), ...routesOf("app")]);
    expect(reseller.filter((route) => !used.has(route))).toEqual([]);
  });
});

describe("no command names a route that its API does not have:", () => {
  test.each([
    ["customer", customer],
    ["reseller", reseller],
    ["app", [...customer, ...reseller]],
  ] as const)("%s", (api, known) => {
    expect(routesOf(api).filter((route) => !known.includes(route))).toEqual([]);
  });
});
