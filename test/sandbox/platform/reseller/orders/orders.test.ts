import { expect, test } from "vitest";
import { modes } from "../../../../../src/sandbox/platform/programme/partner.ts";
import { productId } from "../../../../../src/sandbox/platform/world/catalogue.ts";
import { seededId } from "../../../../../src/sandbox/platform/world/ids.ts";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import {
  at,
  createPractice,
  createPracticeWithEvents,
  listAt,
  wholesaleOrder as order,
  resellerRefusal,
  success,
  textAt,
} from "../../client.ts";

const backup = seededId("option", "backup");
const ipv4 = seededId("option", "ipv4");
const handover = seededId("option", "handover");

test("an order that is charged to the saved card is paid at once, built, and raises its events", async () => {
  const { resell, events, built } = await createPracticeWithEvents();
  const body = order(
    { externalCustomerId: "acme-bakery", options: [{ optionId: backup, quantity: 1 }] },
    { externalServiceId: "ACME-9", osImageId: images.ubuntu.id },
  );
  const placed = await resell("POST /orders", { body });
  expect(placed).toMatchObject(
    success(
      {
        externalOrderId: "ext-1",
        status: "paid",
        paymentStatus: "paid",
        paymentMode: "saved_method",
        amount: 10.4,
        vat: 2.18,
        total: 12.58,
        currency: "EUR",
        services: [{ status: "pending" }],
        options: [{ optionId: backup, name: "Daily backup", quantity: 1, unitPrice: 2.4, setupFee: 0 }],
      },
      201,
    ),
  );
  expect(at(placed, "data.invoiceId")).toEqual(expect.any(String));
  built();
  const service = await resell(`GET /services/${textAt(placed, "data.services.0.serviceId")}`);
  expect(at(service, "data")).toMatchObject({
    status: "active",
    externalServiceId: "ACME-9",
    externalCustomerId: "acme-bakery",
    hostname: "shop.example.com",
    productName: "VPS M",
    wholesaleAmount: "10.4000",
    serverLocation: "es-mad",
  });
  expect(events()).toEqual(["order.paid", "service.provisioned"]);
  expect(await resell(`GET /orders/${textAt(placed, "data.orderId")}`)).toMatchObject(
    success({
      status: "completed",
      payment_status: "paid",
      provisioning_status: "provisioned",
      provisioning_error: null,
      external_customer_name: "Acme Bakery",
      wholesale_amount: "10.40",
    }),
  );
});

test("in credit mode the balance pays; a short one names both figures, and nothing is charged", async () => {
  const { resell, platform } = await createPractice();
  platform.reseller.settings.mode = "credit";
  expect(await resell("POST /orders", { body: order() })).toMatchObject(
    success({ paymentMode: "credit", total: 9.68 }, 201),
  );
  expect(platform.user("ana").balance).toBe(25_000 - 968);
  platform.changeUser("ana", { balance: 500 });
  expect(await resell("POST /orders", { body: order({ externalOrderId: "ext-2" }) })).toMatchObject(
    resellerRefusal(400, "Insufficient credit balance: 9.68 needed, 5.00 available"),
  );
  expect(platform.user("ana").balance).toBe(500);
  expect(platform.reseller.orders()).toHaveLength(1);
});

test.each(["invoice", "proforma"] as const)(
  "in invoice mode the order waits for its %s, and is built once that is paid",
  async (type) => {
    const { resell, ask, platform, events, built } = await createPracticeWithEvents();
    platform.reseller.settings.mode = "invoice";
    platform.settings.document = type;
    const placed = await resell("POST /orders", { body: order() });
    expect(placed).toMatchObject(
      success({ status: "invoiced", paymentStatus: "pending", services: [{ status: "pending_payment" }] }, 201),
    );
    const path = `GET /orders/${textAt(placed, "data.orderId")}`;
    const row = await resell(path);
    const document = textAt(row, type === "invoice" ? "data.invoice_id" : "data.proformaId");
    expect(at(placed, "data.invoiceId")).toBe(type === "invoice" ? document : null);
    expect(textAt(placed, "data.message")).toContain(type === "invoice" ? "INV-" : "PRO-");
    // A linked customer key can pay it.
    platform.changeUser("ana", { balance: 10_000 });
    expect(await ask(`POST /${type}s/${document}/pay`)).toMatchObject({ status: 200 });
    built();
    expect(await resell(path)).toMatchObject(success({ payment_status: "paid", provisioning_status: "provisioned" }));
    expect(events()).toEqual(["order.invoiced", "order.paid", "service.provisioned"]);
  },
);

