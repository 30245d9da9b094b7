import { expect, test } from "vitest";
import * as billing from "../../../src/platform/customer/billing.ts";
import * as catalog from "../../../src/platform/customer/catalog.ts";
import * as options from "../../../src/platform/customer/options.ts";
import * as orders from "../../../src/platform/customer/orders.ts";
import { renewService } from "../../../src/platform/customer/services.ts";
import * as upgrades from "../../../src/platform/customer/upgrades.ts";
import { applied } from "../../../src/platform/http/errors.ts";
import { connect, failure, json, ok, startServer } from "../server.ts";

const document = { type: "proforma", id: "p1", status: "unpaid", total: "12.5000", settled: false };
const invoice = { id: "i1", status: "unpaid", total: "12.5000", number: "2026-1" };
const sums = { paid_amount: 2.5, remaining_amount: "10.0000", settled: false };
const page = { page: 1, limit: 20, total: 1, pages: 1 };

test.each([{ sent: { invoice, ...sums } }, { sent: { ...invoice, ...sums } }])(
  "an invoice reads with what is paid and what is left",
  async ({ sent }) => {
    const server = await startServer(ok(sent));

    expect(await billing.readInvoice(connect(server.url).client, "i1")).toMatchObject({
      document: { id: "i1", status: "unpaid", total: "12.5000" },
      paid_amount: "2.5",
      remaining_amount: "10.0000",
      settled: false,
    });
  },
);

test("a converted proforma is not taken for the invoice that it became", async () => {
  const proforma = { id: "p1", status: "converted", total: "12.5000", invoice_id: null };
  const server = await startServer(ok({ proforma, invoice, paid_amount: 12.5, remaining_amount: 0, settled: true }));

  expect(await billing.readProforma(connect(server.url).client, "p1")).toMatchObject({
    document: proforma,
    remaining_amount: "0",
    settled: true,
  });
});

test("lists of documents come with their totals", async () => {
  const server = await startServer(ok({ invoices: [invoice], pagination: page, stats: { unpaid: "12.5" } }));
  const { client } = connect(server.url);

  expect(await billing.listInvoices(client, { status: "unpaid" })).toEqual({
    rows: [invoice],
    pagination: page,
    stats: { unpaid: "12.5" },
  });
  expect(await billing.listProformas(client)).toMatchObject({ rows: [invoice] });
  expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/invoices?status=unpaid", "/api/v1/proformas"]);
});

test.each([{ total: "12,50" }, { total: null }, { status: "lost" }])(
  "a document with %j is a clear failure",
  async (changes) => {
    const server = await startServer(ok({ invoices: [{ ...invoice, ...changes }], pagination: page }));

    expect(await failure(billing.listInvoices(connect(server.url).client))).toMatchObject({
      name: "PlatformOffContract",
    });
  },
);

test("a pay sends the amount that was shown and tells what is left", async () => {
  const paid = { newBalance: 87.5, remainingAmount: 0 };
  const server = await startServer((response, { url }) =>
    url.includes("/invoices/")
      ? ok({ ...paid, payment: { id: "x" }, invoicePaid: true })(response)
      : ok({ ...paid, creditApplied: 12.5, proformaPaid: true, invoice: { id: "i2" } })(response),
  );
  const { client } = connect(server.url);

  expect(await billing.payInvoice(client, "i1", "12.5000")).toMatchObject({
    newBalance: "87.5",
    remainingAmount: "0",
    invoicePaid: true,
  });
  expect(await billing.payProforma(client, "p1", "0.1")).toMatchObject({
    creditApplied: "12.5",
    proformaPaid: true,
    invoice: { id: "i2" },
  });
  expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/api/v1/invoices/i1/pay", { amount: 12.5 }],
    ["POST", "/api/v1/proformas/p1/pay", { amount: 0.1 }],
  ]);
});

test("an order is sent under its key, and tells what is owed", async () => {
  const body = {
    productId: "p1",
    billingCycle: "monthly",
    hostname: "a.example",
    configOptions: { os_image_id: "o1" },
  } as const;
  const server = await startServer((response) =>
    json(response, 201, {
      success: true,
      data: {
        order: { id: "o1", idempotency_key: "r1" },
        services: [{ id: "s1", status: "pending_payment" }],
        serviceOption: null,
        invoice: null,
        proforma: {},
        document,
        settled: false,
        next_step: "Pay it",
        credit_balance: null,
      },
    }),
  );

  const made = await orders.createOrder(connect(server.url).client, "r1", body);

  expect(made).toMatchObject({
    order: { id: "o1", idempotency_key: "r1" },
    document,
    settled: false,
    credit_balance: null,
  });
  expect(server.seen).toMatchObject([
    { method: "POST", url: "/api/v1/orders", body, headers: { "idempotency-key": "r1" } },
  ]);
});

