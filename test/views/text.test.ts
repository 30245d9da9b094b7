import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { characters } from "../../src/process/plain-text.ts";
import { preformatted } from "../../src/views/preformatted.ts";
import {
  asShown,
  clip,
  clipMarkup,
  code,
  intoParts,
  listing,
  listingOf,
  oneLine,
  prose,
  reasonWords,
  unmarked,
  withArticle,
} from "../../src/views/text.ts";
import { valueWords } from "../../src/views/values.ts";

const wild = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(..."<>&`*_~!@#|:a \n-"), maxLength: 60 }),
);

test("a long text is parted where a sentence, a line or an item ends, never within code or a date, and loses nothing", () => {
  const items = fc.constantFrom(
    "It ends. ",
    "`a, b. c`, ",
    "<!date^1^{date}, {time}|May 1, 10:00>, ",
    "• one\n",
    "x · ",
  );
  fc.assert(
    fc.property(fc.array(items, { maxLength: 60 }), (all) => {
      const text = all.join("").trim();
      const parts = intoParts(text, 60);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(60);
        expect(part.match(/`/g)?.length ?? 0).toSatisfy((ticks: number) => ticks % 2 === 0);
        expect(part.lastIndexOf("<")).toBeLessThanOrEqual(part.lastIndexOf(">"));
      }
      expect(parts.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
    }),
  );
});

describe("text of the platform's", () => {
  test("can neither mention, link, format, quote nor make an emoji, as prose", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const shown = prose(text);
        expect(shown).not.toMatch(/[<>`\n]/);
        expect(shown).not.toMatch(/&(?!amp;|lt;|gt;)/);
        expect(shown).not.toMatch(/(^|[^\p{L}\p{N}])[*_~]/u);
        expect(shown).not.toMatch(/[*_~]([^\p{L}\p{N}]|$)/u);
        expect(shown).not.toMatch(/^&gt;/);
        expect(shown).not.toMatch(/(^|\s):[a-z0-9_+'-]+:/i);
      }),
      { numRuns: 500 },
    );
  });

  test("is inline code that nothing in it can end", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const shown = code(text);
        expect(shown.match(/`/g)).toHaveLength(2);
        expect(shown).toMatch(/^`[^\s].*`$/u);
        expect(shown.length).toBeLessThanOrEqual(502);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["legacy_import", "legacy_import"],
    ["net_rx_bytes = 3*4", "net_rx_bytes = 3*4"],
    ["2001:db8:100::5", "2001:db8:100::5"],
    ["at 10:30:45", "at 10:30:45"],
    ["*bold* and _slanted_", "∗bold∗ and ＿slanted＿"],
    ["> quoted", "› quoted"],
    [":fire: now", "∶fire: now"],
    ["a & <b>", "a &amp; &lt;b&gt;"],
  ])("%j reads %j: what is no mark can be copied", (text, shown) => {
    expect(prose(text)).toBe(shown);
  });

  test.each(["", " ", "\u200b", "\u3164", "\u202e\u2066", "\ud800"])("%j is no name, no text and no reason", (text) => {
    expect(oneLine(text)).toBe("(no name)");
    expect(code(text)).toBe("`(no name)`");
    expect(prose(text)).toBe("(no text)");
    expect(reasonWords(text)).toBe("the platform gave no reason.");
    expect(valueWords("note", text)).toBe("empty");
  });
});

test.each(["ad", "34f", "17b4", "180b", "200b", "2065", "2800", "fe0f", "fff0", "e0100"])(
  "U+%s, which nobody sees, is in no name and in no file that is shown",
  (point) => {
    const unseen = String.fromCodePoint(Number.parseInt(point, 16));
    expect(oneLine(`web-1${unseen}`)).toBe("web-1");
    expect(oneLine(`${unseen}a ${unseen} ${unseen} b`)).toBe("a b");
    // The blank of Braille keeps its place in a drawing of a console.
    if (point !== "2800") expect(JSON.stringify(preformatted(`x${unseen}y`))).toContain("xy");
  },
);

test("a name that was copied from a message, wherever it is shown, is compared as the one that was shown", () => {
  const invisible = fc.string({ unit: fc.constantFrom(..."web1*_~:>` \u00a0\u200b\u2800\u034fé-"), maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(wild, invisible), (name) => {
      for (const shown of [unmarked(code(name, 1_000)), characters(oneLine(name))])
        expect(asShown(shown)).toBe(asShown(name));
      if (asShown(name, "") !== "") expect(asShown(unmarked(prose(name, 1_000)))).toBe(asShown(name));
    }),
    { numRuns: 500 },
  );
});

