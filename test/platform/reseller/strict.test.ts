import { expect, test } from "vitest";
import { mayHaveRun } from "../../../src/platform/http/errors.ts";
import * as backups from "../../../src/platform/reseller/backups.ts";
import * as capabilities from "../../../src/platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import { createCast, listCasts, openConsole, openConsoleSession } from "../../../src/platform/reseller/console.ts";
import { listCustomers } from "../../../src/platform/reseller/customers.ts";
import { kindSection, readDocument } from "../../../src/platform/reseller/document.ts";
import { openGameConsole } from "../../../src/platform/reseller/game/server.ts";
import * as images from "../../../src/platform/reseller/images.ts";
import { suspendService } from "../../../src/platform/reseller/lifecycle.ts";
import { readOptions, setOptions } from "../../../src/platform/reseller/options.ts";
import * as orders from "../../../src/platform/reseller/orders.ts";
import { changePackage, readUpgrades } from "../../../src/platform/reseller/package-change.ts";
import { listPaymentMethods } from "../../../src/platform/reseller/payment-methods.ts";
import { placeOrder, retryOrder } from "../../../src/platform/reseller/place-order.ts";
import * as products from "../../../src/platform/reseller/products.ts";
import { readProvider, readUiSchema } from "../../../src/platform/reseller/provider.ts";
import * as services from "../../../src/platform/reseller/services.ts";
import { readStats, readTraffic } from "../../../src/platform/reseller/stats.ts";
import { failure, ok } from "../server.ts";
import { open } from "./call.ts";
import * as rows from "./rows.ts";

type Read = (client: ResellerClient<string>) => Promise<unknown>;

const listProducts: Read = (client) => products.listProducts(client);
const schema: Read = (client) => products.readProductSchema(client, "p1");
const place: Read = (client) =>
  placeOrder(client, { productId: "p1", billingCycle: "monthly", quantity: 1, externalOrderId: "ext-1" });
const retry: Read = (client) => retryOrder(client, "or1");
const readOrder: Read = (client) => orders.readOrder(client, "or1");
const readService: Read = (client) => services.readService(client, "s1");
const document: Read = (client) => readDocument(client, "s1");
const can: Read = (client) => capabilities.readCapabilities(client, "s1");
const change: Read = (client) => changePackage(client, "s1", "p2");
const cast: Read = (client) => createCast(client, "s1", {});
const page = { page: 1, limit: 20, total: 1, totalPages: 1 };
const { pricing, options } = rows.productRow();

