import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText } from "../../src/views/csv.ts";
import {
  bareAmount,
  bytes,
  day,
  duration,
  inZone,
  moment,
  momentAgo,
  momentDay,
  money,
  timeOfDay,
} from "../../src/views/format.ts";
import { dataTables } from "../../src/views/table.ts";

describe("money", () => {
  test.each([
    ["12.5000", "EUR", "12.50 EUR"],
    ["0.0125", "EUR", "0.0125 EUR"],
    ["1234567.8900", "EUR", "1,234,567.89 EUR"],
    ["-1234.5", "EUR", "-1,234.50 EUR"],
    ["96.0000", null, "96.00 (currency unknown)"],
    ["0", "EUR", "0.00 EUR"],
    [250, "EUR", "250.00 EUR"],
  ])("%j of %s reads %s", (amount, currency, shown) => {
    expect(money(amount, currency)).toBe(shown);
  });

  test("no digit that counts is ever lost", () => {
    const amount = fc.tuple(fc.nat(), fc.nat({ max: 9_999 })).map(([a, b]) => `${a}.${String(b).padStart(4, "0")}`);
    fc.assert(
      fc.property(amount, (text) => {
        expect(Number(bareAmount(text).replaceAll(",", ""))).toBe(Number(text));
      }),
    );
  });
});

describe("a duration", () => {
  test.each([
    [0, "less than 1 s"],
    [-5, "less than 1 s"],
    [999, "less than 1 s"],
    [59_499, "59 s"],
    [59_500, "1 min"],
    [192_000, "3 min 12 s"],
    [3_599_600, "1 h"],
    [7_199_000, "2 h"],
    [86_399_000, "1 d"],
    [2 * 86_400_000 - 1_000, "2 d"],
    [90_000_000, "1 d 1 h"],
  ])("of %i ms reads %s", (ms, shown) => {
    expect(duration(ms)).toBe(shown);
  });

  test("never counts to 60 of a unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * 86_400_000 }), (ms) => {
        expect(duration(ms)).not.toMatch(/\b(60 s|60 min|24 h)\b/);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("sizes read in the unit that fits", () => {
  expect([0, 1023, 1536, 1_073_741_824].map(bytes)).toEqual(["0 B", "1023 B", "1.5 KiB", "1 GiB"]);
});

test("a moment is one in the reader's own zone, with the universal time for who cannot show it", () => {
  expect(moment("2026-11-21T01:02:03Z")).toBe("<!date^1795222923^{date_short_pretty} {time}|2026-11-21 01:02 UTC>");
});

test("a moment for which Slack has no date is shown in universal time, in a line as in a table", () => {
  const late = 10_000_000_000_000;
  expect(moment(late - 1_000)).toContain("<!date^9999999999^");
  expect(moment(late)).toBe("2286-11-20 17:46 UTC");
  expect(moment(-1_000)).toBe("1969-12-31 23:59 UTC");
  expect(moment("soon")).toBe("soon");
  const [table] = dataTables({ caption: "When", columns: ["At"], rows: [[{ at: late }]] });
  expect(table?.rows[1]).toEqual([{ type: "raw_text", text: "2286-11-20 17:46 UTC" }]);
});

test.each([
  ["2026-11-20", "Nov 20, 2026"],
  ["2026-11-20 10:00:00", "Nov 20, 2026, 10:00 (unknown zone)"],
  ["2026-11-20T23:30", "Nov 20, 2026, 23:30 (unknown zone)"],
  ["2026-11-20 (<!channel>)", "2026-11-20 (&lt;!channel&gt;)"],
])("%s is the same for every reader and on every server: it has no zone", (written, words) => {
  for (const said of [moment, momentDay, momentAgo]) expect(said(written)).toBe(words);
  const [table] = dataTables({ caption: "When", columns: ["At"], rows: [[{ at: written }]] });
  expect(table?.rows[1]).toEqual([{ type: "raw_text", text: words.replaceAll("&lt;", "<").replaceAll("&gt;", ">") }]);
  expect(csvText({ columns: ["At"], rows: [[{ at: written }]] }, "Europe/Madrid")).toContain(written);
});

test.each([
  [moment(1_795_857_132_000), "Europe/Madrid", "2026-11-28 10:12 (Europe/Madrid)"],
  [`ends ${momentDay(1_795_910_400_000)}.`, "Asia/Tokyo", "ends 2026-11-29."],
  [timeOfDay(1_795_857_132_000), "America/New_York", "04:12 (America/New_York)"],
  [momentAgo(1_795_857_132_000), "UTC", "2026-11-28 09:12 UTC"],
  ["`<!date>` nothing", "Asia/Tokyo", "`<!date>` nothing"],
])("plain text of %j has its times in the reader's zone", (text, zone, plain) => {
  expect(inZone(zone, text)).toBe(plain);
});

test("a file and a table have the times of a sentence in their reader's zone", () => {
  const rows = [[{ words: `ends ${moment(1_795_857_132_000)}, \`paid\`` }]];
  expect(csvText({ columns: ["Ends"], rows }, "Europe/Madrid")).toContain(
    '"ends 2026-11-28 10:12 (Europe/Madrid), paid"',
  );
  const [table] = dataTables({ caption: "When", columns: ["Ends"], rows });
  const elements = [
    { type: "text", text: "ends " },
    expect.objectContaining({ type: "date", timestamp: 1_795_857_132 }),
    { type: "text", text: ", paid" },
  ];
  expect(table?.rows[1]).toEqual([{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }]);
});

test("a day on a button is the one that the platform wrote", () => {
  expect(["2026-11-20", "2026-11-20 23:30:00", "2026-11-20T23:30:00Z"].map(day)).toEqual([
    "Nov 20",
    "Nov 20",
    "Nov 20",
  ]);
});
