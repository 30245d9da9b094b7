import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";

// One act has one name: in its command, on the buttons that lead to it, and in texts.

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const labels = files.flatMap((name) =>
  [...readFileSync(join("src", name), "utf8").matchAll(/label: "([^"]+)",\s*command: "([^"]+)"/g)].map(
    ([, label = "", command = ""]) => ({ label, command }),
  ),
);

/** The words of a text without their endings, so that "Buy", "Add-ons" and "Keys" are found. */
function stemsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.slice(0, 4));
}

test("a button has a word of its command, of the command's phrase, or of a synonym", () => {
  const acts = operations.filter(({ api, risk }) => api !== "app" && risk !== "read");
  const known = new Map(
    acts.map(({ command, verb, synonyms = [] }) => [command, stemsOf([command, verb, ...synonyms].join(" "))]),
  );
  const leading = labels.filter(({ command }) => known.has(command));
  expect(leading.length).toBeGreaterThan(40);
  const foreign = leading.filter(({ label, command }) => {
    const words = stemsOf(label);
    return words.every((word) => !known.get(command)?.includes(word));
  });
  expect(foreign.map(({ label, command }) => `${label}: ${command}`)).toEqual([]);
});
