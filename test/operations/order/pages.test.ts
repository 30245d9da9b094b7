import { expect, test } from "vitest";
import { emptyDraft, newLine } from "../../../src/operations/order/draft.ts";
import { orderPages } from "../../../src/operations/order/pages.ts";
import { emptyDraft as emptyResold } from "../../../src/operations/reseller/order/draft.ts";
import { orderPages as resoldPages } from "../../../src/operations/reseller/order/pages.ts";

const lines = ["VPS S", "VPS M"].map((name) => newLine({ id: name, name }));
const draft = { ...emptyDraft, lines };

test.each([
  ["hostname", "plan", "hostname", "VPS S"],
  ["location", "plan", "location", "VPS S"],
  ["items.1.configuration.user_data", "system", "user_data", "VPS M"],
  ["configOptions.ssh_keys", "system", "pasted", "VPS S"],
  ["configOptions.ssh_key_ids", "system", "keys", "VPS S"],
  ["custom_image_id", "system", "image", "VPS S"],
  ["items[1].billingCycle", "plan", "cycle", "VPS M"],
])(
  "a fault of %s that the platform names is shown on its page, at its field, and for its line of the order",
  (name, page, field, line) => {
    expect(orderPages.correct("order", draft, { [name]: "It is wrong." })).toMatchObject({
      page,
      faults: { [field]: "It is wrong." },
      draft: { current: { name: line } },
    });
  },
);

test("a fault of the discount stays at its field on the order's page, and a fault of no field stands above it", () => {
  expect(orderPages.correct("order", draft, { discountCode: "Not valid", phase: "Too new" })).toMatchObject({
    page: "order",
    faults: { discount: "Not valid" },
    notice: ":warning: Too new",
  });
  expect(orderPages.correct("order", draft, {})).toMatchObject({ page: "order", faults: {} });
});

test("another product for a line of the order takes its place: the old one is not ordered as well", () => {
  const [current = null] = lines;
  const draft = { ...emptyDraft, lines, current };
  expect(orderPages.keep("product", draft, { product: "VPS L" })).toMatchObject({
    lines,
    current: { id: current?.id, product: "VPS L", cycle: null },
  });
});

test("no order is sent with a cycle or a product that nobody chose", () => {
  expect(() => orderPages.input({ ...emptyDraft, lines })).toThrow("Choose a billing cycle for VPS S.");
  const resold = { ...emptyResold, product: { id: "VPS S", name: "VPS S" } };
  expect(() => resoldPages.input(emptyResold)).toThrow("Choose a product.");
  expect(() => resoldPages.input(resold)).toThrow("Choose a billing cycle.");
  expect(resoldPages.input({ ...resold, cycle: "monthly" })).toMatchObject({ order: { cycle: "monthly" } });
});
