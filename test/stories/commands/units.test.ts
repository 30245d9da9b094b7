import { expect, test } from "vitest";
import { readEach } from "../reads.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { said } from "../story.ts";

// Every number that a read shows has its unit, every amount its currency, and a number that names something is no amount.

const faults: [what: string, pattern: RegExp][] = [
  [
    "an amount without its currency",
    /(?<![\w.,/-])\d[\d,]*\.\d{2}(?:\d{2})?(?![\d.])(?! ?(?:[A-Z]{3}\b|%|in the platform's base currency|LTS|\w?i?B\b|\w?bit))/,
  ],
  ["a number that names something with thousands", /\b(?:port|ASN?|VLAN|id|number)s?\b[`*: ]+\d{1,3},\d{3}\b/i],
  ["raw bits or bytes", /\b\d{1,3}(?:,\d{3}){2,}\b(?! ?[A-Z]{3}\b)/],
  ["a rate of what cannot be read", /not readable\/s/],
  ["a wrong article", /\ba (?:[aeio]\w+|SSH|unpaid)\b|\ban (?:[bcdfgjkmnpqrtvwz]\w+|VPS)\b/i],
  ["a count after its noun", /\b\d+ \w+s? more\b/],
];

test("each read of the practice estate gives every figure its unit and every amount its currency", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  story.platform.settings.shapes.payload = 1;
  const found: string[] = [];
  await readEach(story, (command, answer) => {
    // The list of services costs one call, and none of what it answers names the currency of its total.
    const shown = said(answer).replaceAll(/<!date[^>]*>|\*Active amount\*: \S+/g, "");
    for (const [what, pattern] of faults) {
      const [hit] = pattern.exec(shown) ?? [];
      if (hit !== undefined) found.push(`${command} has ${what}: ${hit} in ${shown}`);
    }
  });
  expect(found).toEqual([]);
}, 90_000);
