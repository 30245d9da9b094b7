import { expect, test } from "vitest";
import { listTransactions } from "../../src/platform/customer/account.ts";
import { listBackups } from "../../src/platform/customer/backups.ts";
import { listInvoices, listProformas } from "../../src/platform/customer/billing.ts";
import * as catalog from "../../src/platform/customer/catalog.ts";
import type { CustomerClient } from "../../src/platform/customer/client.ts";
import { listDedicated } from "../../src/platform/customer/dedicated.ts";
import { listCustomImages } from "../../src/platform/customer/images.ts";
import { listAvailableOptions, listServiceOptions } from "../../src/platform/customer/options.ts";
import { listOrders } from "../../src/platform/customer/orders.ts";
import { listProjects } from "../../src/platform/customer/projects.ts";
import { customerRoutes } from "../../src/platform/customer/routes.ts";
import { listServices } from "../../src/platform/customer/services.ts";
import { listSnapshots } from "../../src/platform/customer/snapshots.ts";
import { listSshKeys } from "../../src/platform/customer/ssh-keys.ts";
import { previewUpgrades } from "../../src/platform/customer/upgrades.ts";
import { listVps, listVpsImages, listVpsIps } from "../../src/platform/customer/vps.ts";
import type { UnreadRow } from "../../src/platform/http/unread.ts";
import * as backups from "../../src/platform/reseller/backups.ts";
import { listOsTemplates } from "../../src/platform/reseller/capabilities.ts";
import { listCasts } from "../../src/platform/reseller/casts.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";
import { listCustomers } from "../../src/platform/reseller/customers.ts";
import { listCapturedImages } from "../../src/platform/reseller/images.ts";
import { readOptions } from "../../src/platform/reseller/options.ts";
import * as orders from "../../src/platform/reseller/orders.ts";
import { listPaymentMethods } from "../../src/platform/reseller/payment-methods.ts";
import * as products from "../../src/platform/reseller/products.ts";
import { resellerRoutes } from "../../src/platform/reseller/routes.ts";
import * as services from "../../src/platform/reseller/services.ts";
import { listServerSshKeys } from "../../src/platform/reseller/ssh-keys.ts";
import * as customerRows from "./customer/rows.ts";
import * as resellerRows from "./reseller/rows.ts";
import { connect, failure, json, makeResellerKey, startServer } from "./server.ts";

// One row that is off the contract must hide no other, and must not be hidden itself: over every list, and every field of its rows.

interface Clients {
  customer: CustomerClient<string>;
  reseller: ResellerClient<string>;
}

interface List {
  read: (clients: Clients) => Promise<unknown>;
  row: object;
  /** The envelope of these rows. */
  sent: (rows: unknown[]) => object;
  /** The rows in what the endpoint gives. */
  of: (result: unknown) => unknown;
}

const pagination = { page: 1, limit: 20, total: 2, pages: 1 };
const paged = (name: string) => (rows: unknown[]) => ({ success: true, data: { [name]: rows, pagination } });
const under =
  (name: string, beside: object = {}) =>
  (rows: unknown[]) => ({
    success: true,
    data: { [name]: rows, ...beside },
  });

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

const at = (name: string) => (result: unknown) => fieldIn(result, name);
const whole = (result: unknown) => result;
const aDay = "2026-11-20T10:00:00Z";

const document = { id: "d1", status: "unpaid", total: "12.0000", invoice_id: null, number: "INV-1" };
const place = { value: "cz-prg", name: "Prague", available: true, reason: null, code: "available" };
const location = {
  ...{ value: "cz-prg", name: "Prague", id: 1, flag: "cz", country_code: "CZ", product_ids: ["p1"] },
  ...{ shared: false, sold_out: false },
};
const offer = {
  ...{ toProductId: "p2", toProductName: "VPS L", newCyclePrice: 20, upgradeFee: 0, creditAmount: 1, chargeAmount: 2 },
  ...{ netAmount: 1, vatRate: 21, vatAmount: 1, totalWithVat: 2, daysRemaining: 3, daysInCycle: 30 },
  billingCycle: "monthly",
};
const previewed = { id: "s1", productName: "VPS M", amount: 10, billingCycle: "monthly", nextDueDate: null };

