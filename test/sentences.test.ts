import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldsOf } from "../src/operation/fields.ts";
import { usageOf } from "../src/operation/usage.ts";
import { operations } from "../src/operations/index.ts";
import { asMachines, longestIn, faultsOf as wordFaultsOf } from "./texts.ts";

/** The fault of a sentence for people with the words that have it, or null. `…${x}…` stands for inserted values. */
function faultOf(text: string): string | null {
  const faults: [string, RegExp][] = [
    ["an article twice", /\b(a|an|the) (a|an|the)\b/i],
    [
      "a plural whatever the number",
      /\$\{[\w.]*(length|left|pages|rest)\} (more )?(VPSes|(?!is\b|was\b|has\b)[a-z]+s)\b/,
    ],
    ["a time for machines", /\d{4}-\d{2}-\d{2}T\d{2}:/],
    ["a path", / › /],
  ];
  for (const [fault, pattern] of faults) {
    const [words] = pattern.exec(text) ?? [];
    if (words !== undefined) return `${fault} (“${words}”)`;
  }
  return null;
}

/** Every sentence of the catalogue: summaries, usages, verbs, labels and hints. */
const catalogue = operations.flatMap((operation) => [
  operation.summary,
  usageOf(operation),
  operation.verb,
  ...fieldsOf(operation.input).flatMap(({ label, hint }) => [label, hint ?? ""]),
]);

/** Every text in the source that has a blank in it, so that it may be read by somebody. */
function textsIn(code: string): string[] {
  // A slot is the stored name of a message, which nobody reads.
  const bare = code.replaceAll(/^\s*(\/\/|\*|\/\*).*$|\bslot: `[^`]*`/gm, "");
  return [...bare.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, plain, template]) => plain ?? template ?? "")
    .filter((text) => text.includes(" "));
}

/** A text of the source as it is read: each inserted value is one word. */
function asRead(text: string): string {
  return text
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "X")
    .replaceAll(/\\n/g, "\n")
    .replaceAll(/\\(["`])/g, "$1");
}

/** A page of Markdown without its code blocks and comments; each cell of a table is a text of its own. */
function proseOf(page: string): string[] {
  const lines = page.replaceAll(/^```[\s\S]*?^```$|<!--.*?-->/gm, "").split("\n");
  return lines.flatMap((line) => (line.startsWith("|") ? line.split("|") : [line]));
}

const pages = ["src", "test", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"].flatMap((name) =>
  name.endsWith(".md")
    ? [name]
    : readdirSync(name, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".md"))
        .map((file) => join(name, file)),
);

/** Texts of the practice sides that a program reads, and names that the store and its statements have. */
const machine = /^src\/(sandbox\/(bench|slack|platform)|storage)\//;

test("every text that is written somewhere is in plain words, and in sentences of at most thirty", () => {
  const code = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name))
    .filter((name) => /\.(ts|js)$/.test(name) && !machine.test(name));
  const texts = [
    ...catalogue.map((text) => ({ of: "the catalogue", text })),
    ...pages.flatMap((name) => proseOf(readFileSync(name, "utf8")).map((text) => ({ of: name, text }))),
    ...code.flatMap((name) =>
      textsIn(readFileSync(name, "utf8")).map((text) => ({ of: name, text: asRead(text), isCode: true })),
    ),
    ...textsIn(readFileSync("manifest.json", "utf8")).map((text) => ({ of: "manifest.json", text })),
  ];
  expect(texts.length).toBeGreaterThan(4_000);
  // Names of variables and of columns stand in code as they are; in a message, the stories find them.
  const found = texts.flatMap(({ of, text, ...rest }) =>
    wordFaultsOf(text)
      .filter((fault) => !("isCode" in rest) || !fault.startsWith(asMachines))
      .map((fault) => `${of}: ${fault}`),
  );
  expect(found).toEqual([]);
  const longest = longestIn(
    texts.map(({ text }) => text),
    10,
  );
  process.stdout.write(`The longest sentences of ${texts.length} texts:\n${longest.join("\n")}\n`);
});

test.each([
  ["The alert rings twice.", "the word “rings”"],
  ["Ana is told at once.", "is told"],
  ["What is lost comes back.", "names nobody"],
  ["Its id is 7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11.", "an id in place of a name"],
  ["It is provisioning_failed.", asMachines],
  ["There are 1 VPSes.", "a plural of one"],
  ["2 delivery were refused.", "a singular of many"],
  [`${"word ".repeat(31)}.`, "31 words"],
])("“%s” would be found", (text, fault) => {
  expect(wordFaultsOf(text).join()).toContain(fault);
});

