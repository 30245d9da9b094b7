import fc from "fast-check";
import { expect, test } from "vitest";
import { Amount } from "../../src/platform/money.ts";

test.each([
  ["10.0000", "10.0000"],
  ["-5.5", "-5.5"],
  ["0.01388", "0.01388"],
  ["0", "0"],
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
  ["1.000000001"],
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
