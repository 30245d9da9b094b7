import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partSecrets } from "../../src/process/secret-parts.ts";
import { refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import type { Block } from "../../src/views/blocks.ts";
import { fitted, splitPages } from "../../src/views/fit.ts";
import { jsonBlocks, jsonLines } from "../../src/views/json.ts";
import { labelled } from "../../src/views/labels.ts";
import { richKindsIn, withoutKinds } from "../../src/views/plain.ts";

function kindsOf(blocks: Block[]): string[] {
  return blocks.map(({ type }) => type);
}

/** The text inside the blocks of code. */
function codeIn(blocks: Block[]): string {
  const texts = blocks.flatMap((block) => (block.type === "section" ? (block.text?.text ?? "") : ""));
  const pieces = texts.flatMap((text) => /^```([\s\S]*)```$/.exec(text)?.[1] ?? []);
  return pieces.join("\n");
}

/** A line as the block of code holds it. */
function plainly(line: string): string {
  return line
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("```", "ˋˋˋ")
    .replace(/`$/, "ˋ");
}

const hours = (amount: number) => Array.from({ length: amount }, (_, at) => 1_795_200_000 + at * 3_600);

describe("JSON that the contract does not show", () => {
  test("of any shape becomes parts that Slack takes, in their own form and in the plain one", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const blocks = jsonBlocks(value, { title: "Usage" });
        const plain = new Set(richKindsIn(blocks));
        for (const part of splitPages(blocks)) {
          for (const shown of [part, withoutKinds({ text: "", blocks: part }, plain).blocks]) {
            const message = fitted({ text: "Usage", blocks: shown });
            expect(refusedBlocks(message.blocks)).toEqual([]);
            expect(JSON.stringify(message)).not.toContain("would not fit");
          }
        }
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  test("loses no word of what it was given, whatever its shape", () => {
    const word = fc.stringMatching(/^[a-z]{8}$/);
    const leaf = fc.oneof(word, fc.array(word, { maxLength: 8 }));
    // A value under "pin" or "otp" is a secret, and is not shown.
    const key = fc
      .stringMatching(/^[a-z]{3}(_[a-z]{3})?$/)
      .filter((name) => partSecrets({ [name]: "12345678" }).secrets.length === 0);
    const { value: tree } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie("value"), { maxLength: 6 }),
        fc.array(fc.record({ name: word, kind: word, more: leaf }), { maxLength: 40 }),
        fc.dictionary(key, tie("value"), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const said = JSON.stringify(jsonBlocks(value));
        const lines = jsonLines(value).join("\n");
        for (const each of wordsIn(value)) {
          expect(said).toContain(each);
          expect(lines).toContain(each);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("keeps each line and indent of a text, wherever it is found, and lets none of it be markup", () => {
    const texts = ["motd=Welcome\n  max-players=20\n\n# ```<!channel>``` & *end* `", `one\n${"x".repeat(9_000)}\ntwo`];
    const places = (text: string): unknown[] => [
      text,
      { path: "/a", content: text },
      { file: { name: "a", text } },
      [text, "other"],
      [
        { name: "a", text },
        { name: "b", text },
      ],
      { lines: text.split("\n") },
      { server: { console: { output: text.split("\n") } } },
    ];
    for (const text of texts) {
      for (const place of places(text)) {
        const blocks = jsonBlocks(place);
        const shown = codeIn(blocks);
        for (const line of text.split("\n"))
          expect(shown.replaceAll("\n", line.length > 999 ? "" : "\n")).toContain(plainly(line));
        expect(shown).not.toMatch(/[<>]|`/);
        for (const part of splitPages(blocks)) expect(refusedBlocks(part)).toEqual([]);
      }
    }
    expect(jsonLines({ said: "one\ntwo" }).join()).toContain("one ⏎ two");
  });

  test("lists eight addresses, twelve invoice lines and four payments as they are: none of them is a series", () => {
    const ips = Array.from({ length: 8 }, (_, at) => ({ address: `192.0.2.${at}`, version: 4, prefix_length: 24 }));
    const items = Array.from({ length: 12 }, (_, at) => ({
      description: `Line ${at}`,
      amount: "12.5000",
      quantity: at,
    }));
    const payments = Array.from({ length: 4 }, (_, at) => ({
      amount: at + 0.5,
      created_at: `2026-11-0${at + 1}T10:00:00Z`,
    }));
    for (const rows of [ips, items, payments]) {
      const blocks = jsonBlocks({ rows });
      expect(kindsOf(blocks)).toEqual(["data_table"]);
    }
    expect(JSON.stringify(jsonBlocks({ ips }))).toContain("192.0.2.7");
    expect(JSON.stringify(jsonBlocks({ items }))).toContain("12.50");
    expect(JSON.stringify(jsonLines({ ips }))).toContain("192.0.2.7");
  });

  test.each([
    ["rows of a time and figures", { cpu: hours(30).map((ts, at) => ({ ts, percent: at })) }],
    ["pairs of a time and a figure", { cpu_percent: hours(30).map((ts, at) => [ts * 1_000, at]) }],
    ["a list of times beside lists of figures", { timestamps: hours(30), cpu_percent: hours(30).map((_, at) => at) }],
    [
      "figures by the day",
      Array.from({ length: 20 }, (_, at) => ({ day: `2026-11-${at + 10}`, rx_bytes: at, tx_bytes: 2 * at })),
    ],
  ])("draws %s", (_name, value) => {
    expect(kindsOf(jsonBlocks(value))).toEqual(["section", "data_visualization"]);
  });

  const amounts = [12.5, 13, 14, 15];
  const days = [1, 2, 3, 4].map((at) => `2026-11-0${at}T10:00:00Z`);
  test.each([
    ["rows", days.map((at, index) => ({ at, price: amounts[index] }))],
    ["pairs", { prices: days.map((at, index) => [at, amounts[index]]) }],
    ["pairs under a title", [{ balance_eur: days.map((at, index) => [at, amounts[index]]) }]],
    ["lists side by side", { days, prices: amounts }],
    ["lists side by side, one of them without money", { days, prices: amounts, cpu: amounts }],
    ["large counters side by side", { rx_bytes: [1.2e9, 1.3e9, 1.4e9, 1.5e9], tx_bytes: [1, 2, 3, 4] }],
    ["large counters in rows", [1.2e9, 1.3e9, 1.4e9, 1.5e9].map((uptime) => ({ uptime, float: uptime + 1, tx: 1 }))],
  ])("draws no money, and takes no figure for a time: %s", (_name, value) => {
    const blocks = jsonBlocks(value, { currency: "EUR" });
    expect(kindsOf(blocks)).not.toContain("data_visualization");
  });

  test("shows large counters side by side with their unit", () => {
    const [line] = jsonLines({ rx_bytes: [1.2e9, 1.3e9, 1.4e9, 1.5e9], tx_bytes: [1, 2, 3, 4] });
    expect(line).toBe("*RX*: 1.1 GiB, 1.2 GiB, 1.3 GiB, 1.4 GiB");
  });

  test("draws a list of days, and a total with a unit", () => {
    const days = [1, 2, 3, 4].map((at) => `2026-11-0${at}`);
    for (const value of [{ days, total_bytes: amounts }, days.map((day, at) => ({ day, total_bytes: amounts[at] }))])
      expect(kindsOf(jsonBlocks(value))).toContain("data_visualization");
  });

  test("draws series of one unit together, and of two units apart", () => {
    const series = (amount: number) => hours(10).map((ts) => ({ ts, value: amount }));
    const blocks = jsonBlocks({ cpu_percent: series(1), memory_percent: series(2), disk_bytes: series(3) });
    expect(blocks).toMatchObject([
      { text: { text: expect.stringMatching(/^Last figures, <!date.*>: CPU 1 % · Memory 2 %$/) } },
      { title: "CPU, memory", chart: { series: [{ name: "CPU" }, { name: "Memory" }], axis_config: { y_label: "%" } } },
      { text: { text: expect.stringMatching(/^Last figure, <!date.*>: Disk 3 B$/) } },
      { title: "Disk", chart: { series: [{ name: "Disk" }] } },
    ]);
  });

  test("gives figures without their times by their extremes where nobody would read them all, and at once", () => {
    const values = Array.from({ length: 300_000 }, (_, at) => at);
    expect(jsonLines({ cpu: values }).join()).toContain("300,000 figures from 0 to 299,999, the last 299,999");
    expect(jsonLines({ ports: [22, 80, 443] })).toEqual(["*Ports*: 22, 80, 443"]);
  });

  test("groups no number that names something, and scales no unit into thousands", () => {
    const numbers = {
      port: 2022,
      sftpPort: 25565,
      ssh_port: 2222,
      asn: 64500,
      customerAsn: 64500,
      vlan_id: 1200,
      ports: [8080],
    };
    const more = { customerId: 12345, order_number: 10023, invoiceNumber: 10023, as_number: 64500, postcode: 28013 };
    for (const line of [...jsonLines(numbers), ...jsonLines(more)]) expect(line).not.toMatch(/\d,\d/);
    for (const block of jsonBlocks([numbers, numbers])) expect(JSON.stringify(block)).not.toMatch(/\d,\d{3}/);
    expect(jsonLines({ support: 2022, transport_bytes: 2_048, report: 1_000 })).toEqual([
      "*Support*: 2,022",
      "*Transport*: 2 KiB",
      "*Report*: 1,000",
    ]);
    expect(jsonLines({ in_bps: 12_500_000, avg_kbps: 12_500, wait_ms: 90_000, wait_seconds: 90 })).toEqual([
      "*In*: 12.5 Mbit/s",
      "*Avg*: 12.5 Mbit/s",
      "*Wait*: 1 min 30 s",
      "*Wait*: 1 min 30 s",
    ]);
  });

  test("gives an amount the currency of its own object, else that of those around it, else the caller's", () => {
    const value = { price: 16, plans: [{ price: 8, currency: "USD" }, { price: 9 }], setup: { fee: "1.00" } };
    const lines = jsonLines(value, "EUR").join("\n");
    for (const amount of ["16.00 EUR", "8.00 USD", "9.00 EUR", "1.00 EUR"]) expect(lines).toContain(amount);
    expect(JSON.stringify(jsonBlocks(value, { currency: "EUR" }))).toMatch(/16\.00 EUR.*8\.00 USD.*9\.00 EUR/);
  });

  test("gives the values of a list inside a cell their units, currency and times", () => {
    const row = {
      name: "a",
      plans: [{ price: 5, size_bytes: 2_048, since: "2026-11-21T20:00:00Z", day: "2026-11-21" }],
    };
    const [table] = jsonBlocks([row, row], { currency: "EUR" });
    expect(table).toMatchObject({ type: "data_table" });
    expect(JSON.stringify(table)).toContain("Price 5.00 EUR · Size 2 KiB · Since ");
    expect(JSON.stringify(table)).toMatch(/"type":"date","timestamp":1795291200.*" · Day Nov 21, 2026"/);
  });

  test("reads as a person writes: units, times, money, yes and no, and labels without arrows", () => {
    const lines = jsonLines({
      ram_gb: 64,
      size_bytes: 1_610_612_736,
      nextDueDate: "2026-11-21T20:00:00Z",
      updated_at: 1_795_200_000_000,
      day: "2026-11-21",
      local: "2026-11-21T20:00:00",
      amount: "12.5000",
      currency: "EUR",
      is_default: true,
      hardware: { cpu_model: "EPYC", ram_gb: 64 },
      disks: [{ size_gb: 480 }],
      nothing: null,
    });
    expect(lines).toEqual([
      "*RAM*: 64 GB",
      "*Size*: 1.5 GiB",
      expect.stringMatching(/^\*Next due date\*: <!date\^1795291200\^/),
      expect.stringMatching(/^\*Updated at\*: <!date\^1795200000\^/),
      "*Day*: Nov 21, 2026",
      "*Local*: Nov 21, 2026, 20:00 (unknown zone)",
      "*Amount*: 12.50 EUR",
      "*Currency*: `EUR`",
      "*Is default*: yes",
      "*Hardware*: CPU model `EPYC` · RAM 64 GB",
      "*Disks*",
      "• Size 480 GB",
    ]);
    expect(lines.join()).not.toMatch(/›|\d{4}-\d{2}-\d{2}T/);
  });

  test.each([
    [["mtime", "startTime", "starttime", "createdat", "created_at", "expiresAt", "ts"], /date\^1795200000\^/],
    [["uptime", "runtime", "float", "heat", "seat", "format", "rate"], /: 1,795,200,000$/],
  ])("takes a figure under one of %j for a time, or for none, by its name", (keys, shown) => {
    for (const key of keys) expect(jsonLines({ [key]: 1_795_200_000 })[0]).toMatch(shown);
  });

  test.each([
    ["primary_ip", "Primary IP", ""],
    ["idempotency_key", "Idempotency key", ""],
    ["vcpus", "vCPUs", ""],
    ["osFamily", "OS family", ""],
    ["ipv6_addresses", "IPv6 addresses", ""],
    ["traffic_in_bytes", "Traffic in", "B"],
    ["cpuPercent", "CPU", "%"],
    ["bytes", "Bytes", ""],
    ["__proto__", "Proto", ""],
    ["constructor_gb", "Constructor", "GB"],
  ])("calls %s %s", (key, label, unit) => {
    expect(labelled(key)).toEqual({ label, unit });
  });
});

describe("the rows of a list beyond the first 2,000", () => {
  const rows = (amount: number) => Array.from({ length: amount }, (_, at) => ({ port: `port ${at}.` }));
  const shownIn = (value: unknown) => wordsIn(jsonBlocks(value)).filter((words) => /^port \d+\.$/.test(words)).length;

  test.each([
    [2_000, 2_000, null],
    [2_001, 2_000, "The platform sent 1 more row. Rackbell does not show it."],
    [9_000, 2_000, "The platform sent 7,000 more rows. Rackbell does not show them."],
  ])("of %i rows are %i shown", (sent, shown, words) => {
    const value = { ports: rows(sent) };
    expect(shownIn(value)).toBe(shown);
    expect(wordsIn(jsonBlocks(value)).filter((one) => one.includes("more row"))).toEqual(words === null ? [] : [words]);
    expect(jsonLines(value).join(" ")).toContain(words ?? `port ${shown - 1}.`);
  });

  test("count over all lists together, at any depth", () => {
    const value = { one: { ports: rows(1_500) }, two: rows(700) };
    expect(shownIn(value)).toBe(2_000);
    expect(wordsIn(jsonBlocks(value)).join(" ")).toContain("200 more rows");
  });

  test("are left out of no chart: a series has a point for each", () => {
    const at = (index: number) => 1_700_000_000 + index * 60;
    const points = Array.from({ length: 5_000 }, (_, index) => ({ at: at(index), cpu_percent: index % 100 }));
    const lists = { at: points.map((point) => point.at), cpu_percent: points.map((point) => point.cpu_percent) };
    for (const value of [{ points }, { history: lists }]) {
      const blocks = jsonBlocks(value);
      expect(blocks.some((block) => block.type === "data_visualization")).toBe(true);
      expect(wordsIn(blocks).join(" ")).not.toContain("more row");
    }
  });
});

function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(wordsIn);
}
