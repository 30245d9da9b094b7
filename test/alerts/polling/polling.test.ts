import { expect, test } from "vitest";
import { customerReaders } from "../../../src/alerts/polling/customer.ts";
import { poll, pollNow } from "../../../src/alerts/polling/polling.ts";
import { intervals } from "../../../src/alerts/polling/reader.ts";
import { readBalance } from "../../../src/platform/customer/account.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { pathOf } from "../../../src/platform/http/path.ts";
import { handleLanes } from "../../../src/storage/timers.ts";
import { customerClient, readWith } from "../../platform/clients.ts";
import { vpsRow } from "../../platform/customer/rows.ts";
import { busiestHour, hour, minute, openPolling } from "./polled.ts";

interface Call {
  at: number;
  path: string;
  page: number;
  status: string | undefined;
}

async function readingBalance(client: CustomerClient): Promise<null> {
  await readBalance(client);
  return null;
}

/** An account with so many VPSes, a poller, and a count of its calls. `remaining`: calls left of the hour's 1,000. */
async function estate(total: number, { remaining = 1_000 } = {}) {
  const app = await openPolling();
  const { store, clock, found } = app;
  const calls: Call[] = [];
  const stopped = new Set<number>();
  const suspended = new Set<number>();
  const budget = { limit: 1_000, remaining, resetAt: clock.now() + hour };

  function rowsOf(path: string, page: number, status: string | undefined): { rows: object[]; of: number } {
    if (path !== "/vps" && path !== "/services") return { rows: [], of: 0 };
    const all = status === undefined ? Array.from({ length: total }, (_, at) => at) : [...suspended];
    const shown = status === "provisioning_failed" ? [] : all;
    return { rows: shown.slice((page - 1) * 200, page * 200).map((at) => rowOf(path, at)), of: shown.length };
  }

  function rowOf(path: string, at: number): object {
    const status = suspended.has(at) ? "suspended" : "active";
    const own = { id: `vps-${at}`, name: `m-${at}`, hostname: null, status };
    if (path === "/services") return { ...own, serviceType: "vps" };
    const row = vpsRow(own);
    return { ...row, instance: { ...row.instance, state: stopped.has(at) ? "stopped" : "running" } };
  }

  const get: CustomerClient["get"] = async (called, schema, query = {}) => {
    const { path } = pathOf(called);
    const page = Number(query.page ?? 1);
    const status = query.status === undefined ? undefined : String(query.status);
    calls.push({ at: clock.now(), path, page, status });
    const { rows, of } = rowsOf(path, page, status);
    const name = path.slice(1).replace("-", "_");
    const pagination = { page, limit: 200, total: of, pages: Math.ceil(of / 200) };
    const balance = { balance: "10.00", currency: "EUR" };
    const data = path === "/account/balance" ? balance : path === "/vps" ? rows : { [name]: rows };
    return readWith(schema, { success: true, data, pagination });
  };

  const client = customerClient({ get, budget: () => ({ ...budget }) });
  const readers = customerReaders(app, { name: "balance", every: intervals.usual, step: readingBalance });
  handleLanes(store.timers, { "poll:": () => poll(app, "customer", { client, keyId: "k" }, readers) });
  await store.timers.start();
  await pollNow(app, "customer");
  return { clock, calls, found, stopped, suspended, budget, timers: store.timers };
}

/** Advances the clock in steps of `ms` and waits for the work of each; `each` runs after every step. */
async function pass(
  { clock, timers }: Pick<Awaited<ReturnType<typeof estate>>, "clock" | "timers">,
  steps: number,
  ms: number,
  each?: () => boolean,
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    clock.skip(ms);
    await timers.settled("poll:");
    if (each?.()) return;
  }
  if (each) throw new Error(`It did not come to pass in ${steps} steps`);
}

test("polling 10,000 services takes under a fifth of the key's rate limit, and finds changes as soon as the guide says", async () => {
  const polled = await estate(10_000);
  const { calls, found, stopped, suspended, clock } = polled;
  // The first round only stores the states that it finds.
  await pass(polled, 400, 20_000, () =>
    calls.some(({ path, page, status }) => path === "/services" && page === 50 && !status),
  );
  expect(found).toEqual([]);
  const firstPages = () => calls.filter(({ path, page }) => path === "/vps" && page === 1).length;
  const before = firstPages();
  await pass(polled, 400, 20_000, () => firstPages() > before);
  // The worst moment for a change: right after its page was read.
  const changedAt = clock.now();
  stopped.add(3);
  suspended.add(9_999);
  await pass(polled, 400, 20_000, () => found.length === 2);
  const late = (event: string) => Math.ceil(((found.find((one) => one.event === event)?.at ?? 0) - changedAt) / minute);
  expect(late("service.suspended")).toBeLessThanOrEqual(6);
  expect(late("machine.stopped")).toBeLessThanOrEqual(30);
  expect(busiestHour(calls)).toBeLessThan(200);
});

test("polling leaves the last fifth of a key's calls to others, and goes on when more are left", async () => {
  const polled = await estate(400, { remaining: 199 });
  await pass(polled, 5, minute);
  expect(polled.calls).toEqual([]);
  polled.budget.remaining = 1_000;
  await pass(polled, 1, hour);
  expect(polled.calls.length).toBeGreaterThan(5);
});
