import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayHaveRun, PlatformRefused, PlatformUnanswered } from "../../../src/platform/http/errors.ts";
import { pricesOf } from "../../../src/platform/reseller/cycles.ts";
import { EventData } from "../../../src/platform/reseller/events.ts";
import { quantityOf, setOptions } from "../../../src/platform/reseller/options.ts";
import { listOrders, readOrder } from "../../../src/platform/reseller/orders.ts";
import { orderIn, placeOrder, retryOrder } from "../../../src/platform/reseller/place-order.ts";
import { failure, json } from "../server.ts";
import { open, refuse } from "./call.ts";
import { orderRow, productRow } from "./rows.ts";

const body = { productId: "p1", billingCycle: "monthly", quantity: 1, externalOrderId: "ext-1" } as const;
const call = { api: "reseller", method: "POST", path: "/reseller/orders" } as const;

describe("an order that was charged and not built", () => {
  test("is sent once, its outcome is not known to be none, and the order can be named", async () => {
    const carried = { orderId: "or1", orderNumber: 1001, externalOrderId: "ext-1", total: "9.68", currency: "EUR" };
    const { client, seen } = await open(refuse(502, "The service could not be created", { data: carried }));

    const refused = await failure(placeOrder(client, body));

    expect(seen).toHaveLength(1);
    expect(refused).toMatchObject({ status: 502 });
    expect(mayHaveRun(refused)).toBe(true);
    expect(orderIn(refused)).toEqual({ orderId: "or1", orderNumber: "1001" });
  });

  test("is named after a retry, too", async () => {
    const { client } = await open(refuse(502, "The service could not be created", { order: { id: "or1" } }));
    expect(orderIn(await failure(retryOrder(client, "or1")))).toEqual({ orderId: "or1" });
  });
});

describe("a set of add-ons whose charge failed", () => {
  test("changed nothing, and names the order whose charge can be retried", async () => {
    const { client } = await open(refuse(402, "Card declined", { data: { charge: { orderId: "or2", amount: 5 } } }));

    const refused = await failure(setOptions(client, "s1", { options: [], externalReference: "ref-1" }));

    expect(mayHaveRun(refused)).toBe(false);
    expect(orderIn(refused)).toEqual({ orderId: "or2" });
  });
});

test.each([
  ["Insufficient credit balance: 4.60 needed, 1.00 available", true],
  ["4,60 needed, 1,00 available", true],
  ["Your credit is too low", false],
  ["Your card was declined (code 51), try again in 2 days", false],
])(
  "the reason “%s” of a failed charge is read by all who see its order or event, unless it may name a balance",
  async (...row) => {
    const [reason, isHidden] = row;
    const data = orderRow({ payment_failed_reason: reason });
    const { client } = await open((response) => json(response, 200, { success: true, data }));
    const order = await readOrder(client, "or1");
    const event = EventData.parse({ paymentError: reason }).paymentError;
    for (const shown of [order.payment_failed_reason, event])
      expect(shown).toEqual(isHidden ? expect.stringContaining("may name the balance") : reason);
  },
);

describe("the order that a refusal carries", () => {
  test.each([
    ["beside the error", { orderId: "or1" }],
    ["as data", { data: { orderId: "or1" } }],
    ["as an order in data", { data: { order: { orderId: "or1" } } }],
    ["as an order that calls itself id", { data: { order: { id: "or1" } } }],
    ["as a charge", { charge: { orderId: "or1" } }],
    ["in the error itself", { error: { message: "No", orderId: "or1" } }],
    ["in a list", { data: [{ orderId: "or1" }] }],
    ["among figures that cannot be read", { data: { orderId: "or1", amount: "much", currency: 7, status: {} } }],
  ])("is found %s", (_, carried) => {
    const refused = new PlatformRefused(call, { status: 502, reason: "No", body: { success: false, ...carried } });
    expect(orderIn(refused)?.orderId).toBe("or1");
  });

  test("is the one that the refusal itself speaks of, where others are mentioned below it", () => {
    const carried = { data: { services: [{ orderId: "other" }], orderId: "or1" } };
    expect(orderIn(new PlatformRefused(call, { status: 502, reason: "No", body: carried }))?.orderId).toBe("or1");
  });

  test("is none where it names none, whatever it holds, and of no other failure", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (carried) => {
        fc.pre(!/order/i.test(JSON.stringify(carried)));
        expect(orderIn(new PlatformRefused(call, { status: 502, reason: "No", body: carried }))).toBeNull();
      }),
    );
    expect(orderIn(new PlatformUnanswered(call, true))).toBeNull();
    expect(orderIn(Object.assign(new Error("No"), { body: { orderId: "or1" } }))).toBeNull();
  });
});

test("a page of orders is counted by the limit that the platform gives, so that none is left out", async () => {
  const all = Array.from({ length: 450 }, (_, at) => orderRow({ id: `or${at}` }));
  const { client } = await open((response, { url }) => {
    const query = new URL(url, "http://x").searchParams;
    const limit = Math.min(200, Number(query.get("limit")));
    const offset = Number(query.get("offset"));
    const pagination = { total: all.length, limit, offset, hasMore: offset + limit < all.length };
    json(response, 200, { success: true, data: { orders: all.slice(offset, offset + limit) }, pagination });
  });

  const first = await listOrders(client, { limit: 500 });
  const ids = first.rows.map(({ id }) => id);
  for (let page = 2; page <= first.pagination.pages; page += 1)
    ids.push(...(await listOrders(client, { page, limit: 500 })).rows.map(({ id }) => id));

  expect(ids).toEqual(all.map(({ id }) => id));
});

test("the cycles that can be ordered are those with a price, in the words that an order takes", () => {
  const { pricing } = productRow();
  expect(pricesOf({ ...pricing, monthly: "10.00", hourly: undefined, setupFee: "0" })).toEqual([
    { cycle: "monthly", price: "10.00" },
    { cycle: "semi-annually", price: "55.5000" },
    { cycle: "annually", price: "100.00" },
  ]);
  expect(pricesOf({ quarterly: { wholesale: "3.00" }, hourly: "0.01" })).toEqual([{ cycle: "hourly", price: "0.01" }]);
});

test.each([
  [
    { id: "a1", optionId: "o1", quantity: 2 },
    { optionId: "o1", quantity: 2 },
  ],
  [
    { id: "a1", option_id: "o1", quantity: 1 },
    { optionId: "o1", quantity: 1 },
  ],
  [{ id: "a1", optionId: "o1" }, null],
  [{ id: "a1", quantity: 1 }, null],
])("an add-on that is held, %j, is wanted again as %j: what it does not say is not guessed", (row, expected) => {
  expect(quantityOf(row)).toEqual(expected);
});
