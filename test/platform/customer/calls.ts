import { expect } from "vitest";
import * as account from "../../../src/platform/customer/account.ts";
import { readKeyIdentity } from "../../../src/platform/customer/account.ts";
import * as billing from "../../../src/platform/customer/billing.ts";
import * as catalog from "../../../src/platform/customer/catalog.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import * as dedicated from "../../../src/platform/customer/dedicated.ts";
import * as images from "../../../src/platform/customer/images.ts";
import * as options from "../../../src/platform/customer/options.ts";
import * as orders from "../../../src/platform/customer/orders.ts";
import * as projects from "../../../src/platform/customer/projects.ts";
import * as backups from "../../../src/platform/customer/services.ts";
import * as game from "../../../src/platform/customer/services.ts";
import * as services from "../../../src/platform/customer/services.ts";
import * as sshKeys from "../../../src/platform/customer/ssh-keys.ts";
import * as upgrades from "../../../src/platform/customer/upgrades.ts";
import * as snapshots from "../../../src/platform/customer/vps.ts";
import * as vps from "../../../src/platform/customer/vps.ts";
import { readOpenApi } from "../../../src/platform/http/openapi.ts";
import type { Call } from "../calls.ts";
import { json } from "../server.ts";
import { identity, imageRow, projectRow, snapshotRow, vpsRow } from "./rows.ts";

type CustomerCall = Call<CustomerClient<string>>;

const page = { page: 1, limit: 20, total: 1, pages: 1 };
const reason = "not needed";
const password = "long enough";

const confined = { id: "p1", name: "Web" };
const keyOwner = {
  user: { id: "7", email: "ada@example.net", name: null },
  account: { id: "3", name: "Team", owner: false },
  key: { id: "9", label: null, scopes: ["read"], project: confined },
};
const { kind, a_field_of_tomorrow, ...machine } = vpsRow();
const failed = {
  status: "provisioning_failed",
  instance: null,
  hostname: null,
  specs: null,
  primary_ip: null,
  ip_addresses: [],
  failure: { code: "ip_capacity", message: "No address is free there." },
};
const listed = { ...machine, failure: { code: "capacity", message: "Full" } };
const { has_memory, ...snapshot } = snapshotRow();
const job = { completed: false, pending: true, job_id: "j1", state: "running", status: "accepted" };
const service = { id: "s1", serviceType: "game", status: "active", anything: 1 };
const listedService = { ...vpsRow(machine), serviceType: "vps", vps_capabilities: machine.capabilities };
const actions = { provider: "acme", actions: ["start", "flush"] };
const metal = {
  id: "d1",
  name: "big",
  hostname: "big.example",
  status: "pending",
  failure: null,
  hardware: { name: "R1", manufacturer: "Acme", model: "X", specs: {} },
  provisioning: { provision_state: "active", power_state: "on" },
  project: { id: "p1", name: "Default" },
};
const project = projectRow({ id: "p1" });
const image = imageRow({
  id: "i1",
  size_bytes: 1,
  virtual_size_bytes: 2,
  available_at: "2026-11-20T10:00:00Z",
});
const source = { name: "golden", sourceUrl: "https://images.example/x.qcow2", sha256: "0".repeat(64) };
const sshKey = {
  id: "k1",
  name: "laptop",
  public_key: "ssh-ed25519 AAAA",
  fingerprint: "SHA256:x",
  created_at: "2026-11-20T10:00:00Z",
};

const document = { type: "proforma", id: "p1", status: "unpaid", total: "12.5000", settled: false };
const invoice = { id: "i1", status: "unpaid", total: "12.5000", number: "2026-1", invoice_id: null };
const proforma = { id: "p1", status: "converted", total: "12.5000", invoice_id: null };
const unpaid = { paid_amount: "2.5", remaining_amount: "10.0000", settled: false };
const paid = { paid_amount: "12.5", remaining_amount: "0", settled: true };

