import { expect, test } from "vitest";
import * as account from "../../../src/platform/customer/account.ts";
import { readKeyIdentity } from "../../../src/platform/customer/account.ts";
import * as billing from "../../../src/platform/customer/billing.ts";
import type { CustomerClient } from "../../../src/platform/customer/client.ts";
import { readDedicated } from "../../../src/platform/customer/dedicated.ts";
import * as images from "../../../src/platform/customer/images.ts";
import * as orders from "../../../src/platform/customer/orders.ts";
import * as projects from "../../../src/platform/customer/projects.ts";
import * as services from "../../../src/platform/customer/services.ts";
import * as snapshots from "../../../src/platform/customer/vps.ts";
import * as vps from "../../../src/platform/customer/vps.ts";
import { mayHaveRun } from "../../../src/platform/http/errors.ts";
import { readOpenApi } from "../../../src/platform/http/openapi.ts";
import { connect, failure, ok, refusal, startServer } from "../server.ts";
import * as rows from "./rows.ts";

type Read = (client: CustomerClient<string>) => Promise<unknown>;

const readVps: Read = (client) => vps.readVps(client, "v1");
const listVps: Read = (client) => vps.listVps(client);
const readImage: Read = (client) => images.readCustomImage(client, "i1");
const readProject: Read = (client) => projects.readProject(client, "p1");
const cancel: Read = (client) => vps.cancelVps(client, "v1", { reason: "not needed", immediate: true });
const order: Read = (client) => orders.createOrder(client, "r1", { items: [] });

/** No word for a state, of those that the spec lists or of others. */
const noWord = "<!channel>";
const service = { id: "s1", serviceType: "game", status: "active", anything: 1 };
const metal = { id: "d1", name: "big", status: noWord, failure: null };
const invoice = { id: "i1", status: "unpaid", total: "12.5000", number: "2026-1" };
const page = { page: 1, limit: 20, total: 1, pages: 1 };
const invoices = (changes: object) => ({ invoices: [{ ...invoice, ...changes }], pagination: page });
const { billing: price, instance, capabilities } = rows.vpsRow();

// The spec names the scopes of a key and the sums of a document: none of them is guessed, and no state is a sentence.
test.each<[field: string, read: Read, answer: unknown, beside?: object]>([
  ["data.key.scopes", readKeyIdentity, rows.identity({ key: { id: "k1", label: "x", project: null } })],
  ["data.balance", account.readBalance, { balance: "12 EUR", currency: "EUR" }],
  ["data.balance", account.readBalance, { balance: null, currency: "EUR" }],
  ["data.balance", account.readBalance, { currency: "EUR" }],
  ["data.balance", account.readBalance, { balance: { amount: 1 }, currency: "EUR" }],
  ["data.invoices.0.total", billing.listInvoices, invoices({ total: "12,50" })],
  ["data.invoices.0.total", billing.listInvoices, invoices({ total: null })],
  ["data.invoices.0.status", billing.listInvoices, invoices({ status: "lost" })],
  ["data.status", readVps, rows.vpsRow({ status: noWord })],
  ["data.instance.state", readVps, rows.vpsRow({ instance: { ...instance, state: noWord } })],
  ["data.os_installation_status", readVps, rows.vpsRow({ os_installation_status: noWord })],
  ["data.billing.amount", readVps, rows.vpsRow({ billing: { ...price, amount: "12,50" } })],
  ["data.billing.amount", readVps, rows.vpsRow({ billing: { ...price, amount: "1.2e3" } })],
  ["data.billing.amount", readVps, rows.vpsRow({ billing: { ...price, amount: null } })],
  ["data.billing.next_due_date", readVps, rows.vpsRow({ billing: { ...price, next_due_date: "soon" } })],
  ["data.cancellation.scheduled_date", readVps, rows.vpsRow({ cancellation: {} })],
  ["data.ip_addresses.0.address", readVps, rows.vpsRow({ ip_addresses: [{ address: 5 }] })],
  ["data.project", readVps, rows.vpsRow({ project: undefined })],
  ["pagination", listVps, [rows.vpsRow()]],
  ["data", listVps, "none", { pagination: page }],
  ["pagination", listVps, [], { pagination: page }],
  [
    "data.snapshots.1.status",
    (client) => snapshots.listSnapshots(client, "v1"),
    { snapshots: [rows.snapshotRow(), rows.snapshotRow({ status: "sleeping" })], used: 2, max: 5 },
  ],
  ["data.service.status", (client) => services.readService(client, "s1"), { service: { ...service, status: noWord } }],
  ["data.status", (client) => readDedicated(client, "d1"), metal],
  ["data.0.status", images.listCustomImages, [rows.imageRow({ status: noWord })]],
  ["data.custom_images.0.status", images.listCustomImages, { custom_images: [rows.imageRow({ status: noWord })] }],
  ["data.status", readImage, rows.imageRow({ status: noWord })],
  ["data.custom_image.status", readImage, { custom_image: rows.imageRow({ status: noWord }) }],
  ["data.id", readImage, { other: rows.imageRow() }],
  ["data.slug", readProject, { other: rows.projectRow() }],
])("%s that the contract does not allow is a clear failure (%#)", async (field, read, answer, beside) => {
  const { client } = connect((await startServer(ok(answer, beside))).url);

  expect(await failure(read(client))).toMatchObject({
    name: "PlatformOffContract",
    problem: expect.stringContaining(`${field}:`),
  });
});

test.each([
  ["a cancellation that says neither now nor when", cancel, { immediate: false }, "Neither immediate nor with a date"],
  ["an order that does not say whether it is settled", order, { order: { id: "o1" }, document: null }, "data.settled"],
])("the outcome of %s is unknown", async (_, write, answer, problem) => {
  const server = await startServer(ok(answer));

  const error = await failure(write(connect(server.url).client));

  expect(error).toMatchObject({ name: "PlatformOffContract", problem: expect.stringContaining(problem) });
  expect(mayHaveRun(error)).toBe(true);
  expect(server.seen).toHaveLength(1);
});

test("words that only inform may be new: a failure counts as one of another cause, a service as one of unknown kind", async () => {
  const machine = rows.vpsRow({
    capabilities: { ...capabilities, unavailable_reason: "mood" },
    failure: { code: "gremlins", message: "x" },
  });
  const { client } = connect(
    (
      await startServer((response, { url }) =>
        ok(url.includes("/vps/") ? machine : { service: { ...service, serviceType: "toaster" } })(response),
      )
    ).url,
  );
  expect(await vps.readVps(client, "v1")).toMatchObject({
    capabilities: { unavailable_reason: "mood" },
    failure: { code: "other", message: "x" },
  });
  expect(await services.readService(client, "s1")).toMatchObject({ service: { serviceType: "unknown" } });
});

test("a list of routes that is switched off is refused in the usual way", async () => {
  const { client } = connect((await startServer(refusal(403, "FEATURE_DISABLED"))).url);
  expect(await failure(readOpenApi(client))).toMatchObject({ name: "PlatformRefused", code: "FEATURE_DISABLED" });
});