const customerLists: Record<string, List> = {
  "GET /vps": {
    read: ({ customer }) => listVps(customer),
    row: { ...customerRows.vpsRow(), failure: { code: "capacity", message: "Full" } },
    sent: paged("vps"),
    of: at("rows"),
  },
  "GET /vps/{id}/ips": {
    read: ({ customer }) => listVpsIps(customer, "v1"),
    row: customerRows.vpsRow().ip_addresses[0] ?? {},
    sent: under("ip_addresses"),
    of: whole,
  },
  "GET /vps/{id}/os-images": {
    read: ({ customer }) => listVpsImages(customer, "v1"),
    row: { id: "i1", name: "Debian 13", is_default: true },
    sent: under("templates"),
    of: whole,
  },
  "GET /vps/{id}/snapshots": {
    read: ({ customer }) => listSnapshots(customer, "v1"),
    row: customerRows.snapshotRow(),
    sent: under("snapshots", { used: 2, max: 5 }),
    of: at("snapshots"),
  },
  "GET /services": {
    read: ({ customer }) => listServices(customer),
    row: { ...customerRows.vpsRow(), serviceType: "vps", vps_capabilities: customerRows.vpsRow().capabilities },
    sent: paged("services"),
    of: at("rows"),
  },
  "GET /services/{id}/backups": {
    read: ({ customer }) => listBackups(customer, "s1"),
    row: { id: 1, name: "nightly" },
    sent: under("backups"),
    of: at("backups"),
  },
  "GET /services/{id}/options": {
    read: ({ customer }) => listServiceOptions(customer, "s1"),
    row: { id: "so1", option_id: "o1", status: "active", amount: "2.0000" },
    sent: under("options"),
    of: whole,
  },
  "GET /services/{id}/options/available": {
    read: ({ customer }) => listAvailableOptions(customer, "s1"),
    row: { id: "o1", name: "Daily backup", held: false },
    sent: under("options"),
    of: whole,
  },
  "GET /services/{id}/upgrades": {
    read: ({ customer }) => previewUpgrades(customer, "s1"),
    row: offer,
    sent: under("upgrades", { service: previewed, pendingUpgrade: null }),
    of: at("upgrades"),
  },
  "GET /dedicated": {
    read: ({ customer }) => listDedicated(customer),
    row: {
      ...{ id: "m1", name: "metal-1", hostname: "metal-1.example", status: "active" },
      hardware: { name: "rack-1", manufacturer: "Practice", model: "PM-1", specs: null, status: "ok" },
      provisioning: { provision_state: "active", power_state: "on" },
      project: { id: "p1", slug: "default", name: "Default" },
    },
    sent: (rows) => ({ success: true, data: rows, pagination }),
    of: at("rows"),
  },
  "GET /orders": {
    read: ({ customer }) => listOrders(customer),
    row: {
      ...{ id: "o1", status: "completed", order_type: "new", idempotency_key: "k", items: [{}] },
      services: [{ id: "s1", status: "active" }],
    },
    sent: paged("orders"),
    of: at("rows"),
  },
  "GET /invoices": {
    read: ({ customer }) => listInvoices(customer),
    row: document,
    sent: paged("invoices"),
    of: at("rows"),
  },
  "GET /proformas": {
    read: ({ customer }) => listProformas(customer),
    row: document,
    sent: paged("proformas"),
    of: at("rows"),
  },
  "GET /account/transactions": {
    read: ({ customer }) => listTransactions(customer),
    row: { id: "t1", amount: "5.00" },
    sent: paged("transactions"),
    of: at("rows"),
  },
  "GET /products": {
    read: ({ customer }) => catalog.listProducts(customer),
    row: { id: "p1", name: "VPS M", monthly_price: "10.0000", hourly_price: null },
    sent: under("products"),
    of: whole,
  },
  "GET /products/{id}/availability": {
    read: ({ customer }) => catalog.readAvailability(customer, "p1"),
    row: place,
    sent: under("locations", {
      ...{ available: true, code: "available", reason: null, product_id: "p1", location_required: true },
    }),
    of: at("locations"),
  },
  "GET /locations": {
    read: ({ customer }) => catalog.listLocations(customer),
    row: location,
    sent: under("locations"),
    of: whole,
  },
  "GET /projects": {
    read: ({ customer }) => listProjects(customer),
    row: customerRows.projectRow(),
    sent: under("projects"),
    of: whole,
  },
  "GET /ssh-keys": {
    read: ({ customer }) => listSshKeys(customer),
    row: { id: "k1", name: "laptop", public_key: "ssh-ed25519 A", fingerprint: "SHA256:a", created_at: aDay },
    sent: under("ssh_keys"),
    of: whole,
  },
  "GET /custom-images": {
    read: ({ customer }) => listCustomImages(customer),
    row: { ...customerRows.imageRow(), size_bytes: 1, virtual_size_bytes: 2, available_at: aDay },
    sent: under("custom_images"),
    of: whole,
  },
};

