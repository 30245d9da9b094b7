import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { synonymsOf, topicOf } from "../../src/operation/registry.ts";
import { operations, registry } from "../../src/operations/index.ts";

// One act has one name: in its command, on the buttons that lead to it, and in texts.

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("sandbox"))
  .map((name) => ({ name, text: readFileSync(join("src", name), "utf8") }));
const labels = sources.flatMap(({ text }) =>
  [...text.matchAll(/label: "([^"]+)",\s*command: "([^"]+)"/g)].map(([, label = "", command = ""]) => ({
    label,
    command,
  })),
);

/** The words of a text without their endings, so that "Buy", "Add-ons" and "Keys" are found. */
function stemsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.slice(0, 4));
}

test("a button has a word of its command, of the command's phrase, or of a synonym", () => {
  const acts = operations.filter(({ api, risk }) => api !== "app" && risk !== "read");
  const known = new Map(
    acts.map((operation) => {
      const { command, verb } = operation;
      return [command, stemsOf([command, verb, ...synonymsOf(operation).map(({ words }) => words)].join(" "))];
    }),
  );
  const leading = labels.filter(({ command }) => known.has(command));
  expect(leading.length).toBeGreaterThan(40);
  const foreign = leading.filter(({ label, command }) => {
    const words = stemsOf(label);
    return words.every((word) => !known.get(command)?.includes(word));
  });
  expect(foreign.map(({ label, command }) => `${label}: ${command}`)).toEqual([]);
});

/** The commands that buttons, next steps and offers name in a source. The rows of the game module leave `reseller game` out. */
function commandsIn({ name, text }: { name: string; text: string }): string[] {
  const whole = [...text.matchAll(/\b(?:command|open|backupFirst): "([a-z][^"]+)"/g)].map(
    ([, command = ""]) => command,
  );
  if (!name.startsWith(join("operations", "reseller", "game"))) return whole;
  const rows = [...text.matchAll(/(?:\bnext: |: Buttons = )\{([^{}]+)\}/g)].flatMap(([, row = ""]) => [
    ...row.matchAll(/: "([^"]+)"/g),
  ]);
  return [...whole, ...rows.map(([, verb]) => `reseller game ${verb}`)];
}

test("each command that a button or an offer names is there", () => {
  const { find } = registry;
  // The words of slack/ for an act of a member are no commands.
  const naming = sources.filter(({ name }) => !name.startsWith("slack"));
  const named = naming.flatMap((source) => commandsIn(source).map((command) => ({ command, in: source.name })));
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter(({ command }) => !find(command))).toEqual([]);
});

test("a kind of target is reached by the commands of one noun", () => {
  const kinds = Map.groupBy(
    operations.flatMap(({ command, target }) => (target ? { topic: topicOf({ command }), label: target.label } : [])),
    ({ label }) => label,
  );
  expect(kinds.size).toBeGreaterThan(10);
  for (const [label, those] of kinds)
    expect([label, new Set(those.map(({ topic }) => topic)).size]).toEqual([label, 1]);
});

test("each command to which the code leads is one: a button of another word is left out without a sound", () => {
  const leading = sources.filter(({ name }) => /^(operations|alerts|requests|commands|messages|members)\//.test(name));
  const named = leading.flatMap(({ text }) =>
    [...text.matchAll(/\bcommand: "([a-z-]+(?: [a-z-]+)+)"/g)].map(([, command = ""]) => command),
  );
  expect(named.length).toBeGreaterThan(300);
  expect(named.filter((command) => registry.find(command)?.command !== command)).toEqual([]);
});
