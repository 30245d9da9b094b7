import { expect, test } from "vitest";
import { nameOf } from "../../../src/operations/reseller/payment.ts";

const card = { id: "m1", type: "card", label: "Company", cardBrand: "Visa", cardLastFour: "4242", isDefault: false };

test("two cards of one label or brand are told apart by their last four digits", () => {
  expect(nameOf(card)).toBe("Company ending in 4242");
  expect(nameOf({ ...card, cardLastFour: "0002" })).toBe("Company ending in 0002");
  expect(nameOf({ ...card, label: null })).toBe("Visa ending in 4242");
  expect(nameOf({ ...card, label: null, cardBrand: null })).toBe("Card ending in 4242");
  expect(nameOf({ ...card, label: "Visa 4242" })).toBe("Visa 4242");
  expect(nameOf({ ...card, label: "Wallet", cardLastFour: null })).toBe("Wallet");
});
