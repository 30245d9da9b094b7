import { expect, test } from "vitest";
import { feesOf } from "../../../src/operations/catalog/product.ts";
import type { NewOrder, OrderLine } from "../../../src/operations/order/input.ts";
import { hourlyRate, priceWords, sumOf } from "../../../src/operations/order/lines.ts";
import { ProductDetail } from "../../../src/platform/customer/catalog.ts";

const place = { value: "de-fra", name: "Frankfurt", shared: false, sold_out: false, available: true };

function lineOf({ id }: { id: string }, wish: Partial<OrderLine> = {}): OrderLine {
  return { product: id, cycle: "monthly", quantity: 1, options: [], keys: [], pasted: [], ...wish };
}

function sumWith(more: object): string | null {
  const product = ProductDetail.parse({
    id: "product-1",
    name: "VPS S",
    monthly_price: "5.00",
    location_required: true,
    os_images: [],
    locations: [{ ...place, surcharge: { monthly: 2, setup: 5 } }],
    ...more,
  });
  const order: NewOrder = { lines: [lineOf(product)], location: "de-fra" };
  const lines = order.lines.map((line) => ({ line, product, image: null }));
  return sumOf(lines, order)?.amount ?? null;
}

test.each<[object, string | null]>([
  [{}, "12.00"],
  [{ setup_fee: "0.00", feedback_url: "https://example.test", installments: false }, "12.00"],
  [{ setup_fee: "10.00" }, null],
  [{ billing_cycles: { monthly: { price: "5.00", setupFee: 10 } } }, null],
  [{ billing_cycles: { monthly: { price: "5.00" }, annually: { price: "55.00", setupFee: 10 } } }, "12.00"],
  [
    {
      billing_cycles: [
        { cycle: "annually", setup: 10 },
        { cycle: "monthly", price: 5 },
      ],
    },
    "12.00",
  ],
])("a product that names a fee beside its price has no sum beforehand: %j", (more, sum) => {
  expect(sumWith(more)).toBe(sum);
});

test.each<[object, OrderLine["cycle"], string[]]>([
  [{ setup_fee: "25.00", currency: "EUR" }, "monthly", ["setup fee 25.00 EUR"]],
  [
    { setup_fee: "25.00", setup_time_minutes: 5, currency: "EUR" },
    "monthly",
    ["setup fee 25.00 EUR", "setup time 5 min"],
  ],
  [{ billing_cycles: { annually: { price: 55, setupFee: 10 } }, currency: "EUR" }, "annually", ["setup fee 10.00 EUR"]],
  [{ billing_cycles: { annually: { price: 55, setupFee: 10 } }, currency: "EUR" }, "monthly", []],
  [{ billing_cycles: { setup: 3, cycles: ["monthly"] }, currency: "EUR" }, "monthly", ["setup 3.00 EUR"]],
])("a fee of %j is named to those who order it on the cycle %s", (more, cycle, words) => {
  const product = ProductDetail.parse({
    ...{ id: "product-1", name: "VPS S", monthly_price: "5.00", location_required: false, os_images: [] },
    ...{ locations: [{ ...place, surcharge: { monthly: 2, setup: 5 } }], options: [{ id: "o-1", setup: 7 }], ...more },
  });
  expect(feesOf(product, cycle)).toEqual(words);
  const priced = { line: lineOf(product, { cycle }), product, image: null };
  for (const fee of words) expect(priceWords([priced], { lines: [priced.line] }, "EUR")).toContain(fee);
});

test("a product is read alike inside of `product` and beside it", () => {
  const beside = { id: "product-1", name: "VPS S", location_required: false, os_images: [], locations: [] };
  expect(ProductDetail.parse({ product: beside })).toEqual(ProductDetail.parse(beside));
});

interface Ordered {
  product?: object;
  cycle?: OrderLine["cycle"];
  quantity?: number;
  options?: OrderLine["options"];
  location?: string | null;
  discount?: string;
}

/** Options of the product of `sumFor`, in the layouts that the catalogue may have. */
const backup = { id: "o-1", name: "Backup", monthly_price: "2.00", prices: { quarterly: "5.00" } };
const unpriced = { id: "o-2", name: "Extra address" };

