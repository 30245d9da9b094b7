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
