import { expect, test } from "vitest";
import { apiOfKey, describeCustomerKey } from "../../../src/members/identities/keys.ts";
import { permissionsIn, readKeyIdentity } from "../../../src/platform/customer/account.ts";
import { powerDedicated, readDedicated } from "../../../src/platform/customer/dedicated.ts";
import { dueOf, numberOf } from "../../../src/platform/customer/documents.ts";
import { listCustomImages } from "../../../src/platform/customer/images.ts";
import { readOrder } from "../../../src/platform/customer/orders.ts";
import { powerService, readService } from "../../../src/platform/customer/services.ts";
import { readVps, revertSnapshot, vpsActs } from "../../../src/platform/customer/vps.ts";
import { serviceStage } from "../../../src/platform/service-stage.ts";
import { connect, ok, startServer } from "../server.ts";
import { identity, imageRow, vpsRow } from "./rows.ts";

async function clientFor(answer: unknown) {
  return connect((await startServer(ok(answer))).url).client;
}

const accepted: unknown[] = ["ok", true, [], { status: 200 }, { completed: null }, { job_id: 17 }, { state: 3 }, null];

test.each(accepted.map((answer) => [answer]))(
  "an act that the platform accepted with %j counts as accepted",
  async (answer) => {
    const client = await clientFor(answer);
    const made = await Promise.all([
      powerService(client, "s1", "stop"),
      powerDedicated(client, "d1", "off"),
      vpsActs.stop(client, "v1"),
    ]);
    for (const one of made) expect(one).toBe("begun");
  },
);

test("an act that the platform says is done counts as done, whatever else its answer holds", async () => {
  const client = await clientFor({ completed: true, state: 7, job_id: [] });
  expect(await powerService(client, "s1", "stop")).toBe("done");
});

test.each([
  ["failed", { completed: true, pending: false, state: "failed", status: "failed" }],
  ["failed", { completed: false, pending: false, state: "running", status: "CANCELLED" }],
  ["begun", { completed: false, pending: true, state: "error", status: "failed" }],
  // The machine's own state before the act (spec section 3.2).
  ["begun", { completed: false, pending: false, state: "error", status: "accepted" }],
  ["done", { completed: true, pending: false, state: "error", status: "completed" }],
])("an act is %s by the words of an answer such as %j", async (stage, answer) => {
  expect(await powerService(await clientFor(answer), "s1", "stop")).toBe(stage);
});

test("a restore whose job failed is not over, although its answer says completed", async () => {
  const revert = async (answer: unknown) => revertSnapshot(await clientFor(answer), "v1", "n1", "clean");
  expect(await revert({ completed: true, status: "completed" })).toBe("over");
  expect(await revert({ completed: true, status: "failed" })).toBeNull();
});

test.each(["locked", "on_hold", "LOCKED", "half-open", "on hold"])(
  "a state that no spec lists does not hide its resource, and is the platform's own word: %s",
  async (state) => {
    const row = vpsRow({ status: state, instance: { ...vpsRow().instance, state }, os_installation_status: state });
    const vps = await readVps(await clientFor(row), "v1");
    expect([vps.status, vps.instance?.state, vps.os_installation_status]).toEqual([state, state, state]);
    const metal = { id: "d1", name: "big", status: state, failure: null };
    expect((await readDedicated(await clientFor(metal), "d1")).status).toBe(state);
    const service = { id: "s1", serviceType: "game", status: state };
    expect((await readService(await clientFor({ service }), "s1")).service.status).toBe(state);
    expect(await listCustomImages(await clientFor([imageRow({ status: state })]))).toMatchObject([{ status: state }]);
    expect(serviceStage(state)).toBeNull();
  },
);

test("a service and an order whose optional fields are null can be read", async () => {
  const service = await readService(
    await clientFor({ service: { id: "s1", serviceType: "game", status: null } }),
    "s1",
  );
  expect(service.service.status).toBeUndefined();
  const order = { id: "o1", items: null, services: [{ id: "s1", status: null }] };
  expect((await readOrder(await clientFor({ order }), "o1")).services?.[0]?.status).toBeUndefined();
  expect((await readOrder(await clientFor({ order: { id: "o1", services: null } }), "o1")).services).toBeUndefined();
});

test.each([
  ["invoice", { customer_number: "C-7", number: "INV-1" }, "INV-1"],
  ["proforma", { customer_number: "C-7", invoice_number: "INV-1", proforma_number: "P-1" }, "P-1"],
  ["invoice", { customerNumber: "C-7", orderNumber: "ORD-1", proforma_number: "P-1", invoiceNumber: "INV-2" }, "INV-2"],
  ["invoice", { number: "", order_number: "ORD-1", documentNumber: "D-1" }, "D-1"],
  ["order", { customer_number: "C-7", invoice_number: "INV-1", order_number: "ORD-1" }, "ORD-1"],
  ["order", { vatNumber: "EU-1", phone_number: "+31", purchase_order_number: "PO-1" }, null],
  ["order", { tax_number: "T-1", account_number: "A-1", invoice_number: "INV-1" }, null],
  ["invoice", { order_number: "ORD-1", proforma_number: "P-1" }, null],
  ["invoice", { receipt_number: "R-1" }, "R-1"],
  ["invoice", { number: 12 }, null],
] as const)("an %s is called by its own number, never by a customer's or another row's: %j", (kind, row, number) => {
  expect(numberOf(row, kind)).toBe(number);
});

