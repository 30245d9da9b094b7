import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { secretVariables } from "../src/app/config.ts";
import { guideForSlack, guidePageOf, guidePages, guideText } from "../src/guide/guide.ts";
import { answerView } from "../src/messages/answer-view.ts";
import { fieldsOf } from "../src/operation/fields.ts";
import { operations, registry } from "../src/operations/index.ts";
import { createMetrics } from "../src/process/metrics.ts";
import { refusedView } from "../src/sandbox/slack/blocks/views.ts";
import { parseCommand } from "../src/slack/command/parse.ts";
import { markdown } from "../src/views/blocks.ts";

const folder = "src/guide";
const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => join(folder, name));
const files = ["README.md", "SECURITY.md", "CHANGELOG.md", ...pages];
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const written = files.filter((file) => !file.endsWith("/commands.md"));

/** The prose of a text: no code and no table, since names and values follow no rules of language. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^(```)[\s\S]*?^\1$/gm, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/`[^`]*`/g, "`code`");
}

test("the README is one page of at most 200 lines", () => {
  expect(texts.get("README.md")?.split("\n").length).toBeLessThanOrEqual(200);
});

test("the guide has the pages that it lists, and no other", () => {
  expect(pages.toSorted()).toEqual(
    [...guidePages.map(({ name }) => name), "commands"].map((name) => `${folder}/${name}.md`).toSorted(),
  );
});

describe.each(guidePages)("the page $name", (page) => {
  test("begins with its title, and fits into one message of Slack", () => {
    expect(guideText(page).startsWith(`# ${page.title}\n`)).toBe(true);
    expect(guideForSlack(page).length).toBeLessThanOrEqual(8_000);
  });

  test("can be shown whole in a modal, which takes no Markdown", () => {
    const message = { text: page.title, blocks: [markdown(guideForSlack(page))] };
    const view = answerView(message, { home: true, channel: null, thread: null });
    expect(refusedView(view, "modal")).toEqual([]);
    expect(JSON.stringify(view)).not.toMatch(/…`*"|would not fit/);
  });

  test("shows no link in Slack that leads nowhere", () => {
    expect(guideForSlack(page)).not.toMatch(/\]\((?!https?:)/);
  });
});

test("no two pages, nouns or topics answer to the same word", () => {
  const words = guidePages.flatMap(({ name, synonyms }) => [name, ...synonyms]);
  expect(words.filter((word, at) => words.indexOf(word) < at)).toEqual([]);
  expect(words.filter((word) => registry.nouns.includes(word) || registry.topics.includes(word))).toEqual([]);
  expect(words.filter((word) => guidePageOf(word) === undefined)).toEqual([]);
});

test("each Slack command that README and guide name is one, with values that it knows", () => {
  const known = `/(?:${registry.nouns.join("|")})\\b`;
  const named = written.flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(new RegExp(`^${known}.*$|\`(${known}[^\`]*)\``, "gm"))].map(
      ([line, inline]) => `${file}: ${inline ?? line}`,
    ),
  );
  expect(named.length).toBeGreaterThan(60);
  const faults = named.flatMap((where) => {
    const [, noun = "", rest = ""] = /: \/(\w+) ?(.*)$/.exec(where) ?? [];
    const parsed = parseCommand(registry, noun, rest.replace(/ ?…$/, ""));
    return "error" in parsed ? [`${where}: ${parsed.error}`] : [];
  });
  expect(faults).toEqual([]);
});

/** The code of the app, without whole-line comments: people never read those. */
const codeOfApp = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|js|json)$/.test(name) && !name.startsWith("sandbox"))
  .map((name) => readFileSync(join("src", name), "utf8").replaceAll(/^\s*(\/\/|\/\*|\*).*$/gm, ""));

/** A button whose label is put together: a story presses it. */
const stories = globSync("test/stories/**/*.ts").map((name) => readFileSync(name, "utf8"));

/** The words of other programs: of Slack and its pages, of GitHub, and of the practice workspace. */
const foreignWords = [
  ...["Create New App", "From a manifest", "Display Information", "App-Level Tokens", "Bot User OAuth Token"],
  ...["See more", "operation_timeout", "Report a vulnerability", "First steps"],
];

/** Each quotation of a text: in quotation marks, in code marks as a value of JSON or as a sentence, and in italics. */
function quotationsIn(text: string): string[] {
  const plain = text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, "");
  const marked = plain.matchAll(/“([^”]+)”|`"([^"`]+)"`|`([A-Z][a-z]+ [a-z][^`]*)`/g);
  const italic = plain.replaceAll(/`[^`]*`/g, "`…`").matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g);
  return [...marked, ...italic].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
}

/** True if the app has the quotation. Values in code marks stand for any. */
function isQuotable(quote: string): boolean {
  const parts = quote.split(/…|`[^`]*`/).map((part) => part.trim());
  const said = (part: string) => codeOfApp.some((code) => code.includes(part));
  // Single words between names are in the code somewhere, in a sentence that no longer is.
  const isSentence = parts.filter(Boolean).length === 1 || parts.some((part) => part.includes(" "));
  return (
    foreignWords.includes(quote) ||
    (isSentence && parts.every(said)) ||
    stories.some((story) => story.includes(`"${quote}"`))
  );
}