test("a replay of an order, and an order that owes nothing, read as such", async () => {
  const server = await startServer(
    ok({ order: { id: "o1" }, services: [], document: null, settled: true, idempotent: true }),
  );

  expect(await orders.createOrder(connect(server.url).client, "r1", { items: [] })).toMatchObject({
    document: null,
    settled: true,
    idempotent: true,
  });
});

test("an order's answer that does not say whether it is settled leaves it unknown", async () => {
  const server = await startServer(ok({ order: { id: "o1" }, document }));

  const error = await failure(orders.createOrder(connect(server.url).client, "r1", { items: [] }));

  expect(error).toMatchObject({ name: "PlatformOffContract", problem: expect.stringContaining("data.settled") });
  expect(applied(error)).toBe("unknown");
  expect(server.seen).toHaveLength(1);
});

test("orders are found by host name and by key, and one reads with its services", async () => {
  const order = { id: "o1", status: "processing", items: [{}], services: [{ id: "s1", status: "installing" }] };
  const server = await startServer((response, { url }) =>
    url.includes("?")
      ? ok({ orders: [order], pagination: { page: 1, limit: 20, total: 21 } })(response)
      : ok({ order })(response),
  );
  const { client } = connect(server.url);

  expect((await orders.listOrders(client, { idempotencyKey: "r1", hostname: "a.example" })).pagination.pages).toBe(2);
  expect(await orders.readOrder(client, "o1")).toEqual(order);
  expect(server.seen[0]?.url).toBe("/api/v1/orders?idempotencyKey=r1&hostname=a.example");
});

test("add-ons: held, available, bought and removed", async () => {
  const held = { id: "row1", option_id: "opt1", status: "active", amount: "1.0000" };
  const server = await startServer((response, { method, url }) => {
    if (method === "POST")
      return ok({ serviceOption: { ...held, status: "pending_payment" }, document, settled: false })(response);
    if (method === "DELETE") return ok(null)(response);
    return url.endsWith("/available")
      ? ok({ options: [{ id: "opt1", held: true, price: 1 }] })(response)
      : ok({ options: [held] })(response);
  });
  const { client } = connect(server.url);
  const body = { optionId: "opt1", billingType: "recurring", billingCycle: "monthly", quantity: 1 };

  expect(await options.listServiceOptions(client, "s1")).toEqual([held]);
  expect(await options.listAvailableOptions(client, "s1")).toEqual([{ id: "opt1", held: true, price: 1 }]);
  expect(await options.buyOption(client, "s1", body)).toMatchObject({
    serviceOption: { status: "pending_payment" },
    settled: false,
  });
  await options.removeOption(client, "s1", "opt1");
  expect(server.seen.slice(2)).toMatchObject([
    { method: "POST", url: "/api/v1/services/s1/options", body },
    { method: "DELETE", url: "/api/v1/services/s1/options/opt1" },
  ]);
});

