import { expect, test } from "vitest";
import { ambiguityMessage, matchingChoices, searchChoices } from "../../src/operation/input.ts";

const id = "7d9c4e62-1f0b-4b9a-9f5e-3a1c2b4d5e6f";
const choices = [
  { value: "hourly", label: "By the hour", description: "0.02 EUR" },
  { value: id, label: "Staging", aliases: ["test-area"] },
];

test("a search finds a choice by its label, its description, its aliases and its value, and by a whole id alone", () => {
  const found = (query: string) => searchChoices(choices, query).map(({ label }) => label);
  for (const query of ["hour", "HOURLY", " 0.02"]) expect(found(query), query).toEqual(["By the hour"]);
  for (const query of ["stag", "test-", id]) expect(found(query), query).toEqual(["Staging"]);
  expect(found("7d9c")).toEqual([]);
  expect(found("")).toHaveLength(2);
});

test("the exact value is its own choice, however like it another one looks, unless another one is called the same", () => {
  const alike = ["backup  1", "backup 1", "Backup 1"].map((value) => ({ value, label: `Of ${value}` }));
  for (const one of alike) expect(matchingChoices(one.value, alike), one.value).toEqual([one]);
  const named = { value: "other", label: "backup 1" };
  expect(matchingChoices("backup 1", [...alike, named])).toContain(named);
});

test("choices that look the same are found together by the name that is shown, and the question names their ids", () => {
  const other = id.replace(/^7d9c/, "a1b2");
  const twins = [
    { value: id, label: "base-2026" },
    { value: other, label: "base\u034f-2026\u200b" },
  ];
  for (const typed of ["base-2026", "BASE-2026", "base-"]) expect(matchingChoices(typed, twins), typed).toEqual(twins);
  expect(ambiguityMessage("base-2026", twins)).toContain("(id 7d9c4e62…) or base");
  expect(ambiguityMessage("base-2026", twins)).toContain("(id a1b24e62…)");
});