test("each answer, button and heading that README and guide quote is one that the code gives", () => {
  const quoted = written.flatMap((file) => quotationsIn(texts.get(file) ?? "").map((quote) => ({ file, quote })));
  expect(quoted.length).toBeGreaterThan(100);
  expect(quoted.filter(({ quote }) => !isQuotable(quote))).toEqual([]);
  const unused = foreignWords.filter((words) => !quoted.some(({ quote }) => quote === words));
  expect(unused).toEqual([]);
});

test.each([
  "`Rackbell was ready`",
  "“It was ready”",
  "“holds `destructive` in `Production`”",
  '`"All was ready"`',
  "Press *Ready now*",
  "*Ready now…*",
])("a stale quotation, %s, is found", (text) => {
  expect(quotationsIn(text)).toHaveLength(1);
  expect(quotationsIn(text).filter(isQuotable)).toEqual([]);
});

test.each(["Dockerfile", "compose.yaml", ...globSync("deploy/*")])("each page that %s names is there", (file) => {
  const named = [...readFileSync(file, "utf8").matchAll(/[\w/.-]+\.md\b|\bREADME\b(?!\.md).*/g)].map(([name]) => name);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});

test("each name=value that the guide names is an input of an operation", () => {
  const inputs = new Set(operations.flatMap(({ input }) => fieldsOf(input).map(({ name }) => name)));
  const known = (name: string) => inputs.has(name) || ["at", "in", "reason", "project", "stop-after"].includes(name);
  const named = written.flatMap((file) =>
    [...proseless(texts.get(file) ?? "").matchAll(/`([a-z][a-z-]*)=[^`]*`/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => !known(name) && !known(camel(name)))).toEqual([]);
});

function proseless(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

test("each button with an ellipsis that README and guide name is there", () => {
  const code = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("sandbox"))
    .map((file) => readFileSync(join("src", file), "utf8"))
    .join("\n");
  const named = written.flatMap((file) =>
    [...(texts.get(file) ?? "").matchAll(/\*([A-Z][^*\n]{1,40}…)\*/g)].map(([, label = ""]) => label),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((label) => !code.includes(`"${label}"`))).toEqual([]);
});

test("each npm script that README and guide name is there", () => {
  const scripts = readScripts();
  const said = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name]) => name ?? ""),
  );
  expect(said).toContain("doctor");
  expect(said.filter((name) => !(name in scripts))).toEqual([]);
});

function readScripts(): Record<string, string> {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  return scripts;
}

test("each file and each heading that README and guide link to is there", () => {
  expect([...texts.values()].flatMap(linksIn).length).toBeGreaterThan(30);
  expect([...texts].flatMap(([file, text]) => deadLinks(file, text).map((to) => `${file}: ${to}`))).toEqual([]);
});

function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, to = ""]) => to);
}

function deadLinks(file: string, text: string): string[] {
  return linksIn(text).filter((to) => {
    const [path = "", anchor] = to.split("#");
    const target = path === "" ? file : join(dirname(file), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
  });
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("each step of the way into Slack by hand says what one should then see", () => {
  const [, way = ""] = (texts.get(`${folder}/install.md`) ?? "").split("## By hand");
  const steps = (way.split("## ")[0] ?? "").split(/^\d+\. /m).slice(1);
  expect(steps.length).toBe(8);
  for (const step of steps) expect(step).toContain("You should now see");
});

test("the page of variables has each variable, and no other", () => {
  const config = readFileSync("src/app/config.ts", "utf8");
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? "");
  const page = texts.get(`${folder}/variables.md`) ?? "";
  const documented = [...page.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)].flatMap(([, names]) =>
    [...(names ?? "").matchAll(/[A-Z_]+/g)].map(([name]) => name),
  );
  expect(read.length).toBeGreaterThan(10);
  expect(documented.toSorted()).toEqual(read.toSorted());
  const [, inFiles = ""] = /^Each of these can be in a file instead: (.*?)\. /m.exec(page) ?? [];
  expect([...inFiles.matchAll(/[A-Z_]+/g)].map(([name]) => name)).toEqual(secretVariables);
});

test("the page of metrics has each with its labels, says when to look, and has no other", () => {
  const served = createMetrics()
    .registry.getMetricsAsArray()
    .filter(({ name }) => name.startsWith("rackbell_"))
    .map((metric) => `${metric.name}${labelsOf(metric)}`);
  const rows = [...(texts.get(`${folder}/metrics.md`) ?? "").matchAll(/^\| `(rackbell_[^`]+)` \| (.*) \|$/gm)];
  expect(served.length).toBeGreaterThan(10);
  expect(rows.map(([, name]) => name).toSorted()).toEqual(served.toSorted());
  for (const [, name, words] of rows) expect(words, name).toMatch(/Look (when|at|under)|Each is a fault/);
});

function labelsOf(metric: object): string {
  const labels = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
  return labels.length === 0 ? "" : `{${labels.join(",")}}`;
}

/** Words that the glossary replaces, in every form that a reader could meet. */
const replaced =
  /\b(ring|rings|rang|news|untold|asker|lapsed|learnt|sweeps?|sightings?|wake-ups?|reading keys?|hand-?over|sell on|sells on|sold on|the record)\b|holds from now|\bis told\b|\bare told\b/i;

test.each(written)("%s is in the words of the glossary, in sentences of at most 30 words", (file) => {
  const prose = proseOf(texts.get(file) ?? "");
  expect(prose.match(replaced)?.[0]).toBeUndefined();
  const sentences = prose
    .split(/\n(?=[-#|\d]|\n)|(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim())
    .filter((sentence) => !sentence.startsWith("|"));
  expect(sentences.filter((sentence) => sentence.split(" ").length > 30)).toEqual([]);
  expect(
    sentences.filter((sentence) => /^(What|Whatever|Whoever|Who|Where)\b/.test(sentence) && !sentence.endsWith("?")),
  ).toEqual([]);
});

test("each promise on the page of what is never done names a test of the file that it links to", () => {
  const rows = (texts.get(`${folder}/never.md`) ?? "")
    .split("\n")
    .filter((line) => /^\| (?!-|Rackbell never)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const [, title = "", path = ""] = row.match(/\| \[([^\]]+)\]\(([^)]+)\) \|$/) ?? [];
    expect(path, row).not.toBe("");
    expect(readFileSync(join(folder, path), "utf8"), row).toContain(`"${title}"`);
  }
});

test("the self-assessment counts its rows right, each requirement once", () => {
  const text = texts.get("SECURITY.md") ?? "";
  const rows = [...text.matchAll(/^\| (OSPS-[A-Z]{2}-\d\d\.\d\d) \| (met|not met|does not apply|not known) \| \S/gm)];
  const amount = (state: string) => rows.filter(([, , own]) => own === state).length;
  expect(new Set(rows.map(([, id]) => id)).size).toBe(65);
  expect(text).toContain(
    `${amount("met")} requirements are met, ${amount("not met")} are not, ${amount("does not apply")} do not apply, and ${amount("not known")} depend`,
  );
});

/** The pages for people who change the code, each with the folders in which the files that it names may be, beside its own. */
const pagesOfCode: Record<string, readonly string[]> = {
  "CONTRIBUTING.md": ["src"],
  "src/README.md": [
    "",
    "src/app",
    "src/process",
    "src/messages",
    "src/members",
    "src/alerts",
    "src/web",
    "src/storage",
    "src/platform",
    "src/requests",
  ],
  "src/DECISIONS.md": [""],
  "src/MANY-WORKSPACES.md": [],
  "src/WORDS.md": [],
  "src/operations/README.md": [
    "",
    "src",
    "src/operation",
    "src/platform",
    "src/platform/http",
    "src/platform/customer",
  ],
  "src/requests/README.md": ["", "src", "src/requests/facets"],
  "src/alerts/README.md": ["", "src"],
  "src/sandbox/README.md": [
    "",
    "src/sandbox/platform",
    "src/sandbox/platform/customer",
    "src/sandbox/platform/reseller",
    "src/sandbox/bench",
  ],
  "test/README.md": ["test/stories", "test", ""],
};

/** Every word of the code and of the settings of its tools. */
const wordsOfCode = new Set(
  ["package.json", ...globSync("{src,test}/**/*.{ts,js}")]
    .filter((file) => !file.endsWith("test/guide.test.ts"))
    .flatMap((file) => readFileSync(file, "utf8").match(/\w+/g) ?? []),
);

describe.each(Object.entries(pagesOfCode))("%s", (page, places) => {
  const text = readFileSync(page, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");

  test("names files and folders that are there", () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+(?:\.(?:ts|js|json|md)|\/))`/g)].flatMap(
      ([, name]) => name ?? [],
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => ![dirname(page), ...places].some((place) => existsSync(join(place, name))))).toEqual(
      [],
    );
  });

  test("names in the code that it mentions without a folder are there", () => {
    const named = [...text.matchAll(/`([A-Za-z]\w*(?:\.\w+)*)(?:\([^`]*\))?`/g)].map(([, name = ""]) => name);
    // A commit's id begins with a letter, too.
    const names = named.filter((name) => !/^[\da-f]{8}$/.test(name) && !/\.(?:ts|js|json|md)$/.test(name));
    expect(names.filter((name) => !name.split(".").every((word) => wordsOfCode.has(word)))).toEqual([]);
  });

  test("links to files and headings that are there", () => {
    expect(deadLinks(page, text)).toEqual([]);
  });

  test("names npm scripts that are there", () => {
    const scripts = Object.keys(readScripts());
    const named = [...text.matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});
