import { expect, test } from "vitest";
import { newestEvents } from "../../../src/alerts/event-log.ts";
import { documentReader } from "../../../src/alerts/polling/documents.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { PlatformOffContract, PlatformUnanswered } from "../../../src/platform/http/errors.ts";
import { pathOf } from "../../../src/platform/http/path.ts";
import type { UnreadRow } from "../../../src/platform/http/unread.ts";
import { customerClient, readWith } from "../../platform/clients.ts";
import { openPolling } from "./polled.ts";

const unanswered = new PlatformUnanswered({ api: "customer", method: "GET", path: "/invoices/a" }, true);
const offContract = new PlatformOffContract(
  { api: "customer", method: "GET", path: "/invoices" },
  { problem: "No total." },
);

interface Invoice {
  id: string;
  status: "unpaid" | "paid";
}

/** An account with invoices, their reader, and the calls of each of its steps. */
async function account() {
  const app = await openPolling();
  const invoices = new Map<string, Invoice>();
  const unreadable = new Set<string>();
  /** The documents whose own page, or the list, fails with this error. */
  const failing = new Map<string, Error>();
  const calls: string[] = [];

  function add(...ids: string[]): void {
    for (const id of ids) invoices.set(id, { id, status: "unpaid" });
  }

  function clientWith(skip: (row: UnreadRow) => void): CustomerClient<string> {
    const get: CustomerClient["get"] = async (called, schema, query = {}) => {
      const { path } = pathOf(called);
      calls.push(path);
      const id = path.split("/")[2];
      const failure = failing.get(id ?? "list");
      if (failure) throw failure;
      if (id !== undefined) {
        const one = {
          ...invoices.get(id),
          total: "10.00",
          paid_amount: "6.00",
          remaining_amount: "4.00",
          settled: false,
        };
        return readWith(schema, { success: true, data: one });
      }
      const open = [...invoices.values()].filter(({ status }) => status === query.status);
      for (const row of open.filter((one) => unreadable.has(one.id)))
        skip({ ...row, name: null, type: null, place: 1, fields: ["total"], others: 0, error: offContract });
      const rows = open.filter((one) => !unreadable.has(one.id)).map((row) => ({ ...row, total: "10.00" }));
      const pagination = { page: 1, limit: 200, total: rows.length, pages: 1 };
      return readWith(schema, { success: true, data: { invoices: rows }, pagination });
    };
    return customerClient({ get, skipping: clientWith });
  }

  const reader = documentReader("invoice", app);
  let rounds = 0;

  /** One round, or its first steps; resolves to the most calls of one step. */
  async function round(steps = Number.POSITIVE_INFINITY): Promise<number> {
    let most = 0;
    const at = { first: rounds === 0, since: app.clock.now() - 1, key: "k" };
    for (
      let cursor: Awaited<ReturnType<typeof reader.step>> = "", step = 0;
      typeof cursor === "string" && step < steps;
      step += 1
    ) {
      const before = calls.length;
      const from: string = cursor;
      const client = clientWith(() => {});
      cursor = await reader.step(client, from, at).catch(async (error: unknown) => {
        const skipped = await reader.skip?.(from, 3, at);
        if (!skipped) throw error;
        return skipped.cursor;
      });
      most = Math.max(most, calls.length - before);
    }
    rounds += 1;
    return most;
  }

  const events = async () =>
    (await newestEvents(app, { limit: 1_000 })).map(({ event, data }) => `${event} ${data.documentId}`).toReversed();
  return { ...app, invoices, unreadable, failing, calls, add, round, events };
}

test("the 150 invoices of a billing run raise their events with one call in each step", async () => {
  const { add, round, events, store } = await account();
  await round();
  add(...Array.from({ length: 150 }, (_, at) => `invoice-${at}`));
  expect(await round()).toBe(1);
  expect(await events()).toHaveLength(150);
  const [newest] = await newestEvents({ store }, { limit: 1 });
  expect(newest?.data).toMatchObject({ total: "10.00", remaining: "4.00" });
  await round();
  expect(await events()).toHaveLength(150);
});

test("an invoice whose amount gets no answer raises its event in the next round, and the others in this one", async () => {
  const { add, round, events, failing } = await account();
  await round();
  add("a", "b");
  failing.set("a", unanswered);
  await round();
  expect(await events()).toEqual(["invoice.new b"]);
  failing.clear();
  await round();
  expect(await events()).toEqual(["invoice.new b", "invoice.new a"]);
});

test("invoices that were paid at once are all found, although the app stopped before it read them", async () => {
  const { add, round, events, invoices } = await account();
  add("a", "b");
  await round();
  for (const id of ["a", "b"]) invoices.set(id, { id, status: "paid" });
  await round(2);
  await round(3);
  expect(await events()).toEqual(["invoice.paid a"]);
  await round();
  expect(await events()).toEqual(["invoice.paid a", "invoice.paid b"]);
});

test("an invoice whose row cannot be read still counts as open, so that its payment is found", async () => {
  const { add, round, events, calls, invoices, unreadable } = await account();
  add("a");
  await round();
  unreadable.add("a");
  calls.splice(0);
  await round();
  expect(calls).not.toContain("/invoices/a");
  invoices.set("a", { id: "a", status: "paid" });
  await round();
  expect(await events()).toEqual(["invoice.paid a"]);
});

test.each([
  ["gets no answer", unanswered],
  ["shows a state that no contract has", offContract],
])(
  "an invoice that is no longer open, and whose page %s, holds up no other and is read in later rounds",
  async (_, failure) => {
    const { add, round, events, invoices, failing } = await account();
    add("a", "b");
    await round();
    for (const id of ["a", "b"]) invoices.set(id, { id, status: "paid" });
    failing.set("a", failure);
    add("c");
    for (let times = 0; times < 3; times += 1) await round();
    expect(await events()).toEqual(["invoice.new c", "invoice.paid b"]);
    failing.clear();
    await round();
    expect(await events()).toEqual(["invoice.new c", "invoice.paid b", "invoice.paid a"]);
  },
);

test("an invoice on a page that cannot be read is not taken for closed, and its payment is found once the page is back", async () => {
  const { add, round, events, calls, invoices, failing } = await account();
  add("a");
  await round();
  failing.set("list", unanswered);
  calls.splice(0);
  await round();
  expect(calls).not.toContain("/invoices/a");
  invoices.set("a", { id: "a", status: "paid" });
  await round();
  failing.clear();
  await round();
  expect(await events()).toEqual(["invoice.paid a"]);
});
