import { expect, test } from "vitest";
import { at, createPractice, listAt, resellerRefusal, success, textAt } from "../../client.ts";

test("customers come in pages, with how many services each has", async () => {
  const { resell } = await createPractice();
  const first = await resell("GET /customers?limit=3");
  expect(first).toMatchObject(success({ pagination: { page: 1, limit: 3, total: 4, totalPages: 2 } }));
  expect(at(first, "data.customers.0")).toMatchObject({
    external_customer_id: "acme-bakery",
    external_customer_name: "Acme Bakery",
    metadata: { tier: "gold" },
    service_count: 3,
  });
  expect(listAt(await resell("GET /customers?limit=3&page=2"), "data.customers")).toHaveLength(1);
  expect(await resell("GET /customers?limit=1000")).toMatchObject(success({ pagination: { limit: 100 } }));
});

test.each(["borealis", "OPS@Borealis", "Borealis St"])("customers are found by %s", async (search) => {
  const { resell } = await createPractice();
  const found = listAt(await resell(`GET /customers?search=${encodeURIComponent(search)}`), "data.customers");
  expect(found).toMatchObject([{ external_customer_id: "borealis" }]);
});

test("a key that is bound to a customer sees that one, and no count", async () => {
  const { resell } = await createPractice();
  const [only, ...others] = listAt(await resell("GET /customers", { as: "bound" }), "data.customers");
  expect(others).toEqual([]);
  expect(only).toMatchObject({ external_customer_id: "acme-bakery" });
  expect(only).not.toHaveProperty("service_count");
  expect(listAt(await resell("GET /services", { as: "bound" }), "data.services")).toHaveLength(3);
  expect(await resell("GET /services/{web-1}", { as: "bound" })).toMatchObject(
    resellerRefusal(404, "Service not found"),
  );
});

test("a customer is made once: an external id that is known comes back unchanged", async () => {
  const { resell } = await createPractice();
  const body = { externalCustomerId: "delta", externalCustomerName: "Delta" };
  expect(await resell("POST /customers", { body })).toMatchObject(success({ service_count: 0 }, 201));
  const again = await resell("POST /customers", { body: { ...body, externalCustomerName: "Other" } });
  expect(again).toMatchObject(success({ external_customer_name: "Delta" }));
});

test("of a customer only what is sent changes; metadata replaces all that was stored", async () => {
  const { resell, platform } = await createPractice();
  const path = `/customers/${platform.reseller.customerId("acme-bakery")}`;
  expect(await resell(`PUT ${path}`, { body: { externalCustomerName: "Acme & Co" } })).toMatchObject({ status: 200 });
  const changed = await resell(`PUT ${path}`, { body: { metadata: { seats: 4 } } });
  expect(at(changed, "data")).toMatchObject({
    external_customer_name: "Acme & Co",
    external_customer_email: "it@acme-bakery.example.test",
    metadata: { seats: 4 },
  });
  expect(at(changed, "data.metadata.tier")).toBeUndefined();
});

test("a customer with live services stays; one that has none goes, and takes its keys with it", async () => {
  const { resell, platform } = await createPractice();
  const acme = `/customers/${platform.reseller.customerId("acme-bakery")}`;
  expect(await resell(`DELETE ${acme}`)).toMatchObject(
    resellerRefusal(400, "The customer still has 3 services that are not terminated"),
  );
  const cobalt = platform.reseller.customerId("cobalt-<&>");
  const key = platform.reseller.addKey({ customer: cobalt });
  expect(await resell(`DELETE /customers/${cobalt}`)).toMatchObject({ status: 200 });
  expect(await resell("GET /products", { as: key })).toMatchObject(resellerRefusal(401, "Invalid API key"));
  expect(await resell(`DELETE /customers/${cobalt}`)).toMatchObject(resellerRefusal(404, "Customer not found"));
  const gone = await resell(`GET /services/${platform.find("gone-1").id}`);
  expect(gone).toMatchObject(success({ externalCustomerId: null, status: "terminated" }));
});

test("payment methods are listed, and one of them is the default", async () => {
  const { resell } = await createPractice();
  const methods = await resell("GET /payment-methods");
  expect(listAt(methods, "data")).toMatchObject([
    { label: "Company card", type: "card", cardBrand: "visa", cardLastFour: "4242", isDefault: true },
    { label: "Old card", isDefault: false },
    { label: "Wallet", type: "wallet", cardBrand: null },
  ]);
  expect(await resell(`PUT /payment-methods/${textAt(methods, "data.2.id")}/default`)).toMatchObject({ status: 200 });
  expect(listAt(await resell("GET /payment-methods"), "data")).toMatchObject([
    { isDefault: false },
    { isDefault: false },
    { isDefault: true },
  ]);
});

test("a test of the webhook is queued once an address is on file", async () => {
  const { resell, platform } = await createPractice();
  const webhookUrl = "https://rackbell.example/webhooks/reseller/T1";
  expect(await resell("PUT /account/webhook", { body: { webhookUrl } })).toMatchObject({ status: 200 });
  expect(await resell("POST /webhooks/test")).toMatchObject(success({ queued: true }));
  expect(platform.reseller.deliveries()).toMatchObject([{ event: "webhook.test", state: "waiting", attempts: 0 }]);
});