const offContract: [field: string, read: Read, answer: unknown, beside?: object][] = [
  ["data", listProducts, "none"],
  ["data.0.pricing.monthly", listProducts, [rows.productRow({ pricing: { ...pricing, monthly: "10,00" } })]],
  ["data.products.0.id", listProducts, { products: [rows.productRow({ id: null })] }],
  [
    "data.0.options.0.pricing.monthly",
    listProducts,
    [rows.productRow({ options: [{ ...options[0], pricing: { monthly: "free" } }] })],
  ],
  [
    "data.0.options.0.pricingType",
    listProducts,
    [rows.productRow({ options: [{ ...options[0], pricingType: "sometimes" }] })],
  ],
  ["data.product.pricing", (client) => products.readProduct(client, "p1"), { product: { id: "p1", name: "x" } }],
  ["data.requiredFields", schema, { billingCycles: [] }],
  ["data.schema.requiredFields", schema, { schema: { requiredFields: "all" } }],
  ["data.orderId", place, rows.placed({ orderId: undefined })],
  ["data.status", place, rows.placed({ status: "done" })],
  ["data.order.status", place, { order: rows.placed({ status: "done" }) }],
  ["data.paymentMode", place, rows.placed({ paymentMode: "barter" })],
  ["data.status", retry, { orderId: "or1", status: "done" }],
  ["data.payment_status", readOrder, rows.orderRow({ payment_status: "maybe" })],
  ["data.provisioning_status", readOrder, rows.orderRow({ provisioning_status: "maybe" })],
  ["data.wholesale_amount", readOrder, rows.orderRow({ wholesale_amount: "8,00" })],
  ["data.paymentMode", readOrder, rows.orderRow({ paymentMode: "barter" })],
  ["data.created_at", readOrder, rows.orderRow({ created_at: "yesterday" })],
  [
    "data.orders.0.services.0.status",
    (client) => orders.listOrders(client),
    {
      orders: [rows.orderRow({ services: [{ serviceId: "s1", status: "<!channel>" }] })],
      total: 1,
      limit: 50,
      offset: 0,
    },
  ],
  ["pagination", (client) => orders.listOrders(client), [rows.orderRow()]],
  ["pagination", (client) => services.listServices(client), { services: [rows.serviceRow()] }],
  ["pagination", (client) => listCustomers(client), [rows.customerRow()], { pagination: { page: 1, total: 1 } }],
  [
    "data.services.0.status",
    (client) => services.listServices(client),
    { services: [rows.serviceRow({ status: "<!channel>" })], pagination: page },
  ],
  ["data.status", readService, rows.serviceRow({ status: "<!channel>" })],
  ["data.service.wholesaleAmount", readService, { service: rows.serviceRow({ wholesaleAmount: "cheap" }) }],
  ["data.nextDueDate", readService, rows.serviceRow({ nextDueDate: "soon" })],
  ["status", (client) => suspendService(client, "s1"), { status: "<!channel>" }],
  ["data.status", change, { upgradeId: "u1", status: "done" }],
  ["data.available", (client) => readUpgrades(client, "s1"), { upgrade: 1 }],
  ["data.backend", can, rows.capabilities({ backend: "mainframe" })],
  ["data.capabilities.power", can, { capabilities: rows.capabilities({ power: "yes" }) }],
  ["data.templates.0.id", (client) => capabilities.listOsTemplates(client, "s1"), { templates: [{ name: "x" }] }],
  ["data.kind", document, rows.document({ kind: "toaster" })],
  ["data.features.rescue", document, rows.document({ features: { rescue: "yes" } })],
  ["data.document.kind", document, { document: rows.document({ kind: undefined }) }],
  ["data.samples.0.in", (client) => readTraffic(client, "s1", "1h"), { samples: [{ out: 1 }] }],
  ["data.monthTotal.total_bytes_in", (c) => readTraffic(c, "s1", "1h"), { monthTotal: { total_bytes_in: -1 } }],
  ["available", (client) => openConsole(client, "s1"), { type: "kvm", available: "no" }],
  ["websocketUrl", (client) => openConsole(client, "s1"), { type: "novnc", websocketUrl: null }],
  ["data.token", (client) => openConsoleSession(client, "s1"), { sessionId: "1" }],
  ["data.url", cast, rows.castRow()],
  ["data.casts.0.status", (client) => listCasts(client, "s1"), { casts: [rows.castRow({ status: "asleep" })] }],
  ["data.0.status", (client) => images.listCapturedImages(client), [{ id: "im1", status: null }]],
  ["data.id", (client) => images.captureService(client, "s1", "x"), { status: "capturing" }],
  ["data.max", (client) => backups.listBackups(client, "s1"), { snapshots: [], used: 0 }],
  [
    "data.snapshots.0.destroys_on_restore",
    (client) => backups.listBackups(client, "s1"),
    { snapshots: [rows.snapshotRow({ destroys_on_restore: undefined })], used: 1, max: 3 },
  ],
  ["data.backups.0.id", (client) => backups.listBackups(client, "s1"), { backups: [{ name: "x" }] }],
  ["data.options.active", (client) => readOptions(client, "s1"), { options: { available: [] } }],
  [
    "data.charge",
    (client) => setOptions(client, "s1", { options: [], externalReference: "ref-1" }),
    { charge: "5.00 EUR" },
  ],
  ["data.0.isDefault", (client) => listPaymentMethods(client), [{ id: 1 }]],
  ["data.provider", (client) => readProvider(client, "s1"), {}],
  ["data.schema", (client) => readUiSchema(client, "s1"), { useDefaultUI: true }],
  ["token", (client) => openGameConsole(client, "s1"), { wsOrigin: "wss://g.example", ws_path: "/ws" }],
];

