import { expect, test } from "vitest";
import { createOrder } from "../../../src/platform/customer/orders.ts";
import { expectCall, replyOf, singles } from "../calls.ts";
import { endpoints } from "../endpoints.ts";
import { connect, ok, startServer } from "../server.ts";
import { customerCalls, orderBody } from "./calls.ts";

const calls = singles(customerCalls);

test.each(calls)("%s is called as the spec writes it, and gives what came of it (%#)", async (...one) => {
  const { url, seen } = await startServer(replyOf(one[2]));
  await expectCall(one, { client: connect(url).client, seen, base: "/api/v1" });
});

test("an order is sent under its key", async () => {
  const { url, seen } = await startServer(ok({ settled: true }));
  await createOrder(connect(url).client, "r1", orderBody);
  expect(seen[0]?.headers).toMatchObject({ "idempotency-key": "r1" });
});

/** The fields without which the outcome of a write is unknown, or its result is lost. */
const least: Record<string, object> = {
  "POST /services/s1/cancel": { immediate: true },
  "DELETE /vps/v1": { immediate: true },
  "POST /vps/v1/capture": { id: "i1" },
  "POST /vps/v1/snapshots": { snapshot: { id: "s1" } },
  "POST /services/s1/options": { settled: true },
  "POST /services/s1/upgrades": { upgrade: { id: "u1", status: "completed" } },
  "POST /services/s1/upgrades/options": { upgrade: { id: "u1", status: "completed" } },
  "POST /orders": { settled: true },
  "POST /invoices/i1/pay": { invoicePaid: true },
  "POST /proformas/p1/pay": { proformaPaid: true },
  "POST /ssh-keys": { id: "k1" },
  "POST /custom-images": { id: "i1" },
  "POST /projects": { id: "p1" },
};

test.each(calls.filter(([sends]) => !sends.startsWith("GET ")))(
  "an answer to %s counts without the fields that only inform (%#)",
  async (sends, call) => {
    const { url } = await startServer(ok(least[sends] ?? {}));
    await call(connect(url).client);
  },
);

test("every endpoint is called here", async () => {
  let current = {};
  const { url } = await startServer((response, seen) => replyOf(current)(response, seen));
  const { client, attempts } = connect(url);
  for (const [, call, facts] of calls) {
    current = facts;
    await call(client);
  }
  const called = new Set(attempts.map(({ method, route }) => `${method} ${route}`));
  expect([...called].filter((route) => route !== "GET /openapi.json").sort()).toEqual(
    [...new Set(endpoints.customer.map(({ route }) => route))].sort(),
  );
});
