import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The acts that a consequence names, as if they were done or under way. */
const asIfDone =
  /(^|[.:,] )This [a-z]+s |\b(is|are) (\w+ )?(erased|deleted|destroyed|overwritten|terminated|removed|rebuilt|registered|lost)\b/;

test("the consequence of an act that nobody has confirmed yet speaks of the future", () => {
  const wrong = globSync("src/operations/**/*.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:consequence:|each: \([^)]*\) =>)\s*([`"][^\n]*)/g)]
      .map(([, words = ""]) => words.slice(1).replace(/until it is \w+/g, ""))
      .filter((words) => asIfDone.test(words))
      .map((words) => `${path}: ${words}`),
  );
  expect(wrong).toEqual([]);
});