test.each(modes)(
  "in the mode %s the same external id gives the first order again, and charges nothing",
  async (mode) => {
    const { resell, platform } = await createPractice();
    platform.reseller.settings.mode = mode;
    const [one, two] = await Promise.all([1, 2].map(() => resell("POST /orders", { body: order() })));
    expect([one?.status, two?.status].sort()).toEqual([200, 201]);
    const balance = platform.user("ana").balance;
    const again = await resell("POST /orders", { body: order({ billingCycle: "annually" }) });
    expect(again).toMatchObject(success({ idempotent: true, amount: 8, provisioningStatus: "pending" }));
    expect(at(again, "data.createdAt")).toEqual(expect.any(String));
    expect(platform.reseller.orders()).toHaveLength(1);
    expect(platform.user("ana").balance).toBe(balance);
  },
);

test("a quantity makes as many services, each with its options and its setup fee", async () => {
  const { resell } = await createPractice();
  const options = [
    { optionId: ipv4, quantity: 1 },
    { optionId: ipv4, quantity: 1 },
    { optionId: handover, quantity: 1 },
  ];
  const body = order({ productId: productId("Metal 1"), quantity: 2, options });
  const placed = await resell("POST /orders", { body });
  // Twice: 71.20 and 40.00 of setup, two addresses at 2.00 and 0.80 of setup, one handover at 32.00.
  expect(placed).toMatchObject(success({ amount: 297.6, services: [{}, {}] }, 201));
  expect(listAt(placed, "data.options")).toMatchObject([
    { optionId: ipv4, quantity: 2, unitPrice: 2, setupFee: 0.8 },
    { optionId: handover, unitPrice: 0, setupFee: 32 },
  ]);
});

test.each([402, 400, 201] as const)(
  "a charge that fails is answered with %i, and its order can be retried with another card",
  async (status) => {
    const { resell, platform, events } = await createPracticeWithEvents();
    Object.assign(platform.settings.shapes, { refusedCharge: status, payload: 0 });
    const methods = await resell("GET /payment-methods");
    const declined = textAt(methods, "data.1.id");
    const refused = await resell("POST /orders", { body: order({ paymentMethodId: declined }) });
    expect(refused).toMatchObject({ status, body: { data: { status: "payment_failed", services: [] } } });
    const retry = `POST /orders/${textAt(refused, "data.orderId")}/retry`;
    expect(await resell(retry, { body: { paymentMethodId: declined } })).toMatchObject(
      resellerRefusal(400, "Your card was declined"),
    );
    expect(await resell(`GET /orders?status=failed`)).toMatchObject(
      success({ orders: [{ payment_status: "failed", payment_failed_reason: "Your card was declined" }] }),
    );
    platform.reseller.holdCharge(textAt(refused, "data.orderId"));
    expect(await resell(retry)).toMatchObject({ status: 409 });
    platform.reseller.holdCharge(textAt(refused, "data.orderId"), false);
    expect(await resell(retry)).toMatchObject(
      success({ status: "paid", paymentMode: "saved_method", services: [{ status: "pending" }] }),
    );
    expect(await resell(retry)).toMatchObject(resellerRefusal(400, "The order is already paid"));
    expect(events()).toEqual(["order.payment_failed", "order.payment_failed", "order.paid"]);
  },
);

test("an order that waits for its document, and one of the panel, cannot be retried", async () => {
  const { resell, platform } = await createPractice();
  platform.reseller.settings.mode = "invoice";
  const placed = await resell("POST /orders", { body: order() });
  expect(await resell(`POST /orders/${textAt(placed, "data.orderId")}/retry`)).toMatchObject(
    resellerRefusal(400, "The order is invoiced"),
  );
  const panel = seededId("order", platform.find("web-1").holder, "web-1");
  expect(await resell(`POST /orders/${panel}/retry`)).toMatchObject({ status: 409 });
  expect(await resell(`GET /orders/${panel}`)).toMatchObject(
    success({ paymentMode: "storefront", external_order_id: null, provisioning_status: "provisioned" }),
  );
});

test.each([
  [0, "data.orderId"],
  [1, "orderId"],
  [2, "error.order.orderId"],
])(
  "an order that is charged and cannot be provisioned is answered with a 502 that names it (shape %i)",
  async (payload, where) => {
    const { resell, platform, events } = await createPracticeWithEvents();
    Object.assign(platform.settings.shapes, { payload });
    platform.reseller.settings.creationFails = true;
    const refused = await resell("POST /orders", { body: order() });
    expect(refused.status).toBe(502);
    const id = textAt(refused, where);
    expect(events()).toEqual(["order.paid", "service.provisioning_failed"]);
    expect(await resell(`GET /orders/${id}`)).toMatchObject(
      success({
        payment_status: "paid",
        provisioning_status: "failed",
        provisioning_error: "No node took the service",
      }),
    );
    platform.reseller.settings.creationFails = false;
    expect(await resell("POST /orders", { body: order() })).toMatchObject(
      success({ orderId: id, idempotent: true, provisioningStatus: "failed" }),
    );
  },
);

