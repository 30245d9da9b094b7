import { existsSync, readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesIn, writeTree } from "./source-tree.ts";

/** The rooms of the house from its top floor down, as the newcomer's page lists them: a room may use those below it, types included. */
const floors = [...readFileSync("src/README.md", "utf8").matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room = ""]) => room);

/** The files beside the rooms, which are ways in: people start them by name. */
const entries = ["start.js", "bundle.ts"];

/** The sandbox's own ways in: they start the real app. */
const sandboxEntry = /^sandbox\/(demo|bench[^/]*)(\/|\.ts$)/;

/** The bench passes secrets to its processes by the environment: other users can read a command line. */
const readsSettings =
  /^(app\/(config|main)\.ts|app\/(doctor|setup)\/run\.ts|app\/tools\/store\.ts|sandbox\/bench\/.*)$/;

const never: { what: string; from: RegExp; to: RegExp; unless?: RegExp }[] = [
  { what: "nothing outside sandbox/ knows it", from: /^(?!sandbox\/)/, to: /^sandbox\// },
  {
    what: "sandbox/ shares nothing with the app, so that both cannot be wrong together",
    from: /^sandbox\//,
    to: /^(?!sandbox\/|views\/limits\.ts$|process\/clock\.ts$)/,
    unless: sandboxEntry,
  },
  {
    what: "views/ has no clock, no log and no listener",
    from: /^views\//,
    to: /^process\/(?!(own-value|plain-text|secret-parts)\.ts$)/,
  },
  { what: "only start.js knows main.ts", from: /^(?!start\.js$)/, to: /^app\/main\.ts$/ },
  {
    what: "only main.ts and the sandbox's entries know app.ts",
    from: /^(?!app\/main\.ts$|sandbox\/)/,
    to: /^app\/app\.ts$/,
  },
];

const packages: { what: string; from: RegExp; to: RegExp; types: boolean }[] = [
  { what: "platform/ and storage/ know nothing of Slack", from: /^(platform|storage)\//, to: /^@slack\//, types: true },
  {
    what: "views/ touches no network, storage or process",
    from: /^views\//,
    to: /^(node:(?!util$)|undici|ws$|@redis\/|pino|@slack\/(?!types$))/,
    types: false,
  },
  // The bench measures against a bare Bolt app, which it must make.
  {
    what: "sandbox/ speaks Slack's protocol itself",
    from: /^sandbox\/(?!bench\/)/,
    to: /^@slack\/(?!types$)/,
    types: false,
  },
  {
    what: "a schema of the app is made when it is first used, as #zod does",
    from: /^(?!sandbox\/|process\/zod\.ts$)/,
    to: /^zod$/,
    types: true,
  },
];

const vagueName = /^(utils?|helpers?|types|schemas|misc|common)$/;

/** Every breach of the house's rules in the tree under `root`, as a sentence each. */
function faultsIn(root: string): string[] {
  return sourcesIn(root).flatMap((name) => {
    const code = readFileSync(join(root, name), "utf8");
    const written = withoutComments(code);
    const running = name.endsWith(".ts") ? stripTypeScriptTypes(written) : written;
    return [
      ...headerFaults(name, code),
      ...importFaults(root, name, importsOf(running), importsOf(written)),
      ...(readsEnvironment(running) && !readsSettings.test(name)
        ? [`${name} reads the environment: only app/config.ts does`]
        : []),
      ...(/\bDate\.now\b|\bnew Date\(\)/.test(running) && name !== "process/clock.ts" && !name.startsWith("sandbox/")
        ? [`${name} reads the machine's clock: only process/clock.ts does`]
        : []),
      ...(/^export default\b|^export \{[^}]*\bas default\b/m.test(running) ? [`${name} has a default export`] : []),
      ...(name.split("/").some((part) => vagueName.test(part.replace(/\.\w+$/, "")))
        ? [`${name} has a name that says nothing`]
        : []),
    ];
  });
}

/** The first line of a file may say what lives in its folder: then it names that folder. */
function headerFaults(name: string, code: string): string[] {
  const [, folder] = /^\/\/ ([\w/-]+)\/: /.exec(code) ?? [];
  const own = dirname(name).replace(/^sandbox\/(platform|slack)\//, "");
  const named = folder === undefined || folder === own || folder === basename(own);
  return named ? [] : [`${name} says what lives in ${folder}/`];
}

/** The files that each file of the tree imports, types included. */
function usesIn(root: string): Map<string, string[]> {
  return new Map(
    sourcesIn(root).map((name) => {
      const written = withoutComments(readFileSync(join(root, name), "utf8"));
      const targets = importsOf(written).filter((specifier) => specifier.startsWith("."));
      return [name, targets.map((specifier) => relative(root, resolve(root, dirname(name), specifier)))] as const;
    }),
  );
}

function sourcesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(ts|js)$/.test(name) && !name.endsWith(".d.ts"),
  );
}

function importFaults(root: string, name: string, running: string[], written: string[]): string[] {
  const faults: string[] = [];
  for (const specifier of new Set(written)) {
    const types = !running.includes(specifier);
    if (!specifier.startsWith(".")) {
      const broken = packages.find((rule) => rule.from.test(name) && rule.to.test(specifier) && (rule.types || !types));
      if (broken) faults.push(`${name} imports ${specifier}: ${broken.what}`);
      continue;
    }
    const target = relative(root, resolve(root, dirname(name), specifier));
    if (!existsSync(join(root, target)) && !target.startsWith(".."))
      faults.push(`${name} imports ${target}, which is not there`);
    if (target.startsWith("..")) continue;
    const broken = never.find((rule) => rule.from.test(name) && rule.to.test(target) && !rule.unless?.test(name));
    if (broken) faults.push(`${name} imports ${target}: ${broken.what}`);
    else if (!mayUse(roomOf(name), roomOf(target))) faults.push(`${name} imports ${target}: not in that direction`);
  }
  return faults;
}

/** The ways in and the sandbox stand above all rooms; what they may not use is in the rules above. */
function mayUse(room: string, used: string): boolean {
  return room === used || room === "" || room === "sandbox" || floors.indexOf(room) < floors.indexOf(used);
}

function roomOf(name: string): string {
  return name.includes("/") ? (name.split("/")[0] ?? "") : "";
}

function importsOf(code: string): string[] {
  const statements = code.matchAll(
    /^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']/gm,
  );
  const calls = code.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g);
  return [...statements, ...calls].flatMap(([, from, bare]) => from ?? bare ?? []);
}

