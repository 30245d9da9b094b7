import { expect, test } from "vitest";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import { orderReader } from "../../../src/alerts/polling/orders.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { pathOf } from "../../../src/platform/http/path.ts";
import { customerClient, readWith } from "../../platform/clients.ts";
import { hour, openPolling } from "./polled.ts";

const day = 24 * hour;

/** An account with unpaid orders, one to a page, and the orders that polling reads one by one. */
async function account() {
  const app = await openPolling();
  const { clock } = app;
  const orders: { id: string; created_at?: string }[] = [];
  const reads: string[] = [];
  const states: Record<string, string[]> = {};

  const get: CustomerClient["get"] = async (called, schema) => {
    const id = pathOf(called).path.split("/")[2];
    if (id !== undefined) reads.push(id);
    const statuses = states[id ?? ""] ?? ["pending_payment"];
    const services = statuses.map((status, at) => ({ id: `service-${at}-of-${id}`, status }));
    const pagination = { page: 1, limit: 200, total: orders.length, pages: 1 };
    return readWith(schema, {
      success: true,
      data: id === undefined ? { orders } : { order: { id, services } },
      pagination,
    });
  };
  const client: CustomerClient<string> = customerClient({ get, skipping: () => client });
  const reader = orderReader(app);
  let rounds = 0;

  /** One round; resolves to the orders that it read. */
  async function round(): Promise<string[]> {
    reads.splice(0);
    const at = { first: rounds === 0, since: clock.now() - hour, key: "k" };
    let cursor: Awaited<ReturnType<typeof reader.step>> = "";
    while (typeof cursor === "string") cursor = await reader.step(client, cursor, at);
    rounds += 1;
    return [...reads];
  }
  return { app, clock, orders, states, round };
}

test("an old order that moves onto the page is not taken for a new one", async () => {
  const { clock, orders, round } = await account();
  await round();
  const made = (ago: number) => new Date(clock.now() - ago).toISOString();
  orders.push({ id: "old", created_at: made(3 * day) }, { id: "new", created_at: made(hour / 2) });
  expect(await round()).toEqual(["new"]);
});

test("of many unpaid orders each is read in its turn, and given up after 30 days", async () => {
  const { clock, orders, round } = await account();
  await round();
  orders.push(...Array.from({ length: 25 }, (_, at) => ({ id: `order-${at}` })));
  const read = new Set([...(await round()), ...(await round()), ...(await round())]);
  expect(read.size).toBe(25);
  clock.skip(29 * day);
  expect(await round()).toHaveLength(10);
  clock.skip(2 * day);
  expect(await round()).toEqual([]);
});

test("an order is neither completed nor failed while a service of it is in a state that no spec lists", async () => {
  const { app, orders, states, round } = await account();
  await round();
  orders.push({ id: "one" });
  states.one = ["locked", "provisioning_failed"];
  expect(await round()).toEqual(["one"]);
  expect(await newestEvents(app, { limit: 1 })).toEqual([]);
  states.one = ["active", "active"];
  await round();
  expect(await newestEvents(app, { limit: 1 })).toMatchObject([{ event: "order.completed" }]);
});

test("an order that could not be built is read on, and its failure lists what failed alone", async () => {
  const { app, orders, states, round } = await account();
  await round();
  orders.push({ id: "one" });
  states.one = ["active", "provisioning_failed"];
  expect(await round()).toEqual(["one"]);
  const [failed] = await newestEvents(app, { limit: 1 });
  expect(failed).toMatchObject({ event: "order.failed", data: { services: [{ serviceId: "service-1-of-one" }] } });
  states.one = ["active", "installing"];
  expect(await round()).toEqual(["one"]);
  states.one = ["active", "active"];
  expect(await round()).toEqual(["one"]);
  expect((await newestEvents(app, { limit: 2 })).map(({ event }) => event)).toEqual([
    "order.completed",
    "order.failed",
  ]);
  expect(await round()).toEqual([]);
});
