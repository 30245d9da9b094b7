import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listLines, restBlocks, rowLine } from "../../../src/operations/kits/row-words.ts";
import { moment } from "../../../src/views/format.ts";
import { jsonLines } from "../../../src/views/json.ts";

describe("a row whose fields the contract does not name", () => {
  test("reads in the order of a person: quantity, name, price, and the rest with its labels", () => {
    const row = {
      id: "1",
      order_id: "2",
      next_due_date: "2026-11-20T10:00:00Z",
      billing_cycle: "semi_annually",
      subtotal: "12.0000",
      tax: "2.5200",
      primary_ip: "192.0.2.1",
      amount: "14.5200",
      quantity: 2,
      description: "VPS_M *new*",
      created_at: "2026-11-20T10:00:00Z",
      note: null,
      empty: "",
    };
    const at = moment("2026-11-20T10:00:00Z");
    expect(rowLine(row, "EUR")).toBe(
      `2 × VPS M ∗new∗ · 14.52 EUR · next due date ${at} · semi annually · before tax 12.00 EUR · tax 2.52 EUR · primary IP 192.0.2.1 · ${at}`,
    );
  });

  test("shows rates, percentages and counts without a currency", () => {
    const row = {
      description: "VPS M",
      quantity: 1,
      amount: "12.00",
      tax_rate: 21,
      network_ports: 2,
      discount_percent: 10,
      paid_by: "Ana",
      net_speed: 5,
    };
    expect(rowLine(row, "EUR")).toBe(
      "1 × VPS M · 12.00 EUR · tax rate 21 · network ports 2 · discount 10 % · paid by Ana · net speed 5",
    );
  });

  test("shows a day as the same day to every reader, and a time without a zone as it is", () => {
    expect(rowLine({ name: "A", due_date: "2026-11-20", paid_at: "2026-11-20 10:00:00" }, null)).toBe(
      "A · due Nov 20, 2026 · paid Nov 20, 2026, 10:00 (unknown zone)",
    );
  });

  test("gives an amount the currency of its own object, at each depth", () => {
    expect(rowLine({ name: "A", price: 5, fees: { setup: 2, currency: "USD" } }, "EUR")).toBe(
      "A · 5.00 EUR · fees setup 2.00 USD",
    );
    expect(rowLine({ name: "A", currency: "GBP", prices: { monthly: "5.0000", constructor: 1 } }, "EUR")).toBe(
      "A · prices monthly 5.00 GBP, constructor 1",
    );
  });

  test("shows the fields of a name that is no text", () => {
    expect(rowLine({ total: 5, owner: { name: { en: "Ana" }, city: "Rome" } }, "EUR")).toBe(
      "5.00 EUR · owner name en Ana, city Rome",
    );
  });

  test("shows no secret, at any depth", () => {
    const row = {
      name: "A",
      root_password: "hunter22",
      configuration: { os: "debian", env: [{ pwd: "hunter22" }], token: "hunter22" },
    };
    expect(rowLine(row, null)).toBe("A · configuration OS debian, env 1 entry");
    expect(JSON.stringify(restBlocks({ ...row, rows: [row] }, [], null))).not.toContain("hunter22");
  });

  test("says the figures, amounts and times of a field as any other JSON does", () => {
    const key = fc.constantFrom(
      "amount",
      "tax_rate",
      "due_date",
      "network_ports",
      "size_bytes",
      "paid_at",
      "port",
      "total",
    );
    const value = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constantFrom("12.5000", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20T10:00:00+02:00", "7"),
    );
    fc.assert(
      fc.property(key, value, (name, one) => {
        const [line = ""] = jsonLines({ [name]: one }, "EUR");
        const shown = line.replace(/^[^:]*: /, "").replaceAll("`", "");
        expect(rowLine({ name: "A", [name]: one }, "EUR").endsWith(shown)).toBe(true);
        expect(JSON.stringify(restBlocks({ [name]: one }, [], "EUR"))).toContain(shown);
      }),
    );
  });
});

describe("a list of rows", () => {
  const rows = Array.from({ length: 2_003 }, (_, at) => ({ name: `Row ${at + 1}`, amount: "1.00" }));

  test("that the platform sends whole shows its first 2,000 rows, and says how many are left", () => {
    const [heading, ...lines] = listLines("Payments", rows, "EUR");
    expect(heading).toBe("*Payments* (2003)");
    expect(lines).toHaveLength(2_001);
    expect(lines.at(-2)).toBe("• Row 2000 · 1.00 EUR");
    expect(lines.at(-1)).toBe("The platform sent 3 more rows. Rackbell does not show them.");
  });

  test("by its page shows the rows of that alone, and the number of all", () => {
    expect(listLines("Lines", rows, "EUR", rows.slice(2_000))).toEqual([
      "*Lines* (2003)",
      ...["• Row 2001 · 1.00 EUR", "• Row 2002 · 1.00 EUR", "• Row 2003 · 1.00 EUR"],
    ]);
  });
});