const order = {
  id: "o1",
  status: "processing",
  order_type: "new",
  idempotency_key: "r1",
  items: [{}],
  services: [{ id: "s1", status: "installing" }],
};
/** An order. */
export const orderBody = {
  productId: "p1",
  billingCycle: "monthly",
  hostname: "a.example",
  configOptions: { os_image_id: "o1" },
} as const;
const bought = { document, settled: false, next_step: "Pay it" };
const partPaid = { autoCreditApplied: { creditApplied: "3.00" } };
const addOn = { optionId: "opt1", billingType: "recurring", billingCycle: "monthly", quantity: 1 };
const addOnRow = { id: "row1", option_id: "opt1", status: "active", amount: "1.0000" };
const offer = {
  toProductId: "p2",
  toProductName: "Large",
  billingCycle: "monthly",
  daysRemaining: 10,
  daysInCycle: 30,
  newCyclePrice: "20",
  upgradeFee: "0",
  creditAmount: "-3.3300",
  chargeAmount: "6.67",
  netAmount: "3.34",
  vatRate: "21",
  vatAmount: "0.7",
  totalWithVat: "4.04",
};
const preview = {
  service: { productName: "Small", amount: "10", billingCycle: "monthly", nextDueDate: null },
  upgrades: [offer],
  pendingUpgrade: null,
};
const upgrade = { id: "u1", status: "awaiting_payment" };
const upgraded = { upgrade, billingDocumentType: "proforma", lineItems: [], orderId: "o1" };
const owed = { document, settled: false };
const product = { id: "p1", name: "Small", monthly_price: "10.0000", hourly_price: null };
const place = {
  value: "prg",
  name: "Prague",
  product_ids: ["p1"],
  shared: false,
  sold_out: false,
};
const detail = {
  billing_cycles: ["monthly"],
  options: [],
  default_os_image_id: null,
  location_required: true,
  os_images: [{ id: "o1", name: "Debian", orderable: true }],
  locations: [{ ...place, available: true, surcharge: { monthly: "1.5", setup: "0" } }],
};
const stock = {
  available: false,
  code: "unknown",
  reason: null,
  locations: [{ value: "prg", name: "Prague", available: true, code: "available" }],
};

