import * as documentation from "../../../../src/platform/reseller/documentation.ts";
import * as products from "../../../../src/platform/reseller/products.ts";
import { json } from "../../server.ts";
import type { Call } from "../call.ts";
import { productRow, withMore } from "../rows.ts";

// Numbers are read as decimal strings.
const row = productRow({ pricing: { ...productRow().pricing, monthly: "10", setupFee: "0" } });
const { currency, pricing, ...bare } = row;
const prices = { monthly: "10.00", setupFee: "0" };

const schema = {
  billingCycles: ["monthly", "semi-annually"],
  requiredFields: ["billingCycle", "location"],
  productId: "p1",
  productName: "VPS M",
  category: "VPS",
  billingEnabled: true,
  osImages: [{ id: "i1", name: "Debian 13" }],
  osImageField: "osImageId",
  hostnamePattern: "^[a-z]+$",
  locationPricing: [{ location: "prg", monthly: "1.00" }],
  locationField: "location",
  locationRequired: true,
  orderSchema: { fields: [{ name: "size" }], layout: "tabs" },
  pluginDefaults: { size: 1 },
};

export const catalogueCalls: Call[] = [
  {
    name: "the catalogue at wholesale",
    call: (client) => products.listProducts(client),
    sends: "GET /products",
    answer: [withMore(row)],
    beside: { currency: "EUR" },
    gives: [row],
  },
  {
    name: "the catalogue, its currency told beside it alone",
    call: (client) => products.listProducts(client),
    sends: "GET /products",
    answer: { products: [{ ...bare, options: null, pricing: prices }] },
    beside: { currency: "CZK" },
    gives: [{ ...bare, options: [], pricing: prices, currency: "CZK" }],
  },
  {
    name: "a product",
    call: (client) => products.readProduct(client, "p1"),
    sends: "GET /products/p1",
    answer: row,
    beside: { currency: "EUR" },
    gives: row,
  },
  {
    name: "a product under its name, its currency with its prices",
    call: (client) => products.readProduct(client, "p1"),
    sends: "GET /products/p1",
    answer: { product: { ...bare, pricing } },
    gives: row,
  },
  {
    name: "what an order of a product asks for",
    call: (client) => products.readProductSchema(client, "p1"),
    sends: "GET /products/p1/schema",
    answer: withMore(schema),
    gives: schema,
  },
  {
    name: "what an order of a product without a form asks for",
    call: (client) => products.readProductSchema(client, "p1"),
    sends: "GET /products/p1/schema",
    answer: { schema: { billingCycles: [], requiredFields: ["billingCycle"], orderSchema: null } },
    gives: { billingCycles: [], requiredFields: ["billingCycle"], orderSchema: null },
  },
  {
    name: "the platform's own list of routes, which has no envelope",
    call: (client) => documentation.readOpenApi(client),
    sends: "GET /openapi.json",
    reply: (response) => json(response, 200, { openapi: "3.0.3", paths: { "/products": { get: {} } } }),
    gives: { paths: { "/products": { get: {} } } },
  },
  {
    name: "the reference as a page",
    call: (client) => documentation.readDocs(client),
    sends: "GET /docs",
    reply: (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>API</h1>"),
    gives: { content: Buffer.from("<h1>API</h1>"), contentType: "text/html", name: null },
  },
  {
    name: "the guide",
    call: (client) => documentation.readGuide(client),
    sends: "GET /guide.md",
    reply: (response) => void response.writeHead(200, { "content-type": "text/markdown" }).end("# API"),
    gives: { content: Buffer.from("# API"), contentType: "text/markdown", name: null },
  },
];
