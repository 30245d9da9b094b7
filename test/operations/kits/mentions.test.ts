import { expect, test } from "vitest";
import { mentions, namesIn } from "../../../src/operations/kits/mentions.ts";

test.each([
  ["VPS S to VPS M plus", ["VPS M plus"]],
  ["Change to VPS M.", ["VPS M"]],
  ["VPS M plus, 12 days; VPS M (not used)", ["VPS M", "VPS M plus"]],
  ["VPS M+ for a.VPS M", []],
  ["VPS M extra", []],
])("of names that begin alike, “%s” has only %j, since another may follow that nobody lists", (text, names) => {
  expect([...namesIn([{ items: [text] }, 1, null], ["VPS M", "VPS M plus", ""])].sort()).toEqual(names);
});

test("a name is found as a whole word, wherever the value has it", () => {
  expect(mentions({ lines: ["Renewal of web-1"] }, ["web-1"])).toBe(true);
  expect(mentions({ lines: ["Renewal of web-1.example.test"] }, ["web-1", null])).toBe(false);
  expect(mentions({ lines: ["Renewal of 𝒳web-1"] }, ["web-1"])).toBe(false);
});

test("a name of any length is found", () => {
  const name = "long (and) ".repeat(20_000).trim();
  expect(mentions([`Renewal of ${name}`], [name])).toBe(true);
  expect(mentions([`Renewal of ${name}s`, "Renewal of web-1"], [name])).toBe(false);
  expect([...namesIn([`Change to ${name}, 12 days`, `${name} plus`], [name, "VPS M"])]).toEqual([name]);
  expect([...namesIn([`${name} plus`], [name])]).toEqual([]);
});