const resellerLists: Record<string, List> = {
  "GET /products": {
    read: ({ reseller }) => products.listProducts(reseller),
    row: resellerRows.productRow(),
    sent: under("products"),
    of: whole,
  },
  "GET /orders": {
    read: ({ reseller }) => orders.listOrders(reseller),
    row: resellerRows.orderRow(),
    sent: paged("orders"),
    of: at("rows"),
  },
  "GET /services": {
    read: ({ reseller }) => services.listServices(reseller),
    row: resellerRows.serviceRow(),
    sent: paged("services"),
    of: at("rows"),
  },
  "GET /customers": {
    read: ({ reseller }) => listCustomers(reseller),
    row: resellerRows.customerRow(),
    sent: paged("customers"),
    of: at("rows"),
  },
  "GET /images": {
    read: ({ reseller }) => listCapturedImages(reseller),
    row: { id: "i1", name: "golden", status: "available", size_bytes: 1, virtual_size_bytes: 2 },
    sent: under("images"),
    of: whole,
  },
  "GET /payment-methods": {
    read: ({ reseller }) => listPaymentMethods(reseller),
    row: {
      ...{ id: 7, type: "card", label: "Company", cardBrand: "Visa", cardLastFour: "4242", isDefault: false },
      lastUsedAt: aDay,
    },
    sent: under("paymentMethods"),
    of: whole,
  },
  "GET /services/{serviceId}/os-templates": {
    read: ({ reseller }) => listOsTemplates(reseller, "s1"),
    row: { id: "i1", name: "Debian 13" },
    sent: under("templates"),
    of: at("templates"),
  },
  "GET /services/{serviceId}/backups": {
    read: ({ reseller }) => backups.listBackups(reseller, "s1"),
    row: resellerRows.snapshotRow(),
    sent: under("snapshots", { used: 2, max: 5 }),
    of: at("snapshots"),
  },
  "GET /services/{serviceId}/console-cast": {
    read: ({ reseller }) => listCasts(reseller, "s1"),
    row: resellerRows.castRow({ label: "for Ada" }),
    sent: under("casts"),
    of: whole,
  },
  "GET /services/{serviceId}/ssh-keys": {
    read: ({ reseller }) => listServerSshKeys(reseller, "s1"),
    row: { id: "k1", name: "laptop" },
    sent: under("ssh_keys"),
    of: whole,
  },
  "GET /services/{serviceId}/options": {
    read: ({ reseller }) => readOptions(reseller, "s1"),
    row: { id: 7, optionId: "o1", quantity: 2 },
    sent: under("active", { available: [] }),
    of: at("active"),
  },
};

/** Reads of one resource, of figures and of files; what the specs do not show is shown as it comes. */
const noLists =
  /^GET (\/|\/openapi.json|\/docs|\/guide.md|\/account(\/balance|\/usage)?|\S+\/\{\w+\}|\S+\/(actions|stats|game(\/.*)?|traffic|power-status|provision-status|schema|capabilities|console|document|health|network|provider|ui-schema)|\/dedicated\/\{id\}\/(ips|os-images)|\/services\/\{serviceId\}\/upgrades)$/;

test.each([
  ["customer", customerRoutes, customerLists],
  ["reseller", resellerRoutes, resellerLists],
])("each list of the %s API is looked at here", (_, routes, lists) => {
  const left = Object.keys(routes).filter((route) => route.startsWith("GET ") && !noLists.test(route));
  expect(Object.keys(lists).sort()).toEqual(left.sort());
});

interface Breaking {
  field: string;
  row: object;
}

/** The row with each of its fields in turn of another type, and each text in turn an unknown word. */
function broken(row: object, at: string[] = []): Breaking[] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]): Breaking[] => {
    const field = [...at, name].join(".");
    const put = (other: unknown): Breaking => ({ field, row: { ...row, [name]: other } });
    const inner =
      typeof value === "object" && value !== null
        ? broken(value, [...at, name]).map((one) => ({
            ...one,
            row: { ...row, [name]: Array.isArray(value) ? Object.values(one.row) : one.row },
          }))
        : [];
    const other = typeof value === "object" && value !== null ? 7 : { off: "contract" };
    return [put(other), ...(typeof value === "string" ? [put("a word of tomorrow")] : []), ...inner];
  });
}

function length(rows: unknown): number {
  return Array.isArray(rows) ? rows.length : -1;
}

const lists = [
  ...Object.entries(customerLists).map(([route, list]) => ["customer", route, list] as const),
  ...Object.entries(resellerLists).map(([route, list]) => ["reseller", route, list] as const),
];

test.each(lists)("one broken row of the %s API's %s hides no other, and is named", async (_api, route, list) => {
  let rows: unknown[] = [];
  const server = await startServer((response) => json(response, 200, list.sent(rows)));
  const practice = connect(server.url);
  const strict = {
    customer: practice.client,
    reseller: practice.reseller({ key: makeResellerKey(), signingSecret: null }),
  };
  const unread: UnreadRow[] = [];
  const note = (row: UnreadRow) => unread.push(row);
  const skipping = { customer: strict.customer.skipping(note), reseller: strict.reseller.skipping(note) };

  let found = 0;
  for (const { field, row } of broken(list.row)) {
    unread.length = 0;
    rows = [list.row, row];
    const read = list.of(await list.read(skipping));
    expect(length(read), field).toBe(2 - unread.length);
    if (unread.length === 0) {
      // A field that the app does not need, or takes in any form.
      expect(length(list.of(await list.read(strict))), field).toBe(2);
      continue;
    }
    found += 1;
    expect(await failure(list.read(strict)), field).toMatchObject({ name: "PlatformOffContract" });
    const [only] = unread;
    expect(only, field).toMatchObject({ others: 1, error: { name: "PlatformOffContract" } });
    expect(field, field).toContain(only?.fields[0]?.split(".")[0]);
    expect(only?.place, field).toBe(2);
  }
  // The spec shows no field of a ledger's row, so that none can be off the contract.
  expect(found > 0).toBe(route !== "GET /account/transactions");
});
