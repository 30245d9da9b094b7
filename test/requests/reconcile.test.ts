import { expect, test } from "vitest";
import { createRegistry } from "../../src/operation/registry.ts";
import { cancel } from "../../src/operations/vps/cancel.ts";
import { createReconcile } from "../../src/requests/reconcile.ts";
import { openRequests, requestOf } from "./requests.ts";

const unused = () => Promise.reject(new Error("Nothing here asks for this"));

test("a request whose key is gone while its outcome is unknown ends as undecided, and loses its input", async () => {
  const { requests, clock, log } = await openRequests();
  const settled: string[] = [];
  const reconcile = createReconcile({
    ...{ requests, clock, log, ttl: 60_000 },
    run: { run: unused, finish: unused, offerInCase: async () => {}, errorOf: unused, isRunning: () => false },
    registry: createRegistry([cancel]),
    binder: { bind: unused, bindPinned: async () => null },
    onSettled: async ({ id }) => void settled.push(id),
  });
  const unknown = await requests.storeFirst(requestOf({ state: "unknown" }), { note: { what: "unknown" } });
  expect(await reconcile.look(unknown)).toBeUndefined();
  expect(await requests.read("r1")).toMatchObject({ state: "undecided", sealed: null });
  expect((await requests.read("r1"))?.outcome).toContain("no longer linked");
  expect(settled).toEqual(["r1"]);
});
