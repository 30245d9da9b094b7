import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { readOpenApi } from "../../../src/platform/http/openapi.ts";
import { createPlatform } from "../../../src/platform/platform.ts";
import * as backups from "../../../src/platform/reseller/backups.ts";
import * as capabilities from "../../../src/platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../src/platform/reseller/client.ts";
import * as consoles from "../../../src/platform/reseller/console.ts";
import * as customers from "../../../src/platform/reseller/customers.ts";
import { readDocument } from "../../../src/platform/reseller/document.ts";
import * as images from "../../../src/platform/reseller/images.ts";
import * as lifecycle from "../../../src/platform/reseller/lifecycle.ts";
import * as network from "../../../src/platform/reseller/network.ts";
import * as options from "../../../src/platform/reseller/options.ts";
import * as orders from "../../../src/platform/reseller/orders.ts";
import * as packages from "../../../src/platform/reseller/package-change.ts";
import * as payment from "../../../src/platform/reseller/payment-methods.ts";
import * as placing from "../../../src/platform/reseller/place-order.ts";
import { orderIn } from "../../../src/platform/reseller/place-order.ts";
import * as products from "../../../src/platform/reseller/products.ts";
import * as provider from "../../../src/platform/reseller/provider.ts";
import * as reinstall from "../../../src/platform/reseller/reinstall.ts";
import { readScopes } from "../../../src/platform/reseller/scopes.ts";
import * as services from "../../../src/platform/reseller/services.ts";
import { readStats, readTraffic } from "../../../src/platform/reseller/stats.ts";
import * as webhook from "../../../src/platform/reseller/webhook.ts";
import { characters } from "../../../src/process/plain-text.ts";
import { createSandboxClock, type SandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "../../../src/sandbox/platform/practice-platform.ts";
import { productId } from "../../../src/sandbox/platform/world/catalogue.ts";
import { seededId } from "../../../src/sandbox/platform/world/ids.ts";
import { images as osImages } from "../../../src/sandbox/platform/world/os-images.ts";

// The endpoints and the practice platform were written from the spec independently; these tests run them against each other.

interface Setup {
  client: ResellerClient<string>;
  practice: PracticePlatform;
  clock: SandboxClock;
  id(name: string): string;
  as(label: keyof PracticePlatform["reseller"]["keys"]): ResellerClient<string>;
}

async function setUp(): Promise<Setup> {
  const clock = createSandboxClock();
  const practice = await createPracticePlatform({ clock });
  const app = createPlatform({ url: practice.url, clock, log: pino({ level: "silent" }) });
  onTestFinished(async () => {
    await app.close();
    await practice.close();
  });
  const as: Setup["as"] = (label) => {
    const { key } = practice.reseller.keys[label];
    return app.reseller({ key, signingSecret: practice.reseller.signingSecret() });
  };
  return { client: as("ana"), practice, clock, as, id: (name) => practice.find(name).id };
}

// Combinations of payload and place of an object and of a page's figures, in pairs.
const readings = [
  { payload: 0, named: false, pagination: "inside" },
  { payload: 1, named: false, pagination: "beside" },
  { payload: 2, named: true, pagination: "inside" },
  { payload: 0, named: true, pagination: "beside" },
  { payload: 1, named: true, pagination: "inside" },
] as const;

const anOrder = (externalOrderId: string) => ({
  productId: productId("VPS M"),
  billingCycle: "monthly" as const,
  quantity: 1,
  externalOrderId,
  configuration: { hostname: "shop.example.com", location: "es-mad" },
});

test.each(readings)(
  "the catalogue, orders and the account are read and changed in $payload $named $pagination",
  async (shapes) => {
    const { client, practice, clock } = await setUp();
    Object.assign(practice.settings.shapes, shapes);
    expect((await readOpenApi(client)).paths).toHaveProperty("/products");
    const catalogue = await products.listProducts(client);
    expect(catalogue.map(({ name }) => name)).toContain("VPS M");
    for (const { id } of catalogue) {
      expect((await products.readProduct(client, id)).id).toBe(id);
      expect((await products.readProductSchema(client, id)).requiredFields).toContain("billingCycle");
    }

    await webhook.setWebhook(client, "https://rackbell.example/hook");
    await webhook.testWebhook(client);
    const placed = await placing.placeOrder(client, anOrder("one"));
    expect(placed).toMatchObject({ status: "paid", idempotent: false });
    expect((await placing.placeOrder(client, anOrder("one"))).idempotent).toBe(true);
    expect((await orders.listOrders(client, { limit: 1 })).pagination.total).toBe(3);
    expect((await orders.findOrder(client, "one"))?.id).toBe(placed.orderId);
    expect((await orders.readOrder(client, placed.orderId)).payment_mode).toBe("saved_method");

    const customer = await customers.createCustomer(client, { externalCustomerId: "delta" });
    await customers.changeCustomer(client, customer.id, { metadata: { a: 1 } });
    expect((await customers.listCustomers(client, { search: "delta" })).rows).toHaveLength(1);
    await customers.deleteCustomer(client, customer.id);
    const methods = await payment.listPaymentMethods(client);
    await payment.setDefaultPaymentMethod(client, methods[2]?.id ?? "");
    expect((await payment.listPaymentMethods(client)).find(({ isDefault }) => isDefault)?.label).toBe("Wallet");
    clock.skip(1_000);
  },
);

test.each(readings)(
  "a refused charge, and what cannot be created, name their order in $payload $named $pagination",
  async (shapes) => {
    const { client, practice } = await setUp();
    Object.assign(practice.settings.shapes, shapes);
    const declined = (await payment.listPaymentMethods(client)).find(({ label }) => label === "Old card")?.id ?? "";
    const refused = await placing.placeOrder(client, { ...anOrder("one"), paymentMethodId: declined }).catch(orderIn);
    expect(refused).toMatchObject({ status: "payment_failed" });
    const orderId = refused !== null && "orderId" in refused ? refused.orderId : "";
    expect(await placing.retryOrder(client, orderId)).toMatchObject({ status: "paid" });
    practice.reseller.settings.creationFails = true;
    expect(await placing.placeOrder(client, anOrder("two")).catch(orderIn)).toMatchObject({
      status: "provisioning_failed",
    });
  },
);

test.each(readings)("a service is read and acted on in $payload $named $pagination", async (shapes) => {
  const { client, practice, clock, id } = await setUp();
  Object.assign(practice.settings.shapes, shapes);
  const web = id("web-1");
  expect((await services.listServices(client, { limit: 5 })).rows).toHaveLength(5);
  expect((await services.readService(client, web)).serviceId).toBe(web);
  for (const name of [
    "web-1",
    "metal-1",
    "plugin-1",
    "arena-1",
    "transit-1",
    "rack-1",
    "leased-1",
    "mailboxes",
    "gone-1",
  ]) {
    expect((await readDocument(client, id(name))).service.status).toBeTruthy();
    await capabilities.readCapabilities(client, id(name));
    await network.readNetwork(client, id(name));
    await provider.readProvider(client, id(name));
    await provider.readUiSchema(client, id(name));
    await packages.readUpgrades(client, id(name));
    await options.readOptions(client, id(name));
  }
  expect((await readStats(client, web)).of).toBe("vps");
  expect((await readStats(client, id("metal-1"))).of).toBe("dedicated");
  expect((await readStats(client, id("plugin-1"))).of).toBe("provider");
  for (const name of ["web-1", "metal-1", "transit-1"]) {
    expect((await readTraffic(client, id(name), "6h")).samples).toHaveLength(60);
  }
  expect(await network.readHealth(client, id("metal-1"))).toBeTypeOf("object");
  for (const name of ["web-1", "metal-1", "plugin-1"]) {
    expect((await capabilities.listOsTemplates(client, id(name))).templates.length).toBeGreaterThan(0);
  }

  expect((await consoles.openConsole(client, web)).type).toBe("novnc");
  expect((await consoles.openConsole(client, id("metal-1"))).type).toBe("kvm");
  expect((await consoles.openConsole(client, id("plugin-1"))).type).toBe("provider");
  expect((await consoles.openConsoleSession(client, web)).token).toBeTypeOf("string");
  const cast = await consoles.createCast(client, web, { label: "x" });
  expect(await consoles.listCasts(client, web)).toHaveLength(1);
  await consoles.revokeCast(client, web, cast.id);

  const set = { options: [{ optionId: seededId("option", "ipv4"), quantity: 2 }], externalReference: "set-1" };
  expect(await options.setOptions(client, web, set)).toMatchObject({ status: 200, value: { idempotent: false } });
  expect(await options.setOptions(client, web, set)).toMatchObject({ value: { idempotent: true } });
  const { active } = await options.readOptions(client, web);
  expect(active.map(options.quantityOf)).toEqual([{ optionId: seededId("option", "ipv4"), quantity: 2 }]);
  await options.removeOption(client, web, active[0]?.id ?? "");
  expect(await packages.changePackage(client, id("web-2"), productId("VPS L"))).toMatchObject({ status: "executing" });

  const listed = await backups.listBackups(client, web);
  expect(listed.of === "vps" ? listed.snapshots.length : 0).toBe(3);
  await backups.createBackup(client, web, { name: "mine" });
  clock.skip(60_000);
  const [oldest] = listed.of === "vps" ? listed.snapshots : [];
  await backups.restoreBackup(client, web, oldest?.id ?? "", oldest && characters(oldest.name));
  clock.skip(60_000);
  await backups.deleteBackup(client, web, oldest?.id ?? "");
  clock.skip(60_000);
  expect((await backups.listBackups(client, id("plugin-1"))).of).toBe("provider");

  const capture = await images.captureService(client, web, "golden");
  clock.skip(300_000);
  expect((await images.listCapturedImages(client)).map((image) => image.id)).toContain(capture.id);
  await images.deleteCapturedImage(client, capture.id);

  expect(await lifecycle.powerService(client, id("metal-1"), "start")).toBe("already");
  expect((await lifecycle.suspendService(client, web, "unpaid")).status).toBe("suspended");
  expect((await lifecycle.unsuspendService(client, web)).status).toBe("active");
  const again = { osTemplate: osImages.ubuntu.id, password: "correct horse" };
  expect((await reinstall.reinstallService(client, web, again)).password).toBeNull();
  expect(
    (await reinstall.resetServicePassword(client, id("worker-1"), { password: "correct horse" })).password,
  ).toBeNull();
  expect((await reinstall.resetServicePassword(client, id("metal-1"))).password).toBeTypeOf("string");
  expect(await lifecycle.terminateService(client, id("worker-1"))).toEqual({ alreadyTerminated: false });
  expect(await lifecycle.terminateService(client, id("worker-1"))).toEqual({ alreadyTerminated: true });
});

test("the practice platform names a key's scopes, and the customer that it is bound to", async () => {
  const { as, client, practice } = await setUp();
  expect(await readScopes(client)).toEqual(["read", "orders", "services", "destructive", "customers", "account"]);
  expect(await readScopes(as("dave"))).toEqual(["read"]);
  expect(await readScopes(as("bound"))).toEqual(["read", "orders", "services", "destructive"]);
  expect(await customers.readBoundCustomer(client)).toBeNull();
  expect(await customers.readBoundCustomer(as("bound"))).toMatchObject({
    id: practice.reseller.customerId("acme-bakery"),
    external_customer_id: "acme-bakery",
  });
});

test.each([600_000, -600_000])(
  "a platform whose clock is %i ms off has run nothing, and is signed for once more in its own time",
  async (ahead) => {
    const { client, practice } = await setUp();
    practice.settings.clockAhead = ahead;
    await customers.createCustomer(client, { externalCustomerId: "delta" });
    expect(practice.calls().map(({ status }) => status)).toEqual([401, 201]);
  },
);
