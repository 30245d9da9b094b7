import { expect, test } from "vitest";
import type * as z from "zod";
import { orderState } from "../../../src/operations/reseller/order/order.ts";
import {
  addonPayment,
  type OrderHandle,
  provisioning,
  retriedAnswer,
} from "../../../src/operations/reseller/order/outcome.ts";
import { Order } from "../../../src/platform/reseller/orders.ts";
import { RetriedOrder } from "../../../src/platform/reseller/place-order.ts";
import { ServiceStatus } from "../../../src/platform/reseller/states.ts";
import { open } from "../../platform/reseller/call.ts";
import { ok } from "../../platform/server.ts";

const active = { serviceId: "s1", status: "active" };
const pending = { serviceId: "s1", status: "pending" };

/** The progress of an order after another charge, from its row before the charge and its row after it. */
async function afterRetry(before: object, after: object) {
  const order = Order.parse({ id: "o1", order_number: "RES-1", payment_status: "failed", ...before });
  const retried = RetriedOrder.parse({ orderId: "o1", status: "paid" });
  const { handle, text } = retriedAnswer(order, retried, "`RES-1`");
  return { text, progress: await progressOf(provisioning, { payment_status: "paid", ...after }, handle) };
}

async function progressOf(
  tracking: typeof provisioning,
  row: object,
  handle: z.output<typeof OrderHandle> | null = { order: "o1" },
) {
  const { client } = await open(ok({ id: "o1", order_number: "RES-1", ...row }));
  const actor = { member: "t:u", slackUser: "u", keyLabel: "key", project: null };
  const call = {
    client,
    actor,
    confinedTo: null,
    may: () => true,
    changesState: () => false,
    listing: () => Promise.reject(new Error("not read")),
  };
  return tracking.poll({ ...call, targetId: "s1", since: 0, now: 60_000 }, handle ?? { order: "o1" });
}

test.each([
  ["that names the active service", { services: [active] }],
  ["that names the service without a status", { services: [{ serviceId: "s1" }] }],
  ["that names no service", {}],
])("an add-on order %s is done once it is paid, and nobody waits for a build", async (_, row) => {
  for (const built of ["pending", "provisioned"]) {
    const { progress, text } = await afterRetry(row, { ...row, provisioning_status: built });
    expect(progress.state).toBe("done");
    expect(`${text} ${progress.text}`).not.toMatch(/built|being build|ready/);
  }
});

test.each([
  [
    "with the partner's id",
    { external_order_id: "mine" },
    { external_order_id: "mine", provisioning_status: "pending" },
  ],
  ["that names a pending service", { services: [pending] }, { services: [pending] }],
  ["that names its service only afterwards", {}, { services: [pending] }],
])("an order of services %s is tracked until it is built", async (_, before, after) => {
  expect((await afterRetry(before, after)).progress).toMatchObject({
    state: "working",
    text: expect.stringContaining("being built"),
  });
});

test.each([
  ["refunded", "saved_method"],
  ["failed", "saved_method"],
  ["pending", "invoice"],
  ["processing", "saved_method"],
  [null, "invoice"],
])("an order with the payment %s in %s mode is nowhere shown as paid", async (payment, mode) => {
  const row = { payment_status: payment, payment_mode: mode };
  expect(orderState(Order.parse({ id: "o1", ...row }))).not.toContain("paid,");
  for (const tracking of [provisioning, addonPayment]) {
    const { state, text } = await progressOf(tracking, row);
    expect(state).not.toBe("done");
    expect(text).not.toMatch(/Paid|are paid|is paid/);
  }
});

test("an invoiced order without a payment status waits until something is built, and not after that", async () => {
  const row = { payment_mode: "invoice", services: [active], provisioning_status: "provisioned" };
  expect(orderState(Order.parse({ id: "o1", ...row }))).not.toContain("awaiting payment");
  expect((await progressOf(provisioning, row)).state).toBe("done");
});

