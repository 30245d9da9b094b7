import { expect, test } from "vitest";
import { createOrder } from "../../../src/platform/customer/orders.ts";
import { customerRoutes } from "../../../src/platform/customer/routes.ts";
import { expectCall, replyOf, singles } from "../calls.ts";
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

/** Pages for people, which the app does not read; and second names of `reboot` and of a dedicated server's power. */
const unused = ["GET /docs", "GET /guide.md", "POST /vps/{id}/restart", "POST /dedicated/{id}/power/{action}"];

test("every route of the spec has a function that calls it", async () => {
  let current = {};
  const { url } = await startServer((response, seen) => replyOf(current)(response, seen));
  const { client, attempts } = connect(url);
  for (const [, call, facts] of calls) {
    current = facts;
    await call(client);
  }
  const called = new Set(attempts.map(({ method, route }) => `${method} ${route}`));
  expect([...called, ...unused].sort()).toEqual(Object.keys(customerRoutes).sort());
});