export const customerCalls: CustomerCall[] = [
  [
    "GET /",
    readKeyIdentity,
    { answer: identity({ ...keyOwner, project: { ...confined, slug: "web", bound: true } }), gives: keyOwner },
  ],
  [
    "GET /openapi.json",
    readOpenApi,
    {
      reply: (response) => json(response, 200, { openapi: "3.0.3", paths: { "/vps": { get: {} } } }),
      gives: { paths: { "/vps": { get: {} } } },
    },
  ],
  [
    "GET /account",
    account.readAccount,
    {
      answer: { company: "Ada Ltd", credit_balance: 12.5, anything: { else: 1 } },
      gives: { company: "Ada Ltd", credit_balance: "12.5", anything: { else: 1 } },
    },
  ],
  [
    "GET /account",
    account.readPermissions,
    {
      answer: { company: "Ada Ltd", permissions: ["services.view", "invoices.pay"] },
      gives: ["services.view", "invoices.pay"],
    },
  ],
  [
    "GET /account/balance",
    account.readBalance,
    { answer: { balance: 0.1 + 0.2, currency: "EUR" }, gives: { balance: "0.3", currency: "EUR" } },
  ],
  [
    "GET /account/usage",
    account.readUsage,
    {
      passes: {
        services: { total: 3, by_status: { active: 2, suspended: 1 }, active_recurring_amount: "25" },
        invoices: { unpaid_count: 1, unpaid_total: "10.0000", paid_this_month: "5" },
        hourly: { charged_this_month: "0.5", charges: [] },
        credit_balance: "100",
        period: { month: "2026-11" },
      },
    },
  ],
  [
    "GET /account/transactions?page=2&limit=1",
    (client) => account.listTransactions(client, { page: 2, limit: 1 }),
    {
      answer: { transactions: [{ any: "row" }], pagination: { page: 2, limit: 1, total: 3, totalPages: 3 } },
      gives: { rows: [{ any: "row" }], pagination: { page: 2, limit: 1, total: 3, pages: 3 } },
    },
  ],

  [
    "GET /services?status=active",
    (client) => services.listServices(client, { status: "active" }),
    {
      answer: { services: [listedService], pagination: page, stats: { active: 1 } },
      gives: { rows: [listedService], pagination: page, stats: { active: 1 } },
    },
  ],
  ["GET /services/s1", (client) => services.readService(client, "s1"), { passes: { service, liveInfo: { cpu: 1 } } }],
  ["PATCH /services/s1", (client) => services.moveService(client, "s1", null), { body: { projectId: null } }],
  ["GET /services/s1/actions", (client) => services.listServiceActions(client, "s1"), { passes: actions }],
  [
    "POST /services/s1/actions/flush%20cache",
    (client) => services.runServiceAction(client, "s1", "flush cache", { deep: true }),
    { body: { params: { deep: true } }, passes: ["any", "thing"] },
  ],
  [
    "POST /services/s1/actions/start",
    (client) => services.runServiceAction(client, "s1", "start"),
    { answer: null, gives: null },
  ],
  ["GET /services/s1/stats", (client) => services.readServiceStats(client, "s1"), { passes: [1, null] }],
  [
    "POST /services/s1/power/restart",
    (client) => services.powerService(client, "s1", "restart"),
    { answer: { completed: true }, gives: "done" },
  ],
  [
    "POST /services/s1/reinstall",
    (client) => services.reinstallService(client, "s1", { template: "debian", password }),
    { body: { template: "debian", password }, answer: { job_id: "j1" } },
  ],
  [
    "POST /services/s1/password",
    (client) => services.resetServicePassword(client, "s1", { password }),
    { body: { password }, answer: null },
  ],
  [
    "POST /services/s1/cancel",
    (client) => services.cancelService(client, "s1", { reason, immediate: true }),
    { body: { reason, immediate: true }, passes: { immediate: true } },
  ],
  ["DELETE /services/s1/cancel", (client) => services.keepService(client, "s1")],
  ["DELETE /services/v1/cancel", (client) => services.keepService(client, "v1")],
  ...[{ document, settled: false }, {}, null].map(
    (passes): CustomerCall => ["POST /services/s1/renew", (client) => services.renewService(client, "s1"), { passes }],
  ),
  [
    "GET /services/s1/backups",
    (client) => backups.listBackups(client, "s1"),
    { answer: { backups: [{ id: 7, size: 1 }] }, gives: { backups: [{ id: "7", size: 1 }] } },
    { passes: { backups: [], available: false } },
  ],
  ["POST /services/s1/backups", (client) => backups.createBackup(client, "s1")],
  ["POST /services/s1/backups/7/restore", (client) => backups.restoreBackup(client, "s1", "7")],
  ["GET /services/s1/game", (client) => game.readGame(client, "s1"), { passes: { players: 3 } }],
  [
    "POST /services/s1/game/power/kill",
    (client) => game.powerGame(client, "s1", "kill"),
    { answer: { completed: true }, gives: "done" },
  ],

  [
    "GET /vps?page=2",
    (client) => vps.listVps(client, { page: 2 }),
    {
      answer: [vpsRow(listed)],
      beside: { pagination: { page: 2, limit: 50, total: 51, pages: 2 } },
      gives: { rows: [listed], pagination: { page: 2, limit: 50, total: 51, pages: 2 } },
    },
  ],
  [
    "GET /vps",
    (client) => vps.listVps(client),
    {
      answer: { vps: [vpsRow(machine)], pagination: { page: 2, limit: 50, total: 51 } },
      gives: { rows: [machine], pagination: { page: 2, limit: 50, total: 51, pages: 2 } },
    },
  ],
  [
    "GET /vps/v1",
    (client) => vps.readVps(client, "v1"),
    { answer: vpsRow(machine), gives: machine },
    { passes: { ...machine, ...failed } },
  ],
  ["PATCH /vps/v1", (client) => vps.moveVps(client, "v1", "web"), { body: { projectId: "web" }, answer: {} }],
  ["PATCH /vps/v1", (client) => vps.moveVps(client, "v1", null), { body: { projectId: null }, answer: {} }],
  [
    "DELETE /vps/v1",
    (client) => vps.cancelVps(client, "v1", { reason, immediate: false }),
    {
      body: { reason, immediate: false },
      answer: { cancellation_scheduled_date: "2026-12-01T00:00:00Z" },
      gives: { immediate: false, scheduledDate: "2026-12-01T00:00:00Z" },
    },
  ],
  [
    "DELETE /vps/v1",
    (client) => vps.cancelVps(client, "v1", { reason, immediate: true }),
    { body: { reason, immediate: true }, passes: { immediate: true } },
  ],
  [
    "GET /vps/v1/ips",
    (client) => vps.listVpsIps(client, "v1"),
    { answer: { ips: machine.ip_addresses }, gives: machine.ip_addresses },
  ],
  [
    "GET /vps/v1/os-images",
    (client) => vps.listVpsImages(client, "v1"),
    {
      answer: { templates: [{ id: "i1", name: "Debian 13", is_default: true }] },
      gives: [{ id: "i1", name: "Debian 13", is_default: true }],
    },
  ],
  ["GET /vps/v1/stats", (client) => vps.readVpsStats(client, "v1"), { passes: [{ cpu: [1, 2, 3] }, "text", null] }],
  ...(["start", "stop", "reboot"] as const).map(
    (action): CustomerCall => [
      `POST /vps/v1/${action}`,
      (client) => vps.vpsActs[action](client, "v1"),
      { answer: job, gives: "begun" },
    ],
  ),
  ["POST /vps/v1/start", (client) => vps.vpsActs.start(client, "v1"), { answer: { completed: true }, gives: "done" }],
  ["POST /vps/v1/power/poweroff", (client) => vps.powerVps(client, "v1", "poweroff"), { answer: job, gives: "begun" }],
  [
    "POST /vps/v1/reinstall",
    (client) => vps.reinstallVps(client, "v1", { image_id: "i1", password }),
    { body: { image_id: "i1", password }, answer: { job_id: "j1" } },
  ],
  [
    "POST /vps/v1/password",
    (client) => vps.resetVpsPassword(client, "v1", { password }),
    {
      body: { password },
      answer: { available: true, job_id: "j1", user: "root" },
      gives: { available: true, user: "root" },
    },
  ],
  [
    "POST /vps/v1/capture",
    (client) => vps.captureVps(client, "v1", { name: "golden" }),
    {
      body: { name: "golden" },
      answer: { id: "i1", name: "golden", source_kind: "capture", status: "capturing" },
      gives: { id: "i1" },
    },
  ],
  [
    "GET /vps/v1/snapshots",
    (client) => snapshots.listSnapshots(client, "v1"),
    {
      answer: { snapshots: [snapshotRow(snapshot)], used: 1, max: 5 },
      gives: { snapshots: [snapshot], used: 1, max: 5 },
    },
  ],
  [
    "POST /vps/v1/snapshots",
    (client) => snapshots.createSnapshot(client, "v1", { name: "now", description: "why" }),
    {
      body: { name: "now", description: "why" },
      answer: { snapshot: { id: "s1", name: "now", status: "creating" }, pending: true },
      gives: { id: "s1" },
    },
  ],
  ["DELETE /vps/v1/snapshots/s1", (client) => snapshots.deleteSnapshot(client, "v1", "s1")],
  [
    "POST /vps/v1/snapshots/s1/revert",
    (client) => snapshots.revertSnapshot(client, "v1", "s1", "now"),
    { body: { confirm: "now" }, answer: { pending: true }, gives: null },
  ],

  [
    "GET /dedicated",
    (client) => dedicated.listDedicated(client),
    { answer: { dedicated: [metal], pagination: page }, gives: { rows: [metal], pagination: page } },
  ],
  ["GET /dedicated/d1", (client) => dedicated.readDedicated(client, "d1"), { passes: metal }],
  ...(["ips", "power-status", "provision-status", "os-images", "stats", "traffic"] as const).map(
    (part): CustomerCall => [
      `GET /dedicated/d1/${part}`,
      (client) => dedicated.dedicatedParts[part](client, "d1"),
      { passes: { [part]: [1] } },
    ],
  ),
  [
    "POST /dedicated/d1/power",
    (client) => dedicated.powerDedicated(client, "d1", "off"),
    { body: { action: "off" }, answer: null, gives: "begun" },
  ],
  [
    "POST /dedicated/d1/reinstall",
    (client) => dedicated.reinstallDedicated(client, "d1", { osImageId: "i1" }),
    { body: { osImageId: "i1" } },
  ],
  [
    "POST /dedicated/d1/password",
    (client) => dedicated.resetDedicatedPassword(client, "d1", { password }),
    { body: { password } },
  ],

  [
    "GET /services/s1/options",
    (client) => options.listServiceOptions(client, "s1"),
    { answer: { options: [addOnRow] }, gives: [addOnRow] },
  ],
  [
    "GET /services/s1/options/available",
    (client) => options.listAvailableOptions(client, "s1"),
    {
      answer: { options: [{ id: "opt1", name: "Daily backup", held: true, price: 1 }] },
      gives: [{ id: "opt1", name: "Daily backup", held: true, price: 1 }],
    },
  ],
  [
    "POST /services/s1/options",
    (client) => options.buyOption(client, "s1", addOn),
    { body: addOn, answer: { ...bought, serviceOption: { ...addOnRow, status: "pending_payment" } }, gives: owed },
  ],
  ["DELETE /services/s1/options/opt1", (client) => options.removeOption(client, "s1", "opt1")],
  [
    "GET /services/s1/upgrades",
    (client) => upgrades.previewUpgrades(client, "s1"),
    { answer: { ...preview, upgrades: [{ ...offer, netAmount: 3.34, totalWithVat: 4.04 }] }, gives: preview },
  ],
  [
    "POST /services/s1/upgrades",
    (client) => upgrades.requestUpgrade(client, "s1", { toProductId: "p2" }),
    { body: { toProductId: "p2" }, answer: { ...upgraded, ...bought }, gives: { upgrade, ...owed } },
  ],
  [
    "POST /services/s1/upgrades/options",
    (client) => upgrades.changeOptions(client, "s1", { addOptions: ["a"], removeOptions: [] }),
    {
      body: { addOptions: ["a"], removeOptions: [] },
      answer: upgraded,
      beside: bought,
      gives: { upgrade, ...owed },
    },
  ],
  [
    "GET /upgrades/u1",
    (client) => upgrades.readUpgrade(client, "u1"),
    { passes: { upgrade: { ...upgrade, status: "completed", executed_at: "2026-11-20T10:00:00Z" }, order: null } },
  ],
  ["POST /upgrades/u1/cancel", (client) => upgrades.cancelUpgrade(client, "u1")],

  [
    "GET /locations?productId=p1%2Cp2",
    (client) => catalog.listLocations(client, ["p1", "p2"]),
    { answer: { locations: [place], count: 1 }, gives: [place] },
  ],
  ["GET /products", (client) => catalog.listProducts(client), { answer: { products: [product] }, gives: [product] }],
  [
    "GET /products/p1",
    (client) => catalog.readProduct(client, "p1"),
    { answer: { product, ...detail }, gives: expect.objectContaining({ ...product, ...detail }) },
    { passes: { ...product, ...detail } },
  ],
  [
    "GET /products/p1/availability?location=prg",
    (client) => catalog.readAvailability(client, "p1", "prg"),
    { passes: stock },
  ],
  // A code that is new is not the platform's own "unknown".
  [
    "GET /products/p1/availability",
    (client) => catalog.readAvailability(client, "p1"),
    { answer: { ...stock, code: "maybe" }, gives: { ...stock, code: "other" } },
  ],
  [
    "GET /orders?idempotencyKey=r1&hostname=a.example",
    (client) => orders.listOrders(client, { idempotencyKey: "r1", hostname: "a.example" }),
    {
      answer: { orders: [order], pagination: { page: 1, limit: 20, total: 21 } },
      gives: { rows: [order], pagination: { page: 1, limit: 20, total: 21, pages: 2 } },
    },
  ],
  ["GET /orders/o1", (client) => orders.readOrder(client, "o1"), { answer: { order }, gives: order }],
  [
    "POST /orders",
    (client) => orders.createOrder(client, "r1", orderBody),
    {
      body: orderBody,
      status: 201,
      answer: { order, services: order.services, invoice: null, proforma: partPaid, credit_balance: null, ...bought },
      gives: { order, invoice: null, proforma: partPaid, ...owed },
    },
  ],
  // A replay of an order that owes nothing.
  [
    "POST /orders",
    (client) => orders.createOrder(client, "r1", { items: [] }),
    {
      body: { items: [] },
      answer: { order: { id: "o1" }, services: [], document: null, settled: true, idempotent: true },
      gives: { order: { id: "o1" }, document: null, settled: true, idempotent: true },
    },
  ],
  [
    "GET /invoices?status=unpaid",
    (client) => billing.listInvoices(client, { status: "unpaid" }),
    {
      answer: { invoices: [invoice], pagination: page, stats: { unpaid: "12.5" } },
      gives: { rows: [invoice], pagination: page, stats: { unpaid: "12.5" } },
    },
  ],
  [
    "GET /proformas",
    (client) => billing.listProformas(client),
    { answer: { proformas: [proforma], pagination: page }, gives: { rows: [proforma], pagination: page } },
  ],
  ...[{ invoice }, invoice].map(
    (sent): CustomerCall => [
      "GET /invoices/i1",
      (client) => billing.readInvoice(client, "i1"),
      { answer: { ...sent, ...unpaid }, gives: { document: expect.objectContaining(invoice), ...unpaid } },
    ],
  ),
  // A converted proforma, which is not taken for the invoice that it became.
  [
    "GET /proformas/p1",
    (client) => billing.readProforma(client, "p1"),
    { answer: { proforma, invoice, ...paid }, gives: { document: proforma, ...paid } },
  ],
  [
    "POST /invoices/i1/pay",
    (client) => billing.payInvoice(client, "i1", "12.5000"),
    {
      body: { amount: 12.5 },
      answer: { newBalance: "87.5", remainingAmount: "0", payment: { id: "x" }, invoicePaid: true },
      gives: { remainingAmount: "0", invoicePaid: true },
    },
  ],
  [
    "POST /proformas/p1/pay",
    (client) => billing.payProforma(client, "p1", "0.1"),
    {
      body: { amount: 0.1 },
      answer: { newBalance: 87.5, remainingAmount: 0, creditApplied: 12.5, proformaPaid: true, invoice: { id: "i2" } },
      gives: { remainingAmount: "0", creditApplied: "12.5", proformaPaid: true, invoice: { id: "i2" } },
    },
  ],

  ["GET /ssh-keys", sshKeys.listSshKeys, { answer: { ssh_keys: [sshKey] }, gives: [sshKey] }],
  [
    "POST /ssh-keys",
    (client) => sshKeys.addSshKey(client, { name: "laptop", publicKey: "ssh-ed25519 AAAA" }),
    {
      body: { name: "laptop", publicKey: "ssh-ed25519 AAAA" },
      answer: sshKey,
      gives: { id: "k1", fingerprint: "SHA256:x" },
    },
  ],
  ["DELETE /ssh-keys/k1", (client) => sshKeys.deleteSshKey(client, "k1")],
  ["GET /custom-images", images.listCustomImages, { passes: [image] }],
  [
    "GET /custom-images/i1",
    (client) => images.readCustomImage(client, "i1"),
    { passes: imageRow({ id: "i1", status: "error", error: "Disk full" }) },
    { answer: { custom_image: imageRow({ id: "i1" }) }, gives: imageRow({ id: "i1" }) },
  ],
  [
    "POST /custom-images",
    (client) => images.registerCustomImage(client, source),
    { body: source, answer: { id: "i1", name: "golden" }, gives: { id: "i1" } },
  ],
  ["DELETE /custom-images/i1", (client) => images.deleteCustomImage(client, "i1")],
  [
    "GET /projects",
    projects.listProjects,
    { passes: [project] },
    { answer: { projects: [project] }, gives: [project] },
  ],
  [
    "GET /projects/web",
    (client) => projects.readProject(client, "web"),
    { passes: project },
    { answer: { project }, gives: project },
  ],
  [
    "POST /projects",
    (client) => projects.createProject(client, { name: "Web" }),
    { body: { name: "Web" }, answer: project, gives: { id: "p1", slug: "web" } },
  ],
  [
    "PATCH /projects/web",
    (client) => projects.changeProject(client, "web", { color: "red" }),
    { body: { color: "red" }, answer: project },
  ],
  ["DELETE /projects/web", (client) => projects.deleteProject(client, "web")],
  ["DELETE /projects/web?reassignTo=default", (client) => projects.deleteProject(client, "web", "default")],
  [
    "POST /projects/web/move",
    (client) => projects.moveToProject(client, "web", { services: ["s1"], ssh_keys: ["k1"] }),
    { body: { services: ["s1"], ssh_keys: ["k1"] }, answer: { moved: 1, skipped: ["k1"] }, gives: ["k1"] },
  ],
];