test.each([
  [{ amount_due: "12.10", due_date: "2026-12-01" }, "2026-12-01"],
  [{ amount_due: "12.10" }, null],
  [{ dueAt: "2026-12-01T10:00:00Z" }, "2026-12-01T10:00:00Z"],
  [{ due_date: "2026-99-99" }, null],
  [{ overdue_reminder_at: "2027-03-01", due_date: "2026-12-01" }, "2026-12-01"],
  [{ first_overdue_at: "2027-03-01", dueReminderAt: "2026-11-24", paymentDue: "2026-12-01" }, "2026-12-01"],
  [{ payment_due_notice_at: "2026-11-24", dueAt: "2026-12-01" }, "2026-12-01"],
  [{ overdue_at: "2027-03-01", past_due_since: "2027-03-01" }, null],
])("neither an amount that is due nor a reminder is a due date: %j", (row, due) => {
  expect(dueOf(row)).toBe(due);
});

test("a key may read, whether the platform writes that scope or leaves it out", async () => {
  const scopesOf = async (scopes: string[]) =>
    (await readKeyIdentity(await clientFor(identity({ key: { id: "k1", scopes } })))).key.scopes;
  expect(await scopesOf(["services", "orders"])).toEqual(["read", "services", "orders"]);
  expect(await scopesOf(["services", "read"])).toEqual(["read", "services"]);
  expect(await scopesOf([])).toEqual(["read"]);
});

test("a key of no team and no project can be linked, whichever fields are left out", async () => {
  const { user } = identity();
  const client = await clientFor({ user: { id: user.id, email: user.email }, key: { id: "k1", scopes: ["read"] } });
  expect(await describeCustomerKey(client, { member: "T1:U1", slackUser: "U1" }, 1)).toMatchObject({
    user: { name: user.email },
    account: null,
    bound: null,
    permissions: null,
  });
});

test.each([
  [{ credit_balance: null, permissions: ["services.view"] }],
  [{ profile: { company: "Ada Ltd" }, balance: { credit_balance: "1.00" }, permissions: { "services.view": true } }],
])("the key of a team member can be linked, wherever the balance is: %j", async (account) => {
  const team = { id: "a1", name: "Ada Ltd", owner: false };
  const server = await startServer((response, { url }) =>
    ok(url.endsWith("/account") ? account : identity({ account: team }))(response),
  );
  const link = await describeCustomerKey(connect(server.url).client, { member: "T1:U1", slackUser: "U1" }, 1);
  expect(link).toMatchObject({ account: team, permissions: ["services.view"] });
});

test.each([
  [["services.view"], ["services.view"]],
  [{ "services.view": true, "invoices.pay": false }, ["services.view"]],
  [{ "services.view": 1 }, null],
  [{ "services.view": "yes", "invoices.pay": true }, null],
  [{ "services.view": { granted: true } }, null],
  [[{ key: "services.view", granted: false }], null],
  [{ "services.view": null }, null],
])("permissions in a form that nobody knows are not known, and none is denied: %j", (permissions, known) => {
  expect(permissionsIn({ company: "Ada Ltd", permissions })).toEqual(known);
});

test("the size of an image may come as text: the spec gives it no type", async () => {
  const client = await clientFor({ custom_images: [imageRow({ virtual_size_bytes: "21474836480", size_bytes: "7" })] });
  expect(await listCustomImages(client)).toMatchObject([{ virtual_size_bytes: 21_474_836_480, size_bytes: 7 }]);
});

test("a machine may be within a field of its own kind, as services and images are", async () => {
  const vps = vpsRow({ id: "v1" });
  expect(await readVps(await clientFor({ vps }), "v1")).toMatchObject({ id: "v1", name: vps.name });
  const dedicated = { id: "d1", status: "active" };
  expect(await readDedicated(await clientFor({ dedicated }), "d1")).toEqual(dedicated);
});

test.each([
  [`fbk_${"A1b2C3d4"}_${"Ab".repeat(48)}`, "customer"],
  [`rsk_${"abcd+f/h"}_${"a/+-".repeat(16)}`, "reseller"],
  [`fbk_${"a1b2c3dg"}_${"ab".repeat(48)}`, null],
  [`rsk_${"abcdefgh"}_${"a b ".repeat(16)}`, null],
])("a key may have capitals in its hex digits, and the marks of base64: %s", (key, api) => {
  expect(apiOfKey(key)).toBe(api);
});