test("an upgrade: previewed, requested, followed and cancelled", async () => {
  const offer = {
    toProductId: "p2",
    toProductName: "Large",
    newCyclePrice: 20,
    upgradeFee: 0,
    creditAmount: "-3.3300",
    chargeAmount: 6.67,
    netAmount: 3.34,
    vatRate: 21,
    vatAmount: 0.7,
    totalWithVat: 4.04,
    daysRemaining: 10,
    daysInCycle: 30,
    billingCycle: "monthly",
  };
  const preview = {
    service: { id: "s1", productName: "Small", amount: 10, billingCycle: "monthly", nextDueDate: null },
    upgrades: [offer],
    pendingUpgrade: null,
  };
  const upgrade = { id: "u1", status: "awaiting_payment" };
  const server = await startServer((response, { method, url }) => {
    if (method === "GET")
      return ok(
        url.includes("/upgrades/")
          ? { upgrade: { ...upgrade, status: "completed", executed_at: "2026-11-20T10:00:00Z" }, order: null }
          : preview,
      )(response);
    if (url.endsWith("/cancel")) return ok(null)(response);
    const made = { upgrade, billingDocument: {}, billingDocumentType: "proforma", lineItems: [], orderId: "o1" };
    const summary = { document, settled: false, next_step: "Pay", credit_balance: 5 };
    return url.endsWith("/options") ? ok(made, summary)(response) : ok({ ...made, ...summary })(response);
  });
  const { client } = connect(server.url);

  expect((await upgrades.previewUpgrades(client, "s1")).upgrades).toMatchObject([
    { creditAmount: "-3.3300", netAmount: "3.34", totalWithVat: "4.04" },
  ]);
  const made = { upgrade, orderId: "o1", document, settled: false, credit_balance: "5" };
  expect(await upgrades.requestUpgrade(client, "s1", { toProductId: "p2" })).toMatchObject(made);
  expect(await upgrades.changeOptions(client, "s1", { addOptions: ["a"], removeOptions: [] })).toMatchObject(made);
  expect(await upgrades.readUpgrade(client, "u1")).toMatchObject({ upgrade: { status: "completed" }, order: null });
  await upgrades.cancelUpgrade(client, "u1");
  expect(server.seen.map(({ method, url }) => `${method} ${url.replace("/api/v1", "")}`)).toEqual([
    "GET /services/s1/upgrades",
    "POST /services/s1/upgrades",
    "POST /services/s1/upgrades/options",
    "GET /upgrades/u1",
    "POST /upgrades/u1/cancel",
  ]);
});

test.each([{ answer: { document, settled: false } }, { answer: {} }, { answer: null }])(
  "a renewal reads, whatever it says of its document",
  async ({ answer }) => {
    const server = await startServer(ok(answer));

    expect(await renewService(connect(server.url).client, "s1")).toEqual(answer);
    expect(server.seen[0]).toMatchObject({ method: "POST", url: "/api/v1/services/s1/renew" });
  },
);

const place = {
  value: "prg",
  name: "Prague",
  id: null,
  flag: "cz",
  country_code: "CZ",
  product_ids: ["p1"],
  shared: false,
  sold_out: false,
};

test("products and locations read, prices strictly", async () => {
  const product = { id: "p1", name: "Small", monthly_price: "10.0000", hourly_price: null, more: 1 };
  const server = await startServer((response, { url }) =>
    url.includes("/locations") ? ok({ locations: [place], count: 1 })(response) : ok({ products: [product] })(response),
  );
  const { client } = connect(server.url);

  expect(await catalog.listProducts(client)).toEqual([product]);
  expect(await catalog.listLocations(client, ["p1", "p2"])).toEqual([place]);
  expect(server.seen[1]?.url).toBe("/api/v1/locations?productId=p1%2Cp2");
});

test("one product reads with what an order of it needs, wherever that stands", async () => {
  const product = { id: "p1", name: "Small", monthly_price: 10, hourly_price: null };
  const more = {
    billing_cycles: ["monthly"],
    options: [],
    os_images: [{ id: "o1", name: "Debian", orderable: true }],
    default_os_image_id: null,
    locations: [{ ...place, available: true, surcharge: { monthly: 1.5, setup: 0 } }],
    location_required: true,
  };
  const server = await startServer((response) =>
    ok(server.seen.length === 1 ? { product, ...more } : { ...product, ...more })(response),
  );
  const { client } = connect(server.url);

  for (const read of [await catalog.readProduct(client, "p1"), await catalog.readProduct(client, "p1")]) {
    expect(read).toMatchObject({
      id: "p1",
      monthly_price: "10",
      location_required: true,
      locations: [{ surcharge: { monthly: "1.5", setup: "0" } }],
    });
  }
});

test("availability reads by its code; one that is new says as little as unknown", async () => {
  const available = {
    available: false,
    code: "unknown",
    reason: null,
    product_id: "p1",
    location: null,
    location_required: false,
    locations: [],
  };
  const server = await startServer((response) =>
    ok(server.seen.length === 1 ? available : { ...available, code: "maybe" })(response),
  );
  const { client } = connect(server.url);

  expect(await catalog.readAvailability(client, "p1", "prg")).toEqual(available);
  expect(await catalog.readAvailability(client, "p1")).toEqual(available);
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/api/v1/products/p1/availability?location=prg",
    "/api/v1/products/p1/availability",
  ]);
});
