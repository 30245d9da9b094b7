import fc from "fast-check";
import { expect, test } from "vitest";
import { occursIn, splitWords } from "../../../src/members/access/words.ts";

test.each([
  ["FIRING: web-1 is down.", ["web-1"]],
  ["(web-1), 'web-2'; *web-3*!", ["web-1", "web-2", "web-3"]],
  ['up{instance="web-1:9100", job="node"} == 0', ["web-1"]],
  ["<https://web-1.example.test/status|web-1>", ["web-1.example.test", "web-1"]],
  ["<mailto:root@web-1.example.test|root@web-1.example.test>", ["web-1.example.test"]],
  ["192.0.2.4: no route to host", ["192.0.2.4"]],
  ["from 2001:db8::5, port 22", ["2001:db8::5"]],
  ["see /services/7c1f2d3e-0000-4000-8000-00000000000a?tab=1", ["7c1f2d3e-0000-4000-8000-00000000000a"]],
  ["a&amp;b&lt;web-1&gt;", ["web-1"]],
])("the words of %j hold %j", (text, names) => {
  expect(splitWords(text).words).toEqual(expect.arrayContaining(names));
});

test("a name that is no single word is found as it stands, and not within another", () => {
  const { whole } = splitWords("Please look at  Büro\nNord (alt) now");
  expect(occursIn("büro nord", whole)).toBe(true);
  expect(occursIn("Büro Nord (alt)", whole)).toBe(true);
  expect(occursIn("üro Nord", whole)).toBe(false);
  expect(occursIn("Büro Nor d", whole)).toBe(false);
});

test("any text is taken apart, within bounds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.integer({ min: 1, max: 60 }), (text, times) => {
      const { words, whole } = splitWords(text.repeat(times));
      expect(words.length).toBeLessThanOrEqual(1_000);
      expect(whole.length).toBeLessThan(40_000);
      expect(words.every((word) => word.length > 1)).toBe(true);
    }),
  );
});

test("a name is found between any characters that may surround it", () => {
  const around = fc.constantFrom(" ", "\n", "(", "`", "*", '"', "<", "|", ",", ":", "=", "/");
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9-]{1,20}[a-z0-9]$/), around, around, (name, before, after) => {
      expect(splitWords(`so${before}${name}${after}is`).words).toContain(name);
    }),
  );
});

test("a name with blanks is found behind longer words that contain it, however it is written", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "İ", "1", "-"), minLength: 1, maxLength: 3 });
  const blank = fc.constantFrom(" ", "  ", "\n");
  const longer = fc.constantFrom("my# / ", "#9 / ", "so-#_1 / ");
  fc.assert(
    fc.property(word, blank, word, blank, fc.array(longer), (first, blanks, second, others, before) => {
      const name = `${first}${blanks}${second}`;
      const { whole: without } = splitWords(`${before.map((words) => words.replace("#", name)).join("")}.`);
      const { whole } = splitWords(`${without} ${first.toUpperCase()}${others}${second} is down`);
      expect(occursIn(name, whole)).toBe(true);
      expect(occursIn(name, without)).toBe(false);
    }),
  );
});
