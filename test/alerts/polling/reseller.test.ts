import { expect, test } from "vitest";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import { poll, pollNow } from "../../../src/alerts/polling/polling.ts";
import { resellerReaders } from "../../../src/alerts/polling/reseller.ts";
import { pathOf } from "../../../src/platform/http/path.ts";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import {
  PaymentMode,
  PaymentStatus,
  ProvisioningStatus,
  ServiceStatus,
} from "../../../src/platform/reseller/states.ts";
import { handleLanes } from "../../../src/storage/timers.ts";
import { readWith, resellerClient } from "../../platform/clients.ts";
import { busiestHour, hour, minute, openPolling } from "./polled.ts";

const services = 10_000;
const orders = 5_000;
const perPage = 200;

/** Resold services and orders without any webhook, and every call that polling makes. */
async function estate() {
  const app = await openPolling();
  const { store, clock, found } = app;
  const calls: { at: number; list: string; page: number }[] = [];
  const states = new Map<number, string>();

  function rowsOf(path: string, status: string | undefined): object[] {
    if (path === "/orders") return status === undefined ? Array.from({ length: orders }, (_, at) => orderAt(at)) : [];
    const all = Array.from({ length: services }, (_, at) => serviceAt(at));
    return status === undefined ? all : all.filter((one) => one.status === status);
  }

  function serviceAt(at: number) {
    return { serviceId: `service-${at}`, hostname: `host-${at}`, status: states.get(at) ?? "active" };
  }

  function orderAt(at: number): object {
    return { id: `order-${at}`, payment_status: "paid", payment_mode: "credit", services: [] };
  }

  const get: ResellerClient["get"] = async (called, schema, query = {}) => {
    const { path } = pathOf(called);
    const page = Number(query.page ?? 1);
    const status = query.status === undefined ? undefined : String(query.status);
    calls.push({ at: clock.now(), list: `${path} ${status ?? "all"}`, page });
    const all = rowsOf(path, status);
    const rows = all.slice((page - 1) * perPage, page * perPage);
    const pagination = { page, limit: perPage, total: all.length, pages: Math.max(1, Math.ceil(all.length / perPage)) };
    return readWith(schema, { success: true, data: { [path.slice(1)]: rows, pagination } });
  };

  const budget = { limit: 1_000, remaining: 1_000, resetAt: clock.now() + hour };
  const client = resellerClient({ get, budget: () => budget });
  const readers = resellerReaders(app);
  handleLanes(store.timers, { "poll:": () => poll(app, "reseller", { client, keyId: "k" }, readers) });
  await store.timers.start();
  await pollNow(app, "reseller");

  /** Advances the clock until `look` succeeds. */
  async function pass(look: () => boolean): Promise<void> {
    for (let step = 0; step < 1_500 && !look(); step += 1) {
      clock.skip(20_000);
      for (let before = -1; before !== calls.length; ) {
        before = calls.length;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    expect(look()).toBe(true);
  }
  return { clock, calls, found, states, pass };
}

test("polling 10,000 resold services takes under a fifth of the key's rate limit, and finds changes without an event as soon as the guide says", async () => {
  const { clock, calls, found, states, pass } = await estate();
  const rounds = (list: string) => calls.filter((one) => one.list === list && one.page === 1).length;
  // The first round only stores the states that it finds.
  await pass(() => rounds("/services all") === 2);
  expect(found).toEqual([]);
  const changedAt = clock.now();
  states.set(9_999, "suspended");
  states.set(3, "terminated");
  await pass(() => found.length === 2);
  const late = (event: string) => ((found.find((one) => one.event === event)?.at ?? 0) - changedAt) / minute;
  expect(late("service.suspended")).toBeLessThanOrEqual(27);
  expect(late("service.terminated")).toBeLessThanOrEqual(70);
  expect(busiestHour(calls)).toBeLessThan(200);
}, 60_000);

test("a build that its order alone reports as failed is alerted once, whatever its services show", async () => {
  const app = await openPolling();
  const orders = PaymentStatus.options.flatMap((payment_status) =>
    PaymentMode.options.flatMap((payment_mode) =>
      ProvisioningStatus.options.flatMap((provisioning_status) =>
        [...ServiceStatus.options, null].map((status) => ({
          id: [payment_status, payment_mode, provisioning_status, status].join(" "),
          ...{ payment_status, payment_mode, provisioning_status },
          services: status
            ? [{ serviceId: `s ${payment_status} ${payment_mode} ${provisioning_status} ${status}`, status }]
            : [],
        })),
      ),
    ),
  );
  const get: ResellerClient["get"] = async (_, schema) => {
    const pagination = { total: orders.length, limit: 1_000, offset: 0, hasMore: false };
    return readWith(schema, { success: true, data: { orders, pagination } });
  };
  const reader = resellerReaders(app).find(({ name }) => name === "orders");
  for (let times = 0; times < 3; times += 1) {
    await reader?.step(resellerClient({ get }), "", { first: false, since: 0, key: "k" });
    app.clock.skip(17 * minute);
  }
  const found = (await newestEvents(app, { limit: 1_000 })).filter(
    ({ event }) => event === "service.provisioning_failed",
  );
  const expected = orders.filter(
    (row) =>
      row.provisioning_status === "failed" &&
      row.payment_status !== "failed" &&
      row.payment_mode !== "storefront" &&
      row.services.every(({ status }) => status !== "provisioning_failed"),
  );
  expect(found.map(({ data }) => data.orderId).sort()).toEqual(expected.map(({ id }) => id).sort());
});

test("a build that fails again after it was under way is alerted again", async () => {
  const app = await openPolling();
  let built: ProvisioningStatus = "failed";
  const get: ResellerClient["get"] = async (_, schema) => {
    const services = [{ serviceId: "s-1", status: "pending" }];
    const orders = [{ id: "o-1", payment_status: "paid", provisioning_status: built, services }];
    return readWith(schema, { success: true, data: { orders, pagination: { total: 1, limit: 200, offset: 0 } } });
  };
  const reader = resellerReaders(app).find(({ name }) => name === "orders");
  for (const state of ["failed", "failed", "pending", "failed", "failed"] as const) {
    built = state;
    await reader?.step(resellerClient({ get }), "", { first: false, since: 0, key: "k" });
    app.clock.skip(17 * minute);
  }
  expect(app.found.map(({ event }) => event)).toEqual([
    "service.provisioning_failed",
    "service.provisioning_failed",
    "order.paid",
  ]);
});