function readsEnvironment(code: string): boolean {
  return /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^;{}=]*\}\s*=\s*process\b|["'](node:)?process["']/.test(
    code,
  );
}

/** Whole-line comments are enough: an import in one has its own line, too. */
function withoutComments(code: string): string {
  return code.replace(/^\s*(\/\/|\/\*|\*).*$/gm, "");
}

describe("the house", () => {
  test("keeps its rules", () => {
    expect(faultsIn("src")).toEqual([]);
  });

  test("has no two files that import each other in a circle, types included", () => {
    expect(circlesIn(usesIn("src"))).toEqual([]);
  });

  test("has the rooms that the newcomer's page lists, the guide and the sandbox, and no file beside them but ways in", () => {
    const found = readdirSync("src", { withFileTypes: true }).filter(({ name }) => !name.endsWith(".md"));
    const folders = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.toSorted()).toEqual([...floors, "sandbox"].toSorted());
    expect(floors.length).toBeLessThanOrEqual(18);
    expect(found.flatMap((entry) => (entry.isDirectory() ? [] : entry.name)).toSorted()).toEqual(entries.toSorted());
  });

  test.each(["platform", "slack"])("has no drawer of more than fifteen files in sandbox/%s", (own) => {
    const counts = Map.groupBy(sourcesIn(`src/sandbox/${own}`), (name) => dirname(name));
    expect([...counts].filter(([, files]) => files.length > 15).map(([folder]) => folder)).toEqual([]);
  });
});

