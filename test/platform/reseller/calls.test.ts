import { expect, expectTypeOf, test } from "vitest";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { fileOperations } from "../../../src/platform/reseller/game/files.ts";
import { listServices } from "../../../src/platform/reseller/services.ts";
import { expectCall, replyOf, singles } from "../calls.ts";
import { endpoints } from "../endpoints.ts";
import { ok } from "../server.ts";
import { isSigned, open } from "./call.ts";
import { resellerCalls } from "./calls/index.ts";

const calls = singles(resellerCalls);

test.each(calls)(
  "%s is called as the spec writes it, signed where it writes, and gives what came of it (%#)",
  async (...one) => {
    const { client, seen } = await open(replyOf(one[2]));
    const request = await expectCall(one, { client, seen, base: "/api/v1/reseller" });
    expect(request && isSigned(request)).toBe(request?.method !== "GET");
    if (request?.method === "GET") expect(request.headers).not.toHaveProperty("x-reseller-signature");
  },
);

/** The fields without which the outcome of a write is unknown, or its result is lost. */
const least: Record<string, object> = {
  "POST /orders": { orderId: "or1", status: "paid" },
  "POST /orders/or1/retry": { status: "paid" },
  "POST /services/s1/change-package": { status: "pending" },
  "POST /services/s1/capture": { id: "im1" },
  "POST /services/s1/console-session": { token: "tok-2" },
  "POST /services/s1/console-cast": { id: "c1", url: "https://supplier.example/cast/abc" },
  "POST /customers": { id: "cu1", external_customer_id: "acme" },
  "POST /console": { wsOrigin: "wss://g.example", ws_path: "/ws", token: "tok-4" },
};

test.each(calls.filter(([sends]) => !sends.startsWith("GET ")))(
  "an answer to %s counts without the fields that only inform (%#)",
  async (sends, call) => {
    const { client } = await open(ok(least[sends.replace("/services/s1/game", "")] ?? {}));
    await call(client);
  },
);

test("every endpoint is called here, and no function calls another", async () => {
  let current = {};
  const { client, practice, seen } = await open((response, request) => replyOf(current)(response, request));
  for (const [, call, facts] of calls) {
    current = facts;
    await call(client);
  }

  const called = new Set(practice.attempts.map(({ method, route }) => `${method} ${route.replace("/reseller", "")}`));
  expect([...called].filter((route) => route !== "GET /openapi.json").sort()).toEqual(
    [...new Set(endpoints.reseller.map(({ route }) => route))].sort(),
  );
  const operations = seen.flatMap(({ url }) => /\/game\/files\/([\w-]+)$/.exec(url)?.[1] ?? []);
  expect([...new Set(operations)].sort()).toEqual([...fileOperations].sort());
});

test("an endpoint of the reseller API takes no client of the customer API", () => {
  expectTypeOf(listServices).parameter(0).toEqualTypeOf<ResellerClient>();
  expectTypeOf<CustomerClient>().not.toExtend<ResellerClient>();
});
