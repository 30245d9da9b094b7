import fc from "fast-check";
import { expect, test } from "vitest";
import { amountOf, lesser, unitsOf } from "../../src/platform/amounts.ts";

test.each([
  ["12.5", 125_000n, "12.50"],
  ["0.0075", 75n, "0.0075"],
  ["-3.1", -31_000n, "-3.10"],
  ["1000000", 10_000_000_000n, "1000000.00"],
])("%s is read exactly and written with two decimals or as many as it needs", (text, units, written) => {
  expect(unitsOf(text)).toBe(units);
  expect(amountOf(units)).toBe(written);
});

test("any amount is read as the amount that was written", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (units) => unitsOf(amountOf(units)) === units),
  );
});

test("the lesser of two amounts is told by value, not by text", () => {
  expect(lesser("9.00", "10")).toBe("9.00");
});