describe("a made-up house", () => {
  /** Builds `tree`; what a file imports is there, too, and empty. */
  function build(tree: Record<string, string>): string {
    const imported = Object.entries(tree).flatMap(([name, code]) =>
      importsOf(code)
        .filter((specifier) => specifier.startsWith(".") && basename(specifier) !== "missing.ts")
        .map((specifier) => join(dirname(name), specifier)),
    );
    return writeTree({ ...Object.fromEntries(imported.map((name) => [name, "export {};"])), ...tree });
  }

  test.each([
    ["platform/client.ts", 'import { a } from "../requests/ask.ts";', "not in that direction"],
    ["storage/face.ts", 'export * from "../platform/client.ts";', "not in that direction"],
    ["storage/face.ts", 'export { a } from "../commands/run.ts";', "not in that direction"],
    ["commands/run.ts", 'import { a } from "../operations/index.ts";', "not in that direction"],
    ["commands/run.ts", 'const a = await import("../slack/bolt.ts");', "not in that direction"],
    ["commands/run.ts", 'import "../slack/bolt.ts";', "not in that direction"],
    ["commands/run.ts", 'import {\n  a,\n  b,\n} from "../slack/bolt.ts";', "not in that direction"],
    ["commands/run.ts", 'import type { B } from "../slack/bolt.ts";', "not in that direction"],
    ["operations/vps.ts", 'import { a } from "../slack/forms.ts";', "not in that direction"],
    ["process/log.ts", 'import { a } from "../slack/bolt.ts";', "not in that direction"],
    ["views/card.ts", 'import { a } from "../messages/client.ts";', "not in that direction"],
    ["views/card.ts", 'import type { Clock } from "../process/clock.ts";', "views/ has no clock"],
    ["views/card.ts", 'import { request } from "undici";', "no network"],
    ["views/card.ts", 'import { readFile } from "node:fs";', "no network"],
    ["platform/client.ts", 'import type { Block } from "@slack/types";', "nothing of Slack"],
    ["storage/face.ts", 'import { App } from "@slack/bolt";', "nothing of Slack"],
    ["slack/bolt.ts", 'import { a } from "../app/app.ts";', "only main.ts"],
    ["app/app.ts", 'import { a } from "./main.ts";', "only start.js knows main.ts"],
    ["app/app.ts", 'import type { A } from "../sandbox/clock.ts";', "nothing outside sandbox/"],
    ["sandbox/platform/vps.ts", 'import type { Vps } from "../../platform/customer/vps.ts";', "shares nothing"],
    ["sandbox/slack/server.ts", 'import { a } from "../../views/card.ts";', "shares nothing"],
    ["sandbox/slack/server.ts", 'import { WebClient } from "@slack/web-api";', "itself"],
    ["sandbox/demo.ts", 'import { a } from "../app/main.ts";', "only start.js knows main.ts"],
    ["commands/run.ts", 'import { a } from "./missing.ts";', "which is not there"],
    ["slack/bolt.ts", "const a = process.env.HOME;", "reads the environment"],
    ["slack/bolt.ts", "const { env } = process;", "reads the environment"],
    ["slack/bolt.ts", 'import { env } from "node:process";', "reads the environment"],
    ["sandbox/demo.ts", "start(process.env);", "reads the environment"],
    ["commands/run.ts", "const now = Date.now();", "reads the machine's clock"],
    ["commands/run.ts", "const now = new Date();", "reads the machine's clock"],
    ["commands/run.ts", 'import * as z from "zod";', "made when it is first used"],
    ["commands/run.ts", "export default 1;", "default export"],
    ["commands/run.ts", "const a = 1;\nexport { a as default };", "default export"],
    ["commands/utils.ts", "export const a = 1;", "says nothing"],
    ["commands/helpers/a.ts", "export const a = 1;", "says nothing"],
    [
      "commands/run.ts",
      "// engine/: from an invocation to its answer.\nexport const a = 1;",
      "says what lives in engine/",
    ],
  ])("%s with `%s` breaks one rule", (name, code, rule) => {
    const faults = faultsIn(build({ [name]: code }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name.replaceAll(".", "\\.")} .*${rule}`));
  });

  test.each([
    ["app/app.ts", 'import { a } from "../slack/bolt.ts";\nimport { b } from "../process/log.ts";'],
    ["start.js", 'await import("./app/main.ts");\nawait import("./app/doctor/run.ts");'],
    ["app/main.ts", 'import { a } from "./app.ts";\na(process.env);'],
    ["slack/bolt.ts", 'import { a } from "../operations/index.ts";\nimport { b } from "../process/clock.ts";'],
    ["views/card.ts", 'import type { Block } from "@slack/types";'],
    ["sandbox/slack/server.ts", 'import { limits } from "../../views/limits.ts";'],
    ["sandbox/demo.ts", 'import { a } from "../app/app.ts";\nimport { b } from "../process/log.ts";'],
    ["sandbox/bench/closed-loop.ts", 'import { a } from "../../app/app.ts";'],
    [
      "commands/run.ts",
      '// import { a } from "../slack/bolt.ts";\n/** Reads process.env\n * import { a } from "../slack/bolt.ts";\n */\nexport const a = 1;',
    ],
  ])("%s with `%s` breaks none", (name, code) => {
    expect(faultsIn(build({ [name]: code }))).toEqual([]);
  });

  test("with two files that know each other, if only by their types, has a circle", () => {
    const root = build({
      "commands/a.ts": 'import { b } from "./b.ts";',
      "commands/b.ts": 'import type { C } from "./c.ts";',
      "commands/c.ts": 'import type { A } from "./a.ts";',
      "commands/d.ts": 'import { a } from "./a.ts";',
    });
    expect(circlesIn(usesIn(root))).toEqual(["commands/a.ts -> commands/b.ts -> commands/c.ts -> commands/a.ts"]);
  });
});
