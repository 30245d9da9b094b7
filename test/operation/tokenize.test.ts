import fc from "fast-check";
import { expect, test } from "vitest";
import { pairIn, quoted, tokenize } from "../../src/operation/tokenize.ts";

const wild = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."ab =:,-\"'`“”„«»‘’\\—–\n\u00a0") }),
);

function wordsIn(text: string) {
  return tokenize(text).tokens.map(({ text }) => text);
}

test("any words that are quoted come back as the same words", () => {
  fc.assert(
    fc.property(fc.array(wild), (words) => {
      expect(wordsIn(words.map(quoted).join(" "))).toEqual(words);
    }),
    { numRuns: 1_000 },
  );
});

test("any value that is quoted behind a name comes back as the same value", () => {
  fc.assert(
    fc.property(wild, (value) => {
      const { tokens, unterminated } = tokenize(`name=${quoted(value)}`);
      expect(tokens.map(pairIn)).toEqual([{ name: "name", value }]);
      expect(unterminated).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test("each word remembers how it was typed, so that any text can be read again to the same words", () => {
  fc.assert(
    fc.property(wild, (text) => {
      const once = tokenize(text);
      expect(tokenize(once.tokens.map(({ typed }) => typed).join(" "))).toEqual(once);
    }),
    { numRuns: 1_000 },
  );
});

test("a name in a list may be quoted, with a blank or a comma in it", () => {
  const { tokens } = tokenize(`web-1,"web 2",'web 3', "a,b" ${quoted("c,d")}`, /[\s,]/);
  expect(tokens.map(({ text }) => text)).toEqual(["web-1", "web 2", "web 3", "a,b", "c,d"]);
});

test("dashes before a name are no part of it, also where a phone joined them", () => {
  for (const dashes of ["-", "--", "–", "—"])
    expect(tokenize(`${dashes}Name=x`).tokens.map(pairIn)).toEqual([{ name: "name", value: "x" }]);
});

test("a block of code is one word without the blanks at its ends, as a name or as a value, and a mark of it inside quotes stays", () => {
  for (const pasted of ["```web-1```", "```\nweb-1\n```", "``` web-1 ```"]) {
    expect(wordsIn(`show ${pasted}`)).toEqual(["show", "web-1"]);
    expect(tokenize(`name=${pasted} x`).tokens.map(pairIn)).toEqual([{ name: "name", value: "web-1" }, null]);
  }
  expect(wordsIn('"a```b"')).toEqual(["a```b"]);
  expect(tokenize("```web-1").unterminated).toBe(true);
});
