import { expect, test } from "vitest";
import { provisioning } from "../../src/operations/order/provisioning.ts";
import { placedAnswer } from "../../src/operations/reseller/order/outcome.ts";
import { paymentDueOn } from "../../src/operations/service/terms.ts";
import { PlacedOrder } from "../../src/platform/reseller/place-order.ts";
import { connect, ok, startServer } from "../platform/server.ts";

// The platform may say nothing of a charge, a payment or a service: then nobody reads that there was none.

test("a reseller order that was not built is called charged or free only where the platform says how it is paid", () => {
  const said = (paymentMode?: string) => {
    const row = { orderId: "o1", status: "provisioning_failed", amount: "10.00", currency: "EUR", paymentMode };
    return placedAnswer(PlacedOrder.parse(row), "VPS S").text;
  };
  expect(said("invoice")).toContain("nothing was charged");
  expect(said("credit")).toMatch(/10\.00 EUR.* charged/);
  expect(said()).toContain("does not show if it charged the order. Do not order again");
  expect(said()).not.toContain("10.00");
});

test("a purchase whose document the platform has cancelled is neither paid nor waits to be paid", async () => {
  const { client } = connect((await startServer(ok({}))).url);
  const due = (status: "paid" | "cancelled") =>
    paymentDueOn(client, { document: { type: "invoice", id: "i1", status, total: "12.00", settled: false } }, "EUR");
  expect(await due("paid")).toBeNull();
  expect(await due("cancelled")).toEqual({ text: expect.stringContaining("has cancelled"), next: [] });
});

const paidOrder = { id: "o1", number: "O-1", status: "active", services: [] };
const invoice = {
  invoice: { id: "i1", status: "paid", total: "12.00" },
  paid_amount: "12.00",
  remaining_amount: "0.00",
  settled: true,
};

/** The progress of an order, of which each read has the next services; the last one repeats. */
async function progressOfPaid(...services: object[][]) {
  let reads = 0;
  const { url } = await startServer((response, seen) => {
    if (!seen.url.includes("/orders/")) return ok(invoice)(response);
    const found = services[Math.min(reads++, services.length - 1)];
    return ok({ order: { ...paidOrder, services: found } })(response);
  });
  const actor = { member: "t:u", slackUser: "u", keyLabel: "key", project: null };
  const { client } = connect(url);
  const listing = () => Promise.reject(new Error("not read"));
  const may = { may: () => true, changesState: () => false };
  const call = { client, actor, confinedTo: null, ...may, listing, targetId: "o1", since: 0, now: 60_000 };
  return provisioning.poll(call, { order: "o1", document: { type: "invoice", id: "i1" }, openBefore: [] });
}

test("a paid order that names no service ends with that, and is not called built", async () => {
  expect(await progressOfPaid([])).toMatchObject({
    state: "done",
    endUnknown: true,
    text: "The order is paid. The platform names no service that it builds for it.",
  });
});

test("an order of which a service is in a state that no spec lists is tracked on, and that one is called neither ready nor failed", async () => {
  const [ready, locked] = ["active", "locked"].map((status) => ({ id: `s-${status}`, name: `web-${status}`, status }));
  expect(await progressOfPaid([Object(ready), Object(locked)])).toMatchObject({
    state: "working",
    text: "Ordered: 1 of 2 are ready; `web-locked` is locked, a state that Rackbell does not know.",
  });
});

test("an order that is paid between two reads of it is tracked on, and not ended as one without services", async () => {
  expect(await progressOfPaid([], [{ id: "s1", name: "web-1", status: "pending" }])).toMatchObject({
    state: "working",
    text: "Paid for and being built: `web-1` is waiting for its machine.",
  });
});
