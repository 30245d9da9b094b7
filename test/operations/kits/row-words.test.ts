import { expect, test } from "vitest";
import { listLines } from "../../../src/operations/kits/row-words.ts";

const rows = Array.from({ length: 2_003 }, (_, at) => ({ name: `Row ${at + 1}`, amount: "1.00" }));

test("a list that the platform sends whole shows its first 2,000 rows, and says how many are left", () => {
  const [heading, ...lines] = listLines("Payments", rows, "EUR");
  expect(heading).toBe("*Payments* (2003)");
  expect(lines).toHaveLength(2_001);
  expect(lines.at(-2)).toBe("• Row 2000 · 1.00 EUR");
  expect(lines.at(-1)).toBe("The platform sent 3 more rows. Rackbell does not show them.");
});

test("a page of a list shows its rows alone, and the number of all", () => {
  expect(listLines("Lines", rows, "EUR", rows.slice(2_000))).toEqual([
    "*Lines* (2003)",
    ...["• Row 2001 · 1.00 EUR", "• Row 2002 · 1.00 EUR", "• Row 2003 · 1.00 EUR"],
  ]);
});