test("an order of which nobody says if it is paid is not called paid, nor being built, until a service is there", async () => {
  const progress = (row: object) => progressOf(provisioning, row);
  for (const row of [{}, { services: [] }, { services: [pending] }, { provisioning_status: "pending" }])
    expect((await progress(row)).text, JSON.stringify(row)).toContain("does not show yet if the order is paid");
  for (const row of [{ services: [active] }, { provisioning_status: "provisioned" }])
    expect((await progress(row)).text, JSON.stringify(row)).not.toContain("does not show yet");
});

const statuses = [...ServiceStatus.options, undefined];
const pairs = [
  [],
  ...statuses.map((one) => [one]),
  ...statuses.flatMap((one) => statuses.map((other) => [one, other])),
];
const isOnItsWay = (status: string | undefined) => status === "installing" || status === "active";
const waits = (status: string | undefined) => !status || ["pending", "pending_payment", "installing"].includes(status);

const built = (status: string | undefined) => status === "active";
const begun = (status: string | undefined) => status === "pending" || status === "installing";

test.each(["provisioned", "pending", null, undefined])(
  "a paid order with the provisioning status %s is called built or being built only where the order or a service says so",
  async (provisioning_status) => {
    for (const pair of pairs) {
      const services = pair.map((status, at) => ({ serviceId: `s${at}`, status }));
      const row = { payment_status: "paid", payment_mode: "storefront", provisioning_status, services };
      const isBuilt = provisioning_status === "provisioned" || (pair.length > 0 && pair.every(built));
      const isBegun = provisioning_status === "pending" || pair.some(begun);
      const state = orderState(Order.parse({ id: "o1", ...row }));
      expect(state, pair.join()).toBe(isBuilt ? "paid and built" : isBegun ? "paid, being built" : "paid");
      if (isBuilt || isBegun) continue;
      expect((await progressOf(provisioning, row)).text, pair.join()).not.toContain("being built");
    }
  },
);

test.each(["paid", "pending", "processing", null])(
  "an order whose build failed, with the payment %s, names the reason, and ends unless a service is ready or being installed",
  async (payment) => {
    for (const pair of pairs) {
      const services = pair.map((status, at) => ({ serviceId: `s${at}`, status }));
      const failure = { provisioning_status: "failed", provisioning_error: "no disk" };
      const row = { payment_status: payment, payment_mode: "saved_method", services, ...failure };
      const { state, text } = await progressOf(provisioning, row);
      const isPaid = payment === "paid" && !pair.includes("pending_payment");
      const isWaiting = pair.some(waits);
      if (pair.every((status) => waits(status) && status !== "installing") || (isPaid && !pair.some(isOnItsWay)))
        expect(state, pair.join()).toBe("failed");
      if (isPaid && isWaiting && pair.some(isOnItsWay)) expect(state, pair.join()).toBe("working");
      if (isPaid && pair.some((status) => status !== "active")) expect(text, pair.join()).toContain("no disk");
    }
  },
);

test("an order of which one build failed and another goes on counts only ready services as ready", async () => {
  const services = ["active", "provisioning_failed", "installing"].map((status, at) => ({
    serviceId: `s${at}`,
    status,
  }));
  const { text } = await progressOf(provisioning, { payment_status: "paid", services });
  expect(text).toContain("1 of 3 are ready");
});

test.each(["provisioned", "pending", "failed"])(
  "an order of which a service is in a state that no spec lists is tracked on beside a build that is %s",
  async (provisioning_status) => {
    const services = ["active", "locked"].map((status, at) => ({ serviceId: `s${at}`, status }));
    const { state, text } = await progressOf(provisioning, { payment_status: "paid", provisioning_status, services });
    expect(state).toBe("working");
    expect(text).toContain("1 of 2 are ready");
    expect(text).toContain("Rackbell does not know the state of `s1`.");
  },
);

test("the goods of an unpaid order whose services are in a state that no spec lists are not called add-ons", async () => {
  const { progress } = await afterRetry(
    { services: [{ serviceId: "s1", status: "locked" }] },
    { payment_status: "failed" },
  );
  expect(progress.text).toContain("nothing is delivered");
});