test("in invoice mode a service that cannot be created costs nothing", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  Object.assign(platform.reseller.settings, { mode: "invoice", creationFails: true });
  const before = platform.documents().length;
  expect(await resell("POST /orders", { body: order() })).toMatchObject({
    status: 502,
    body: { data: { paymentStatus: "pending", invoiceId: null } },
  });
  expect(platform.documents()).toHaveLength(before);
});

test("a build that fails later shows in the order, with its reason, and by an event that names its stage", async () => {
  const { resell, platform, events, built } = await createPracticeWithEvents();
  const placed = await resell("POST /orders", { body: order() });
  const service = textAt(placed, "data.services.0.serviceId");
  platform.failJob("install", service);
  built();
  expect(await resell(`GET /orders/${textAt(placed, "data.orderId")}`)).toMatchObject(
    success({ provisioning_status: "failed", provisioning_error: "The build failed for an unknown reason." }),
  );
  expect(events()).toEqual(["order.paid", "service.provisioning_failed"]);
  expect(platform.reseller.deliveries().at(-1)?.data).toMatchObject({
    serviceId: service,
    stage: "install",
    provisioningError: "The build failed for an unknown reason.",
  });
});

test("orders are found by external id and counted from an offset; a limit over 200 is 200", async () => {
  const { resell } = await createPractice();
  for (const externalOrderId of ["a", "b", "c"]) await resell("POST /orders", { body: order({ externalOrderId }) });
  const found = await resell("GET /orders?externalOrderId=b");
  expect(listAt(found, "data.orders")).toMatchObject([{ external_order_id: "b", product_name: "VPS M" }]);
  expect(await resell("GET /orders?limit=2&offset=2")).toMatchObject(
    success({ pagination: { total: 5, limit: 2, offset: 2, hasMore: true } }),
  );
  expect(await resell("GET /orders?limit=500")).toMatchObject(success({ pagination: { limit: 200, hasMore: false } }));
});

test("a key that is bound to a customer orders for that one alone, and sees no other's orders", async () => {
  const { resell } = await createPractice();
  const theirs = await resell("POST /orders", { body: order({ externalCustomerId: "borealis" }) });
  const own = await resell("POST /orders", {
    as: "bound",
    body: order({ externalOrderId: "ext-2", externalCustomerId: "borealis" }),
  });
  expect(listAt(await resell("GET /orders", { as: "bound" }), "data.orders")).toMatchObject([
    { id: textAt(own, "data.orderId"), external_customer_id: "acme-bakery" },
  ]);
  const path = `/orders/${textAt(theirs, "data.orderId")}`;
  expect(await resell(`GET ${path}`, { as: "bound" })).toMatchObject(resellerRefusal(404, "Order not found"));
  expect(await resell(`POST ${path}/retry`, { as: "bound" })).toMatchObject(resellerRefusal(404, "Order not found"));
  expect(await resell("POST /orders", { as: "bound", body: order() })).toMatchObject({ status: 409 });
});

test("an account in another currency is charged in it, at the rate of the order", async () => {
  const { resell, platform } = await createPractice();
  platform.reseller.settings.currency = { code: "CZK", rate: 25 };
  expect(await resell("POST /orders", { body: order() })).toMatchObject(
    success({ amount: 200, total: 242, currency: "CZK" }, 201),
  );
  expect(listAt(await resell("GET /orders?externalOrderId=ext-1"), "data.orders")).toMatchObject([
    { total_amount: "8.00", wholesale_amount: "200.00", currency: "CZK" },
  ]);
});

test.each(["500", "reset", "half-json", "empty", "html"] as const)(
  "an answer that is lost by %s was an order all the same: its external id finds it, and nothing is charged twice",
  async (how) => {
    const { resell, platform } = await createPractice();
    platform.reseller.settings.mode = "credit";
    platform.faults.next({ how, method: "POST", path: "/reseller/orders", applied: true });
    await resell("POST /orders", { body: order() }).catch(() => undefined);
    expect(listAt(await resell("GET /orders?externalOrderId=ext-1"), "data.orders")).toMatchObject([
      { payment_status: "paid" },
    ]);
    expect(await resell("POST /orders", { body: order() })).toMatchObject({ status: 200 });
    expect(platform.user("ana").balance).toBe(25_000 - 968);
  },
);

test("an order whose request is cut off before the platform has read it is not charged", async () => {
  const { resell, platform } = await createPractice();
  platform.faults.next({ how: "500", method: "POST", path: "/reseller/orders" });
  expect(await resell("POST /orders", { body: order() })).toMatchObject({ status: 500 });
  expect(platform.reseller.orders()).toEqual([]);
});

test("a captured image is built on the node that holds it", async () => {
  const { resell, platform } = await createPractice();
  const image = seededId("custom-image", platform.find("web-1").holder, "golden-web");
  const body = order({}, { custom_image_id: image, node: "node-7" });
  expect(await resell("POST /orders", { body })).toMatchObject({ status: 201 });
});