test.each(offContract)(
  "%s that the contract does not allow is a clear failure (%#)",
  async (field, read, answer, beside) => {
    const { client } = await open(ok(answer, beside));

    expect(await failure(read(client))).toMatchObject({
      name: "PlatformOffContract",
      api: "reseller",
      problem: expect.stringMatching(new RegExp(`[ ;]${field.replaceAll(".", "\\.")}: `)),
    });
  },
);

test("an order whose answer cannot be read may have been charged: its outcome is unknown", async () => {
  const { client } = await open(ok(rows.placed({ status: "done" })));
  expect(mayHaveRun(await failure(place(client)))).toBe(true);
});

test.each([
  ["beside the rows", { beside: { page: 1, limit: 20, total: 1, totalPages: 1 } }],
  ["beside the rows, in an object", { beside: { meta: page } }],
  ["among the rows", { within: page }],
  ["among the rows, in an object", { within: { paging: { page: 1, limit: 20, total: 1 } } }],
])("how many there are is read wherever it stands: %s", async (_, place: { beside?: object; within?: object }) => {
  const { client } = await open(ok({ services: [rows.serviceRow()], ...place.within }, place.beside));
  expect((await services.listServices(client)).pagination).toEqual({ page: 1, limit: 20, total: 1, pages: 1 });
});

test.each([
  [rows.document(), { asn: 64500 }],
  [rows.document({ kind: "vps", vps: { nics: [], os_installation: { password: "pw-5" } } }), { nics: [] }],
  [rows.document({ kind: "dedicated" }), null],
  [rows.document({ kind: "generic", plugin: { slug: "x" } }), null],
])("a service's page has a section of its own kind, without its secrets (%#)", async (sent, section) => {
  const { client } = await open(ok(sent));
  expect(kindSection(await readDocument(client, "s1")).rest).toEqual(section);
});

// The spec gives these fields no type.
const time = "2026-11-29T04:00:00.000Z";
const unix = Date.parse(time) / 1_000;

test.each([unix, unix * 1_000, String(unix), time])("a time may be ISO 8601 or a unix time: %j", async (sent) => {
  const client = async (answer: unknown) => (await open(ok(answer))).client;
  const service = rows.serviceRow({ nextDueDate: sent, createdAt: sent });
  expect(await services.readService(await client(service), "s1")).toMatchObject({ nextDueDate: time, createdAt: time });
  expect(await orders.readOrder(await client(rows.orderRow({ created_at: sent })), "or1")).toMatchObject({
    created_at: time,
  });
  expect(await listPaymentMethods(await client([{ id: 1, isDefault: true, lastUsedAt: sent }]))).toMatchObject([
    { lastUsedAt: time },
  ]);
});

test("a count, a page number and a size may come as text, or as a number of 64 bits", async () => {
  const paging = { page: "1", limit: "20", total: "1", totalPages: "1" };
  const { client } = await open(ok({ customers: [rows.customerRow({ service_count: "3" })], pagination: paging }));
  expect(await listCustomers(client)).toMatchObject({
    rows: [{ service_count: 3 }],
    pagination: { page: 1, limit: 20, total: 1, pages: 1 },
  });
  const image = { id: "im1", status: "available", virtual_size_bytes: "21474836480" };
  expect(await images.listCapturedImages((await open(ok([image]))).client)).toMatchObject([
    { virtual_size_bytes: 21_474_836_480 },
  ]);
  const month = { total_bytes_in: "9007199254", total_bytes_out: 5 };
  const traffic = { monthTotal: month, samples: [{ in: 2 ** 64, out: null }] };
  expect(await readTraffic((await open(ok(traffic))).client, "s1", "1h")).toMatchObject({
    monthTotal: { total_bytes_in: 9_007_199_254, total_bytes_out: 5 },
    samples: [{ in: 2 ** 64, out: null }],
  });
  const stats = { collecting: false, stats: { cpu: { usage: 3 }, network: { netin_bytes: 2 ** 64 } } };
  expect(await readStats((await open(ok(stats))).client, "s1")).toMatchObject({
    of: "vps",
    figures: { cpu: { usage: 3 }, network: { netin_bytes: 2 ** 64 } },
  });
});
