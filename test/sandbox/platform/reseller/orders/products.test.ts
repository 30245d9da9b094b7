import { expect, test } from "vitest";
import { productId } from "../../../../../src/sandbox/platform/world/catalogue.ts";
import { at, createPractice, listAt, type PlatformAnswer, resellerRefusal, success } from "../../client.ts";

function product(answer: PlatformAnswer, name: string): Record<string, unknown> {
  const found = listAt(answer, "data").find((one) => Object(one).name === name);
  return Object(found);
}

test("the catalogue is at wholesale: an own price, or retail less the discount, and null where a cycle is not sold", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  const products = await resell("GET /products");
  expect(at(products, "currency")).toBe("EUR");
  expect(product(products, "VPS S").pricing).toMatchObject({
    currency: "EUR",
    monthly: "3.80",
    quarterly: "12.00",
    semiAnnual: "24.00",
    annual: "48.00",
    hourly: "0.0060",
    setupFee: "0.00",
  });
  expect(product(products, "VPS M plus").pricing).toMatchObject({ hourly: null });
  expect(product(products, "Metal 1").pricing).toMatchObject({ monthly: "71.20", setupFee: "40.00" });
  expect(product(products, "VPS withdrawn")).toEqual({});
});

test("a product that partners do not get is as unknown as one that never was", async () => {
  const { resell, platform } = await createPractice();
  expect(await resell(`GET /products/${productId("VPS M")}`)).toMatchObject(success({ name: "VPS M" }));
  platform.reseller.settings.notResold.add(productId("VPS M"));
  for (const path of ["", "/schema"]) {
    const refused = await resell(`GET /products/${productId("VPS M")}${path}`);
    expect(refused).toMatchObject(resellerRefusal(404, "Product not found"));
  }
});

test("options show their kind, how many may be had, and their wholesale price", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  const flat = listAt(await resell(`GET /products/${productId("VPS S")}`), "data.options");
  expect(flat).toContainEqual(
    expect.objectContaining({
      name: "Extra IPv4 address",
      pricingType: "recurring",
      maxQuantity: 8,
      pricing: expect.objectContaining({ monthly: "2.00", annual: "24.00", setupFee: "0.80" }),
      retail: { monthly: "2.50" },
      discountRate: 20,
    }),
  );
  expect(flat).toContainEqual(
    expect.objectContaining({
      pricingType: "one_time",
      pricing: expect.objectContaining({ monthly: null, setupFee: "32.00" }),
    }),
  );
  platform.settings.shapes.payload = 1;
  const nested = listAt(await resell(`GET /products/${productId("VPS S")}`), "data.options");
  expect(nested).toContainEqual(
    expect.objectContaining({ pricing: expect.objectContaining({ monthly: { price: 2, setupFee: 0.8 } }) }),
  );
});

test("a product lists the inputs of a VPS order: datacentres with their prices, images, and the form of a host name", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  expect(await resell(`GET /products/${productId("VPS Windows")}/schema`)).toMatchObject(
    success({
      requiredFields: ["billingCycle", "location"],
      locationField: "location",
      locationRequired: true,
      osImages: [{ name: "Windows Server 2025" }],
      osImageField: "osImageId",
      orderSchema: null,
    }),
  );
  const schema = await resell(`GET /products/${productId("VPS Windows")}/schema`);
  expect(listAt(schema, "data.locationPricing")).toContainEqual({ location: "de-fra", monthly: 1.6, setupFee: 4 });
  expect(new RegExp(String(at(schema, "data.hostnamePattern"))).test("web.example.com")).toBe(true);
  // Its price by the hour is an override: only the catalogue shows it.
  expect(listAt(schema, "data.billingCycles")).not.toContain("hourly");
  const shown = await resell(`GET /products/${productId("VPS Windows")}`);
  expect(at(shown, "data.pricing.hourly")).not.toBeNull();
});

test("a plugin's form comes in two shapes, and names the same fields in each", async () => {
  const { resell, platform } = await createPractice();
  const path = `GET /products/${productId("Game box")}/schema`;
  platform.settings.shapes.payload = 0;
  const flat = await resell(path);
  expect(flat).toMatchObject(success({ requiredFields: ["billingCycle", "game"], pluginDefaults: { slots: 10 } }));
  expect(listAt(flat, "data.orderSchema.fields")).toMatchObject([{ name: "game", required: true }, {}, {}]);
  platform.settings.shapes.payload = 1;
  expect(listAt(await resell(path), "data.orderSchema.fields")).toMatchObject([{ key: "game", title: "Game" }, {}, {}]);
});

test("products and what they ask for stand in data, or under their name in it", async () => {
  const { resell, platform } = await createPractice();
  platform.settings.shapes.named = true;
  expect(listAt(await resell("GET /products"), "data.products").length).toBeGreaterThan(5);
  expect(await resell(`GET /products/${productId("VPS S")}/schema`)).toMatchObject(
    success({ schema: { productName: "VPS S" } }),
  );
});