test.each(["`provisioning_failed`", "What is lost?", "> the asker rings", "<@U1> has 1 VPS and 2 deliveries."])(
  "“%s” would not",
  (text) => {
    expect(wordFaultsOf(text)).toEqual([]);
  },
);

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("sandbox") && !name.startsWith("doctor"))
  .map((name) => join("src", name));

/** The first lines of comments that begin with a word that names nobody: such a sentence hides its actor. A question may. */
function namelessIn(code: string): string[] {
  const starts = /(?:^[ \t]*\/\*\*?\s*(?:\*[ \t]+)?|(?<!^[ \t]*\/\/.*\n)^[ \t]*\/\/[ \t]*)(\S.*)$/gm;
  return [...code.matchAll(starts)]
    .map(([, first = ""]) => first)
    .filter((first) => /^(What|Whatever|Whether|Who|Whoever|Where)\b/.test(first) && !first.includes("?"));
}

test("every comment begins with its actor or its thing", () => {
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const code = files.filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith("sentences.test.ts"));
  expect(code.length).toBeGreaterThan(1_000);
  const found = code.flatMap((name) => namelessIn(readFileSync(name, "utf8")).map((first) => `${name}: ${first}`));
  expect(found, "comments that begin with What, Whether, Who or Where").toEqual([]);
  expect(namelessIn("  /** What it does. */\n// Whether it is so.\n/**\n * Where it lies.\n */")).toHaveLength(3);
  expect(namelessIn("// The app\n// Where it goes on.\n/** Who pressed? */")).toEqual([]);
});

/** The names of tests that begin with a word that names nobody: a failure would not say what the user lacks. A question may. */
function namelessTestsIn(code: string): string[] {
  const names = /\(\s*(["`])((?:What|Whatever|Whether|Who|Whoever|Where) (?:(?!\1).)*)\1,\s*(?:\{|async\b|\(|\w+ =>)/gi;
  return [...code.matchAll(names)].map(([, , name = ""]) => name).filter((name) => !name.endsWith("?"));
}

test("the name of every test begins with its actor or its thing", () => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((name) => join("test", name))
    .filter((name) => name.endsWith(".ts") && !name.endsWith("sentences.test.ts"));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((name) =>
    namelessTestsIn(readFileSync(name, "utf8")).map((nameless) => `${name}: ${nameless}`),
  );
  expect(found, "names that begin with What, Whether, Who or Where").toEqual([]);
  const wrong = ['test("what is kept stays", () => {', 'describe("where it is", { retry: 1 }, () => {'];
  const each = '])(\n  "who asks for %s reads it",\n  async (typed) => {';
  expect(namelessTestsIn([...wrong, each].join("\n"))).toHaveLength(3);
  expect(namelessTestsIn('test("a VPS stops", () => {\ntest("who pressed?", () => {\nsay("what", ana)')).toEqual([]);
});

describe("a text for people", () => {
  test("in the catalogue has no plural whatever the number, no doubled article, no time for machines and no path", () => {
    expect(catalogue.flatMap((text) => (faultOf(text) ? [`${faultOf(text)}: ${text}`] : []))).toEqual([]);
  });

  test("in the source has none of these either", () => {
    const faults = sources.flatMap((name) =>
      textsIn(readFileSync(name, "utf8")).flatMap((text) =>
        faultOf(text) ? [`${name}: ${faultOf(text)}: ${text}`] : [],
      ),
    );
    expect(faults).toEqual([]);
  });

  test.each([
    "Give the a name.",
    "It ends 2026-11-28T00:00:00Z.",
    "items › 1 › description",
    ["$", "{left} more projects do not fit."].join(""),
  ])("%s would be found", (text) => {
    expect(faultOf(text)).not.toBeNull();
  });

  test.each(["11 servers", "a server at the address"])("%s would not", (text) => {
    expect(faultOf(text)).toBeNull();
  });
});

test("the fault of an input is plain text: Slack shows its code marks as they are under a field", () => {
  const faults = sources.flatMap((name) =>
    [...readFileSync(name, "utf8").matchAll(/wrongInput\(\s*"[^"]*",\s*"[^"]*`[^"]*"/g)].map(
      ([call]) => `${name}: ${call}`,
    ),
  );
  expect(faults).toEqual([]);
});