function pricedFor({ product: more, cycle = "monthly", quantity = 1, options = [], location, discount }: Ordered) {
  const product = ProductDetail.parse({
    id: "product-1",
    name: "VPS S",
    monthly_price: "5.00",
    hourly_price: "0.0075",
    currency: "EUR",
    billing_cycles: [
      { cycle: "monthly", price: 5 },
      { cycle: "quarterly", price: 15 },
      { cycle: "annually", price: "55.00" },
      { cycle: "hourly", price: 0.0075 },
    ],
    location_required: false,
    os_images: [],
    options: [backup, unpriced],
    locations: [
      { ...place, surcharge: { monthly: 2, setup: 5 } },
      { ...place, value: "es-mad", name: "Madrid", surcharge: null },
    ],
    ...more,
  });
  const order: NewOrder = {
    lines: [lineOf(product, { cycle, quantity, options })],
    location: location ?? undefined,
    discount,
  };
  return { all: order.lines.map((line) => ({ line, product, image: null })), order };
}

test.each<[string, Ordered, string | null]>([
  ["a month", {}, "5.00"],
  ["a quarter", { cycle: "quarterly" }, "15.00"],
  ["three quarters", { cycle: "quarterly", quantity: 3 }, "45.00"],
  ["a year, in words of its own", { cycle: "annually" }, "55.00"],
  [
    "a quarter by name",
    { cycle: "quarterly", product: { billing_cycles: { quarterly: { price: "15.00" } } } },
    "15.00",
  ],
  ["a bare figure", { cycle: "quarterly", product: { billing_cycles: { quarterly: 15 } } }, "15.00"],
  ["a place for a month", { location: "de-fra" }, "12.00"],
  ["a place for a quarter, three months of it and one setup", { cycle: "quarterly", location: "de-fra" }, "26.00"],
  ["a place without a surcharge", { cycle: "quarterly", location: "es-mad" }, "15.00"],
  ["an option of the same cycle", { options: [{ id: "o-1", quantity: 2 }] }, "9.00"],
  ["an option for a quarter", { cycle: "quarterly", options: [{ id: "o-1", quantity: 1 }] }, "20.00"],
])("an order of %s has the sum that the catalogue names", (_, ordered, sum) => {
  const { all, order } = pricedFor(ordered);
  expect(sumOf(all, order)?.amount).toBe(sum);
});

test.each<[string, Ordered]>([
  ["a cycle without a price", { cycle: "semi-annually" }],
  ["a cycle that is only named", { cycle: "quarterly", product: { billing_cycles: ["monthly", "quarterly"] } }],
  ["two prices of one cycle", { product: { billing_cycles: { monthly: { price: 6 } } } }],
  [
    "a fee beside the price",
    { cycle: "quarterly", product: { billing_cycles: { quarterly: { price: 15, setup: 3 } } } },
  ],
  ["an option without a price", { options: [{ id: "o-2", quantity: 1 }] }],
  ["an option of another cycle alone", { cycle: "annually", options: [{ id: "o-1", quantity: 1 }] }],
  ["options of several pieces", { quantity: 2, options: [{ id: "o-1", quantity: 1 }] }],
  ["a location that the product does not list", { location: "us-nyc" }],
  ["a discount", { discount: "PRACTICE10" }],
  ["hours", { cycle: "hourly" }],
])("an order with %s has no sum beforehand", (_, ordered) => {
  const { all, order } = pricedFor(ordered);
  expect(sumOf(all, order)).toBeNull();
});

test("an order by the hour has a rate, unless something else changes it", () => {
  const rateOf = (ordered: Ordered) => {
    const { all, order } = pricedFor({ cycle: "hourly", ...ordered });
    return hourlyRate(all, order);
  };
  expect(rateOf({})).toBe("0.0075 EUR an hour");
  expect(rateOf({ quantity: 2, location: "es-mad" })).toBe("2 × 0.0075 EUR an hour");
  for (const changed of [
    { location: "de-fra" },
    { discount: "PRACTICE10" },
    { options: [{ id: "o-1", quantity: 1 }] },
    { cycle: "monthly" as const },
  ])
    expect(rateOf(changed)).toBeNull();
});

test("lines in two currencies have no sum", () => {
  const products = ["EUR", "USD"].map((currency) =>
    ProductDetail.parse({
      id: currency,
      name: currency,
      monthly_price: "5.00",
      currency,
      location_required: false,
      os_images: [],
      locations: [],
    }),
  );
  const order: NewOrder = { lines: products.map((product) => lineOf(product)) };
  const priced = (used: typeof products) =>
    used.flatMap((product) => {
      const line = order.lines.find((one) => one.product === product.id);
      return line ? [{ line, product, image: null }] : [];
    });
  expect(sumOf(priced(products), order)).toBeNull();
  expect(sumOf(priced(products.slice(1)), order)).toEqual({ amount: "5.00", currency: "USD" });
});
