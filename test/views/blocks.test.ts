import fc from "fast-check";
import { expect, test } from "vitest";
import { lengthOf, refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import {
  actions,
  type Block,
  button,
  confirmation,
  context,
  facts,
  header,
  paragraphs,
  section,
} from "../../src/views/blocks.ts";
import { fitted } from "../../src/views/fit.ts";
import { limits } from "../../src/views/limits.ts";
import { code, prose } from "../../src/views/text.ts";

const wild = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 200 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 4_000 }) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "`".repeat(10_000), "&".repeat(10_000), "🚀".repeat(5_000)) },
);

const block: fc.Arbitrary<Block[]> = fc.oneof(
  wild.map((text) => [section(code(text))]),
  wild.map((text) => [section(prose(text, 10_000), button(text || "x", "a", "v"))]),
  wild.map((text) => [context(prose(text), code(text))]),
  wild.map((text) => [header(text || "x")]),
  fc.array(wild, { maxLength: 12 }).map((all) => facts(all.map((text) => ({ label: "Name", value: code(text, 500) })))),
  fc.array(wild, { maxLength: 30 }).map((all) => paragraphs(all.map((text) => prose(text)))),
  wild.map((text) => actions([button("Go", "go", "v", { confirm: confirmation(dialog(text || "x")) })])),
);

function dialog(text: string) {
  return { title: text, text, confirm: text, deny: text, style: "danger" } as const;
}

test("Slack accepts every message, whatever names it is built from", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 60 }), wild, (blocks, text) => {
      const message = fitted({ text: prose(text, 10_000), blocks: blocks.flat() });
      expect(refusedBlocks(message.blocks)).toEqual([]);
      expect(message.blocks.length).toBeLessThanOrEqual(limits.message.blocks);
      expect(lengthOf(message.blocks)).toBeLessThanOrEqual(13_000);
      expect(message.text.length).toBeLessThanOrEqual(limits.message.text);
    }),
    { numRuns: 150 },
  );
});

test("a message says how many parts were left out, and keeps the buttons at its end", () => {
  const rows = Array.from({ length: 80 }, (_, at) => section(`row ${at}`));
  const { blocks } = fitted({ text: "rows", blocks: [...rows, ...actions([button("Approve", "a", "v")])] });
  expect(blocks).toHaveLength(50);
  expect(JSON.stringify(blocks.at(-2))).toContain("32 more parts of this answer");
  expect(JSON.stringify(blocks.at(-1))).toContain("Approve");
});

test("a message that fits is left as it is", () => {
  const blocks = [section("a"), context("b"), ...actions([button("c", "a", "v")])];
  expect(fitted({ text: "a", blocks })).toEqual({ text: "a", blocks });
});
