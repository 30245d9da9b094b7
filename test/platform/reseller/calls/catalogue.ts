import { readOpenApi } from "../../../../src/platform/http/openapi.ts";
import * as products from "../../../../src/platform/reseller/products.ts";
import { json } from "../../server.ts";
import type { ResellerCall } from "../call.ts";
import { productRow, withMore } from "../rows.ts";

// Numbers are read as decimal strings.
const row = productRow({ pricing: { ...productRow().pricing, monthly: "10", setupFee: "0" } });
const { currency, pricing, ...bare } = row;
const prices = { monthly: "10.00", setupFee: "0" };

const schema = {
  requiredFields: ["billingCycle", "location"],
  billingEnabled: true,
  osImages: [{ id: "i1", name: "Debian 13" }],
  osImageField: "osImageId",
  hostnamePattern: "^[a-z]+$",
  locationPricing: [{ location: "prg", monthly: "1.00" }],
  locationRequired: true,
  orderSchema: { fields: [{ name: "size" }], layout: "tabs" },
  pluginDefaults: { size: 1 },
};

export const catalogueCalls: ResellerCall[] = [
  [
    "GET /products",
    (client) => products.listProducts(client),
    { answer: [withMore(row)], beside: { currency: "EUR" }, gives: [row] },
    {
      answer: { products: [{ ...bare, options: null, pricing: prices }] },
      beside: { currency: "CZK" },
      gives: [{ ...bare, options: [], pricing: prices, currency: "CZK" }],
    },
  ],
  [
    "GET /products/p1",
    (client) => products.readProduct(client, "p1"),
    { passes: row, beside: { currency: "EUR" } },
    { answer: { product: { ...bare, pricing } }, gives: row },
  ],
  [
    "GET /products/p1/schema",
    (client) => products.readProductSchema(client, "p1"),
    { answer: withMore(schema), gives: schema },
    {
      answer: { schema: { requiredFields: ["billingCycle"], orderSchema: null } },
      gives: { requiredFields: ["billingCycle"], orderSchema: null },
    },
  ],
  [
    "GET /openapi.json",
    (client) => readOpenApi(client),
    {
      reply: (response) => json(response, 200, { openapi: "3.0.3", paths: { "/products": { get: {} } } }),
      gives: { paths: { "/products": { get: {} } } },
    },
  ],
];
