import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lengthOf, refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import { actions, type Block, button, context, divider, header, markdown, section } from "../../src/views/blocks.ts";
import { barChart, type Series, timeCharts } from "../../src/views/chart.ts";
import { fitted, splitPages } from "../../src/views/fit.ts";
import { limits } from "../../src/views/limits.ts";
import { plainForm, richKindsIn, withoutKinds } from "../../src/views/plain.ts";
import { plan } from "../../src/views/plan.ts";
import { dataTables, type TableCell } from "../../src/views/table.ts";

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5_000 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", " ", "​", "&".repeat(2_000), "`".repeat(500), "🚀".repeat(300), "<!channel>"),
  },
);
const cell: fc.Arbitrary<TableCell> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.record({ text, value: fc.double() }) },
  {
    weight: 1,
    arbitrary: fc.record({ at: fc.oneof(fc.double(), fc.integer(), text, fc.constant("2026-11-21T20:00:00Z")) }),
  },
);
const tables = fc
  .record({
    caption: text,
    columns: fc.array(text, { minLength: 1, maxLength: 25 }),
    rows: fc.array(fc.array(cell, { maxLength: 25 }), { maxLength: 130 }),
  })
  .map(dataTables);
const series: fc.Arbitrary<Series> = fc.record({
  name: text,
  points: fc.array(
    fc.record({
      at: fc.oneof(fc.integer({ min: 1_790_000_000_000, max: 1_790_100_000_000 }), fc.double()),
      value: fc.option(fc.oneof(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), fc.double())),
    }),
    { maxLength: 80 },
  ),
});
const charts = fc
  .tuple(text, fc.array(series, { maxLength: 9 }), fc.constantFrom("", "B", "bit/s", "%", "furlongs per fortnight"))
  .map(([title, all, unit]) => timeCharts(title, all, unit));
const bars = fc
  .tuple(text, text, fc.array(fc.record({ label: text, value: fc.double() }), { maxLength: 30 }))
  .map(([title, name, all]) => barChart(title, name, all));
const plans = fc
  .tuple(
    text,
    fc.array(fc.record({ title: text, status: fc.constantFrom("pending", "complete", "error") }), { maxLength: 30 }),
  )
  .map(([title, tasks]) => [plan(title, tasks)]);
const others: fc.Arbitrary<Block[]> = fc.oneof(
  text.map((each) => [section(each)]),
  text.map((each) => [section(each), context(each)]),
  text.map(() => [divider()]),
  text.map((each) => [header(each || "x")]),
);
const anything: fc.Arbitrary<Block[]> = fc
  .array(fc.oneof(tables, charts, bars, plans, others), { maxLength: 12 })
  .map((all) => all.flat());

function refusalsOf(blocks: Block[]): string[] {
  const { text: top, blocks: shown } = fitted({ text: "An answer", blocks });
  const tooLong = [
    ...(top.length > limits.message.text ? ["text"] : []),
    ...(lengthOf(shown) > limits.message.allText ? ["blocks"] : []),
    ...(JSON.stringify(shown).includes("would not fit") ? ["cut"] : []),
  ];
  return [...refusedBlocks(shown), ...tooLong];
}

describe("an answer of any length", () => {
  test("comes in parts that Slack takes, whole, with its buttons under each, and so do its plain forms", () => {
    fc.assert(
      fc.property(anything, (blocks) => {
        const buttons = actions([button("Refresh", "refresh", "v")]);
        const parts = splitPages([...blocks, ...buttons]);
        const kinds = new Set(richKindsIn(blocks));
        for (const part of parts) {
          expect(refusalsOf(part)).toEqual([]);
          expect(refusalsOf(withoutKinds({ text: "", blocks: part }, kinds).blocks)).toEqual([]);
          expect(part.slice(-1)).toEqual(buttons);
        }
        expect(parts.flatMap((part) => part.slice(0, -1))).toEqual(blocks);
      }),
      { numRuns: 120 },
    );
  }, 60_000);

  test("of one message stays one, and a context is never parted from what it is about", () => {
    const rows = Array.from({ length: 30 }, (_, at) => [section(`row ${at}`), context(`about row ${at}`)]).flat();
    const parts = splitPages(rows);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part[0]?.type).toBe("section");
    expect(splitPages(rows.slice(0, 10))).toEqual([rows.slice(0, 10)]);
  });
});

describe("a table", () => {
  test("loses no row, whatever its rows hold, and every part has the header", () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => [`row-${at}`, "x".repeat(at % 300)]);
    const parts = dataTables({ caption: "Rows", columns: ["Name", "Text"], rows });
    expect(parts.every(({ rows: [head] }) => JSON.stringify(head).includes("Name"))).toBe(true);
    const names = parts.flatMap(({ rows: [, ...body] }) => body.map(([name]) => JSON.stringify(name)));
    expect(names).toEqual(rows.map(([name]) => JSON.stringify({ type: "raw_text", text: name })));
    expect(dataTables({ caption: "Rows", columns: ["Name"], rows: [] })).toEqual([]);
  });

  test("says the same in its plain form: every word, and every moment in the reader's zone", () => {
    const [table] = dataTables({
      caption: "Snapshots",
      columns: ["Name", "Size", "Taken"],
      rows: [["nightly", { text: "1.5 GB", value: 1.5 }, { at: "2026-11-21T20:00:00Z" }]],
    });
    const plain = JSON.stringify(table && plainForm(table));
    for (const word of ["Snapshots", "Size", "`nightly`", "1.5 GB", "<!date^1795291200^"])
      expect(plain).toContain(word);
  });

  test("of more columns than Slack has says the rest in the last one", () => {
    const columns = Array.from({ length: 24 }, (_, at) => `c${at}`);
    const [table] = dataTables({ caption: "Wide", columns, rows: [columns] });
    expect(table?.rows[1]?.at(-1)).toEqual({ type: "raw_text", text: "c19 · c20 · c21 · c22 · c23" });
  });
});

describe("a chart", () => {
  const hour = 60 * 60_000;
  const from = Date.parse("2026-11-20T00:00:00Z");
  const points = (amount: number, value: (at: number) => number | null) =>
    Array.from({ length: amount }, (_, at) => ({ at: from + (at * 24 * hour) / amount, value: value(at) }));

  test("of 1,000 points has 20, each the mean of its stretch, with times that need no zone", () => {
    const [chart] = timeCharts("CPU", [{ name: "cpu", points: points(1_000, (at) => at) }], "%");
    const { series: drawn, axis_config: axis } = chart?.chart ?? { series: [], axis_config: { categories: [] } };
    expect(drawn[0]?.data).toHaveLength(20);
    expect(drawn[0]?.data[0]?.value).toBeCloseTo(24.5);
    expect(axis).toMatchObject({ x_label: "Before the last figure", y_label: "%" });
    expect(axis.categories.slice(0, 2)).toEqual(["-23 h 59 min", "-22 h 47 min"]);
  });

  test("of few points has each of them; a time without a figure is left out, not drawn as nought", () => {
    const [chart] = timeCharts("CPU", [{ name: "cpu", points: points(6, (at) => (at === 2 ? null : at)) }]);
    expect(chart?.chart.series[0]?.data.map(({ value }) => value)).toEqual([0, 1, 3, 4, 5]);
  });

  test("scales bytes and bits to what reads best", () => {
    const [disk] = timeCharts("Disk", [{ name: "read", points: points(3, () => 5 * 1_024 ** 3) }], "B");
    expect(disk?.chart).toMatchObject({ axis_config: { y_label: "GiB" }, series: [{ data: [{ value: 5 }, {}, {}] }] });
    const [net] = timeCharts("Network", [{ name: "in", points: points(3, () => 2_500_000) }], "bit/s");
    expect(net?.chart).toMatchObject({
      axis_config: { y_label: "Mbit/s" },
      series: [{ data: [{ value: 2.5 }, {}, {}] }],
    });
  });

  test("says its lowest, highest and last figure in its plain form", () => {
    const [chart] = timeCharts("CPU", [{ name: "cpu", points: points(6, (at) => at * 10) }], "%");
    expect(JSON.stringify(chart && plainForm(chart))).toContain("last 50, from 0 to 50 %");
  });
});

test("a field for a file is replaced by the reason, and every other field of a form stays as it is", () => {
  const label = { type: "plain_text", text: "Host name" } as const;
  const field = { type: "input", label, element: { type: "plain_text_input", action_id: "value" } } as const;
  const file = { type: "input", label, element: { type: "file_input", action_id: "value" } } as const;
  expect(plainForm(field)).toEqual([field]);
  expect(JSON.stringify(plainForm(file))).toContain("I take no files here");
});

test("a page of the guide says the same in its plain form, where Slack takes no standard Markdown", () => {
  const text = [
    "# Two *new* rules",
    "Press *Details…*, or see **the [rules](https://example.com/a_b)** of <https://example.com>: 2 * 3 < 7.",
    "",
    "- `a < **b**` stays",
    "| Word | Meaning |\n| --- | :-- |\n| `up` | *running* |",
    "```sh\n- x = <y> & **z**\n\n# no title\n```",
    "1. The end",
  ].join("\n");
  expect(plainForm(markdown(text))).toEqual([
    section(
      [
        "*Two _new_ rules*",
        "Press _Details…_, or see *the <https://example.com/a_b|rules>* of <https://example.com>: 2 * 3 &lt; 7.",
        "",
        "• `a &lt; **b**` stays",
        "Word · Meaning",
        "`up` · _running_",
        "```\n- x = &lt;y&gt; &amp; **z**\n\n# no title\n```",
        "1. The end",
      ].join("\n"),
    ),
  ]);
});
