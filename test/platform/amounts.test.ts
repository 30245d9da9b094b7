import fc from "fast-check";
import { expect, test } from "vitest";
import { Amount, amountOf, lesser, unitsOf } from "../../src/platform/amounts.ts";

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

test.each([
  ["10.0000", "10.0000"],
  ["-5.5", "-5.5"],
  ["0.01388", "0.01388"],
  ["0", "0"],
  ["0.00694444444444444444", "0.00694444"],
  ["4.2415000000000000", "4.2415"],
  ["1.000000005", "1.00000001"],
  ["-1.000000005", "-1.00000001"],
  ["-0.000000004", "0"],
  ["10.000000001", "10"],
  ["999999999999999.999999995", "1000000000000000"],
  [12.5, "12.5"],
  [0.1 + 0.2, "0.3"],
  [0.00694, "0.00694"],
  [123_456_789.1, "123456789.1"],
  [-1e-9, "0"],
])("%j is money and reads %s", (sent, read) => {
  expect(Amount.parse(sent)).toBe(read);
});

test.each([
  ["10,00"],
  [`1.${"0".repeat(41)}`],
  ["1.0.0"],
  [""],
  [" 1"],
  ["1e3"],
  ["NaN"],
  ["EUR 10"],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [1e15],
  [null],
  [undefined],
  [true],
  [{}],
])("%j is not money", (sent) => {
  expect(Amount.safeParse(sent).success).toBe(false);
});

test("a decimal string keeps the decimals that it was given", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -999_999_999n, max: 999_999_999n }),
      fc.stringMatching(/^(\.\d{1,4})?$/),
      (whole, decimals) => {
        expect(Amount.parse(`${whole}${decimals}`)).toBe(`${whole}${decimals}`);
      },
    ),
  );
});

test("a number of up to 4 decimals reads as itself", () => {
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), (tenThousandths) => {
      expect(Number(Amount.parse(tenThousandths / 10_000))).toBe(tenThousandths / 10_000);
    }),
  );
});

test("any value is refused or is read as a plain decimal", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.double(), fc.string()), (sent) => {
      const read = Amount.safeParse(sent);
      if (read.success) expect(read.data).toMatch(/^-?\d+(\.\d{1,8})?$/);
      else expect(JSON.stringify(read.error.issues)).toContain("Not an amount of money");
    }),
  );
});
