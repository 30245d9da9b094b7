import { expect, test } from "vitest";
import { lastMode, paymentMethodName } from "../../../src/operations/reseller/payment.ts";
import { Order } from "../../../src/platform/reseller/orders.ts";

const card = { id: "m1", type: "card", label: "Company", cardBrand: "Visa", cardLastFour: "4242", isDefault: false };

test("two cards of one label or brand are told apart by their last four digits", () => {
  expect(paymentMethodName(card)).toBe("Company ending in 4242");
  expect(paymentMethodName({ ...card, cardLastFour: "0002" })).toBe("Company ending in 0002");
  expect(paymentMethodName({ ...card, label: null })).toBe("Visa ending in 4242");
  expect(paymentMethodName({ ...card, label: null, cardBrand: null })).toBe("Card ending in 4242");
  expect(paymentMethodName({ ...card, label: "Visa 4242" })).toBe("Visa 4242");
  expect(paymentMethodName({ ...card, label: "Wallet", cardLastFour: null })).toBe("Wallet");
});

const rows = [
  { id: "o1", payment_mode: "credit", created_at: "2026-01-01T00:00:00Z" },
  { id: "o2", payment_mode: "invoice", created_at: "2026-03-01T00:00:00+02:00" },
  { id: "o3", payment_mode: "storefront", created_at: "2026-05-01T00:00:00Z" },
  { id: "o4", payment_mode: null, created_at: "2026-06-01T00:00:00Z" },
  { id: "o5", payment_mode: "saved_method" },
].map((row) => Order.parse(row));

test("the last order is the newest one that was placed here, in any order of the list", () => {
  for (const list of [rows, rows.toReversed(), rows.toSpliced(0, 1).concat(rows.slice(0, 1))])
    expect(lastMode(list)).toBe("invoice");
  expect(lastMode(rows.filter(({ payment_mode: mode }) => mode === "storefront"))).toBeUndefined();
  expect(lastMode([])).toBeUndefined();
});
