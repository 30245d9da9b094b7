import fc from "fast-check";
import { expect, test } from "vitest";
import type { Secret } from "../../src/operation/answer.ts";
import { refusedView } from "../../src/sandbox/slack/blocks/views.ts";
import { revealView } from "../../src/slack/reveal.ts";
import type { View } from "../../src/views/blocks.ts";

const pem = `-----BEGIN PRIVATE KEY-----\n${`${"A&<".repeat(21)}B\n`.repeat(50)}-----END PRIVATE KEY-----\n`;

function view(...secrets: Secret[]): View {
  return revealView("s1", { title: "The secrets of web-1", secrets });
}

/** The values as a member copies them out of the code blocks, one after the other. */
function copied({ blocks }: View): string {
  const texts = blocks.flatMap((block) => (block.type === "section" ? [block.text?.text ?? ""] : []));
  const escaped = texts.flatMap((text) => /```(.*)```$/s.exec(text)?.[1] ?? []).join("");
  return escaped.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

test("a key of any length can be copied whole, in parts that end with a line", () => {
  const shown = view({ label: "Private key", value: pem });
  expect(copied(shown)).toBe(pem);
  expect(shown).toHaveProperty("submit");
  expect(JSON.stringify(shown.blocks)).toMatch(/Private key, part 1 of \d/);
  expect(refusedView(shown, "modal")).toEqual([]);
});

test("no character of any secret is cut away, however much of it Slack has to escape", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("&", "<", "a", "\n", "🚀", "``"), maxLength: 9_000 }), (value) => {
      const shown = view({ label: "password", value });
      expect(copied(shown)).toBe(value);
      expect(refusedView(shown, "modal")).toEqual([]);
    }),
  );
});

test.each([
  ["many short ones", 120, 20],
  ["a few that are too long together", 30, 6_000],
])(
  "if not all secrets fit (%s), the window opens, names the missing ones, and offers to erase nothing",
  (_, count, length) => {
    const secrets = Array.from({ length: count }, (_, at) => ({
      label: `Password ${at + 1}`,
      value: "x".repeat(length),
    }));
    const shown = view(...secrets);
    expect(shown).not.toHaveProperty("submit");
    expect(refusedView(shown, "modal")).toEqual([]);
    expect(shown.blocks.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(shown.blocks.at(-1))).toContain(`Password ${count}`);
  },
);
