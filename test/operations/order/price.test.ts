import { expect, test } from "vitest";
import { emptyDraft, inputOf, newLine } from "../../../src/operations/order/draft.ts";
import { sumOf } from "../../../src/operations/order/lines.ts";
import { ProductDetail } from "../../../src/platform/customer/catalog.ts";

const place = { value: "de-fra", name: "Frankfurt", shared: false, sold_out: false, available: true };

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
  const order = inputOf({ ...emptyDraft, lines: [{ ...newLine(product), cycle: "monthly" }], location: "de-fra" });
  const lines = order.lines.map((line) => ({ line, product, image: null }));
  return sumOf(lines, order)?.amount ?? null;
}

test.each<[object, string | null]>([
  [{}, "12.00"],
  [{ setup_fee: "0.00", feedback_url: "https://example.test", installments: false }, "12.00"],
  [{ setup_fee: "10.00" }, null],
  [{ billing_cycles: { monthly: { price: "5.00", setupFee: 10 } } }, null],
])("a product that names a fee beside its price has no sum beforehand: %j", (more, sum) => {
  expect(sumWith(more)).toBe(sum);
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
  const lines = products.map((product) => ({ ...newLine(product), cycle: "monthly" as const }));
  const order = inputOf({ ...emptyDraft, lines });
  const priced = (used: typeof products) =>
    used.flatMap((product) => {
      const line = order.lines.find((one) => one.product === product.id);
      return line ? [{ line, product, image: null }] : [];
    });
  expect(sumOf(priced(products), order)).toBeNull();
  expect(sumOf(priced(products.slice(1)), order)).toEqual({ amount: "5.00", currency: "USD" });
});
