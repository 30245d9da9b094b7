import { describe, expect, test } from "vitest";
import type { Operation as AnyOperation } from "../../src/operation/operation.ts";
import type { AppContext } from "../../src/operations/app-context.ts";
import { registry } from "../../src/operations/index.ts";
import { customerRoutes } from "../../src/platform/customer/routes.ts";
import { elidedRoutes, resellerRoutes } from "../../src/platform/reseller/routes.ts";

type Operation = AnyOperation<AppContext>;

/** Pages for people. */
const documents = ["GET /docs", "GET /guide.md"];

const customer = Object.keys(customerRoutes).filter((route) => !documents.includes(route));
const reseller = Object.keys(resellerRoutes).filter((route) => !documents.includes(route) && !(route in elidedRoutes));

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
