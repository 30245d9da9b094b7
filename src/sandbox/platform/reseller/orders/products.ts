// reseller/orders/: the catalogue at wholesale, what an order asks for, placing, charging, reading and retrying orders
// (spec 2.2, 2.3 and 4.1).

import { notFound } from "../../http/refusal.ts";
import { param } from "../../http/router.ts";
import { euros } from "../../money/money.ts";
import {
  catalogueNames,
  isResold,
  optionPrice,
  optionsOf,
  setupFee,
  type WholesaleOption,
  wholesaleCycles,
  wholesalePrice,
} from "../../programme/prices.ts";
import type { Product } from "../../world/catalogue.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { Call, Route } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { productSchema } from "./schema.ts";

const read = { method: "GET", scope: "read" } as const;

export const productRoutes: Route[] = [
  { ...read, path: "/products", handle: list },
  { ...read, path: "/products/{productId}", handle: show },
  { ...read, path: "/products/{productId}/schema", handle: schema },
];

function list(call: Call) {
  const sold = [...call.world.catalogue.products.values()].filter((product) => isResold(call.programme, product));
  return underName(
    call,
    "products",
    sold.map((product) => productRow(call, product)),
    200,
    { currency: "EUR" },
  );
}

function show(call: Call) {
  return underName(call, "product", productRow(call, productNamed(call, param(call, "productId"))), 200, {
    currency: "EUR",
  });
}

function schema(call: Call) {
  return underName(call, "schema", productSchema(call, productNamed(call, param(call, "productId"))));
}

/** One that is not in the partner's catalogue is as unknown as one that never was. */
export function productNamed(call: Call, id: string): Product {
  const product = call.world.catalogue.products.get(id.toLowerCase());
  if (product === undefined || !isResold(call.programme, product)) throw notFound("Product");
  return product;
}

const categories: Record<Product["kind"], string> = {
  vps: "VPS",
  dedicated: "Dedicated servers",
  game: "Game servers",
  unknown: "Hosting",
};

function productRow(call: Call, product: Product) {
  const money = moneyOf(call, product.id);
  const prices = wholesaleCycles.map((cycle) => {
    const cents = wholesalePrice(call.programme, product, cycle);
    return [catalogueNames[cycle], cents === null ? null : money(cents / 100)];
  });
  return {
    id: product.id,
    name: product.name,
    slug: product.name.toLowerCase().replaceAll(" ", "-"),
    description: `${product.name}, for your own customers`,
    category: categories[product.kind],
    currency: "EUR",
    pricing: {
      currency: "EUR",
      ...Object.fromEntries(prices),
      setupFee: money(euros(setupFee(call.programme, product))),
    },
    specs: product.specs ?? {},
    options: optionsOf(product).map((option) => optionRow(call, option)),
  };
}

function optionRow(call: Call, option: WholesaleOption) {
  return {
    id: option.id,
    name: option.name,
    pricingType: option.pricingType,
    maxQuantity: option.maxQuantity,
    pricing: option.pricingType === "one_time" ? oncePricing(call, option) : cyclePricing(call, option),
    retail: { monthly: moneyOf(call, option.id)(euros(option.monthly)) },
    discountRate: call.programme.settings.discount,
  };
}

// The spec does not show whether a cycle of an option has its figure, or a figure with the fee beside it.
function cyclePricing(call: Call, option: WholesaleOption) {
  const money = moneyOf(call, option.id);
  const nested = shapeOf(call, option.id, 2) === 1;
  const setupFee = money(euros(optionPrice(call.programme, option, "monthly").setup));
  const pricing = wholesaleCycles.map((cycle) => {
    const figure = money(optionPrice(call.programme, option, cycle).cycle / 100);
    return [catalogueNames[cycle], nested ? { price: figure, setupFee } : figure];
  });
  return { ...Object.fromEntries(pricing), setupFee };
}

// A one-time option is billed on the setup side with no setup fee of its own: which of these figures has its price, the spec does not show.
function oncePricing(call: Call, option: WholesaleOption) {
  const money = moneyOf(call, option.id);
  const once = money(euros(optionPrice(call.programme, option, "monthly").setup));
  const shape = shapeOf(call, option.id, 4);
  const none = Object.fromEntries(wholesaleCycles.map((cycle) => [catalogueNames[cycle], null]));
  if (shape === 0) return { ...none, setupFee: once };
  if (shape === 3) return { ...none, monthly: once, setupFee: money(0) };
  const figure = shape === 1 ? { price: once, setupFee: money(0) } : once;
  return { ...Object.fromEntries(wholesaleCycles.map((cycle) => [catalogueNames[cycle], figure])), setupFee: money(0) };
}

/** Money as text for some, as a number for others. */
function moneyOf(call: Call, id: string): (amount: number) => string | number {
  const digits = (amount: number) => (Number.isInteger(Math.round(amount * 1e6) / 1e4) ? 2 : 4);
  return shapeOf(call, id, 2) === 0
    ? (amount) => amount.toFixed(digits(amount))
    : (amount) => Number(amount.toFixed(4));
}
