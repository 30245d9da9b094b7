import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createSandboxClock } from "../../../../src/sandbox/clock.ts";
import type { Api } from "../../../../src/sandbox/platform/http/api.ts";
import { createCallLog } from "../../../../src/sandbox/platform/http/call-log.ts";
import { createFaultInjector } from "../../../../src/sandbox/platform/http/faults.ts";
import { createListener } from "../../../../src/sandbox/platform/http/listener.ts";
import { json } from "../../../../src/sandbox/platform/http/response.ts";

/** An API that answers with the request, in an envelope of its own. */
function echo(name: string, prefix: Api["prefix"]): Api {
  return {
    prefix,
    ...(prefix === "/reseller" ? { mostBytes: (path: string) => (path === "/upload" ? 2_000_000 : 1_000) } : {}),
    respond({ path, body, header }) {
      if (path === "/broken") throw new Error("not a refusal");
      return json(200, { [name]: path, bytes: body.toString("hex"), signature: header("x-signature") ?? null });
    },
    refuse: ({ status, message }) => json(status, { [name]: "refused", message }),
    caller: ({ header }) => ({ key: header("authorization") === undefined ? null : `${name}'s key`, project: null }),
  };
}

async function listening() {
  const faults = createFaultInjector();
  const calls = createCallLog();
  const errors: object[] = [];
  const clock = createSandboxClock();
  const listener = createListener({
    clock,
    wallClock: () => clock.now() + 600_000,
    apis: [echo("root", ""), echo("reseller", "/reseller"), echo("inner", "/reseller/inner")],
    faults,
    calls,
    latencyMs: 0,
    log: { error: (facts) => errors.push(facts) },
  });
  const server = createServer(listener.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(`http://127.0.0.1:${Object(address).port}${path}`, init);
    return { status: response.status, body: await response.json(), date: response.headers.get("date") ?? "" };
  }
  return { ask, faults, calls, errors, clock };
}

test.each([
  ["/api/v1", { root: "/" }],
  ["/api/v1/vps/1?page=2", { root: "/vps/1" }],
  ["/api/v1/reseller", { reseller: "/" }],
  ["/api/v1/reseller/services/1", { reseller: "/services/1" }],
  ["/api/v1/reseller/inner/x", { inner: "/x" }],
  ["/api/v1/resellers", { root: "/resellers" }],
])("%s is asked of the API whose prefix it has", async (path, body) => {
  const { ask } = await listening();
  expect(await ask(path)).toMatchObject({ status: 200, body });
});

test("an API gets the bytes and the headers as they came, so that it can check a signature", async () => {
  const { ask } = await listening();
  const body = new Uint8Array([0x7b, 0xff, 0x00, 0x7d]);
  const answer = await ask("/api/v1/reseller/orders", { method: "POST", headers: { "x-signature": "abc" }, body });
  expect(answer.body).toMatchObject({ reseller: "/orders", bytes: "7bff007d", signature: "abc" });
});

test("every answer is dated by the platform's own clock", async () => {
  const { ask, clock } = await listening();
  const { date } = await ask("/api/v1/vps");
  expect(Math.abs(Date.parse(date) - clock.now() - 600_000)).toBeLessThan(5_000);
});

test("a body has at most as many bytes as its API takes there, and one that has more is refused in that API's envelope", async () => {
  const { ask, errors } = await listening();
  const post = (path: string, size: number) => ask(path, { method: "POST", body: "x".repeat(size) });
  expect(await post("/api/v1/vps", 1_048_576)).toMatchObject({ status: 200 });
  expect(await post("/api/v1/vps", 1_048_577)).toMatchObject({ status: 413, body: { root: "refused" } });
  expect(await post("/api/v1/reseller/upload", 2_000_000)).toMatchObject({ status: 200 });
  expect(await post("/api/v1/reseller/upload", 2_000_001)).toMatchObject({
    status: 413,
    body: { reseller: "refused" },
  });
  expect(errors).toEqual([]);
});

test("an error has the envelope of the API that was called", async () => {
  const { ask, faults, errors } = await listening();
  faults.next({ how: "500", path: "/reseller/orders" });
  expect(await ask("/api/v1/orders")).toMatchObject({ status: 200 });
  expect(await ask("/api/v1/reseller/orders")).toMatchObject({ status: 500, body: { reseller: "refused" } });
  expect(await ask("/api/v1/reseller/broken")).toMatchObject({ status: 500, body: { reseller: "refused" } });
  expect(errors).toHaveLength(1);
  expect(await ask("/elsewhere")).toMatchObject({ status: 404, body: { root: "refused" } });
});

test("the log has the whole path below /api/v1, and the caller as the API names it", async () => {
  const { ask, calls } = await listening();
  await ask("/api/v1/reseller/services?page=2", { headers: { authorization: "Bearer x" } });
  expect(calls.all()).toMatchObject([
    { method: "GET", path: "/reseller/services", query: { page: "2" }, key: "reseller's key", status: 200 },
  ]);
});