describe("cutting", () => {
  test("keeps whole characters and to the length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        expect(clip(text, most).length).toBeLessThanOrEqual(most);
        expect(clip(text, most).isWellFormed()).toBe(true);
      }),
    );
  });

  test("mrkdwn is never cut within a date, a mention, an escape or code", () => {
    const part = fc.constantFrom("<!date^1^{date} {time}|soon>", "<@U0123>", "&lt;", "`code of it`", "word ", "&amp;");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 3, max: 120 }), (parts, most) => {
        const cut = clipMarkup(parts.join(""), most);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
        expect(cut).not.toMatch(/&(?!amp;|lt;)/);
        expect((cut.match(/`/g) ?? []).length % 2).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe("mrkdwn as plain text", () => {
  test("has no mark of its own, and its times in words", () => {
    expect(unmarked(":x: *`a &amp; b`* ends <!date^1^{date}|2026-11-21 01:00 UTC>")).toBe(
      "a & b ends 2026-11-21 01:00 UTC",
    );
    expect(unmarked(":warning: *2 VPSes*: :lock: <@U1> · *`x`*, `cut off")).toBe("2 VPSes: <@U1> · x, cut off");
  });

  test.each(["2001:db8::beef:1", "fd00::face:b00c:1", "web*-2", "db :old: 1", "/logs/*.gz", "*.example.com"])(
    "shows %j as code character by character, and as prose with an address whole",
    (text) => {
      expect(unmarked(`:key: *${code(text)}*`)).toBe(text);
      expect(unmarked(prose(text)).replaceAll("∗", "*").replaceAll("∶", ":")).toBe(text);
    },
  );

  test("loses no character of foreign text: a name, an address or a value of a decision is the one that runs", () => {
    const plain = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    const address = fc.ipV6();
    fc.assert(
      fc.property(fc.oneof(wild, address), fc.oneof(wild, address), (one, other) => {
        const shown = [code(one, 1_000), prose(other, 1_000)];
        const whole = characters(oneLine(one)).replaceAll("`", "ˋ");
        expect(unmarked(`:x: *${shown.join("* · ")} <!date^1^{date}|soon>`)).toBe(
          `${whole} · ${plain(prose(other, 1_000))} soon`,
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

test("listing", () => {
  expect(listing([])).toBe("");
  expect(listing(["a", "b", "c"], "or")).toBe("a, b or c");
});

test("a long listing names the first and counts the others", () => {
  expect(listingOf([], 2)).toBe("");
  expect(listingOf(["a", "b"], 2)).toBe("a and b");
  expect(listingOf(["a", "b", "c"], 2)).toBe("a, b and 1 more");
  expect(listingOf(["a", "b", "c"], 2, "other")).toBe("a, b and 1 other");
  expect(listingOf(["a", "b", "c", "d"], 2, "other")).toBe("a, b and 2 others");
});

test("each kind of resource has the article that its name is spoken with", () => {
  const labels = new Set(operations.flatMap(({ target }) => (target ? [target.label] : [])));
  expect([...labels].map(withArticle).sort()).toMatchInlineSnapshot(`
    [
      "a VPS",
      "a captured image",
      "a customer",
      "a dedicated server",
      "a game server",
      "a payment method",
      "a product",
      "a product to resell",
      "a project",
      "a reseller order",
      "a resold game server",
      "a resold service",
      "a service",
      "an SSH key",
      "an image",
      "an invoice or proforma",
      "an order",
    ]
  `);
  expect(["SSH key", "VPS", "invoice", "`image`", "unit", "unpaid document", "user"].map(withArticle)).toEqual([
    ...["an SSH key", "a VPS", "an invoice", "an `image`", "a unit", "an unpaid document", "a user"],
  ]);
});
