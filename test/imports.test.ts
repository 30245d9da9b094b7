import { existsSync, readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { circlesIn, writeTree } from "./source-tree.ts";

/** The rooms of the house from its top floor down, as the newcomer's page lists them: a room may use those below it, types included. */
const floors = [...readFileSync("src/README.md", "utf8").matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room = ""]) => room);

/** Rooms that stand side by side though one is named first. */
const apart: Record<string, string[]> = {
  slack: ["webhooks", "mcp", "web"],
  webhooks: ["mcp", "web"],
  mcp: ["web", "operations"],
  web: ["operations"],
  operations: ["engine"],
  report: ["requests", "polling"],
  requests: ["polling"],
  alerts: ["resources", "audit"],
  policy: ["resources"],
  operation: ["identities", "chat", "storage"],
  identities: ["chat", "views"],
  views: ["platform", "storage"],
  platform: ["storage"],
};

/** The files beside the rooms that a room may use. */
const besides: Record<string, string[]> = {
  slack: ["guide.ts", "http.ts", "intake.ts"],
  webhooks: ["http.ts", "intake.ts"],
  mcp: ["canonical-json.ts", "http.ts", "intake.ts", "secret-parts.ts", "version.ts"],
  web: ["http.ts", "intake.ts"],
  operations: ["guide.ts", "secret-parts.ts"],
  views: ["secret-parts.ts"],
  chat: ["exchange.ts"],
  platform: ["exchange.ts", "secret-parts.ts"],
  audit: ["canonical-json.ts"],
  webauthn: ["canonical-json.ts"],
};

const rooms: Record<string, string[]> = {
  ...Object.fromEntries(
    floors.map((room, at) => [
      room,
      [...floors.slice(at + 1).filter((below) => !apart[room]?.includes(below)), ...(besides[room] ?? [])],
    ]),
  ),
  doctor: ["alerts", "slack", "chat", "platform", "storage", "config.ts", "clock-skew.ts", "log.ts"],
  sandbox: ["views/limits.ts"],
};

/** The files beside the rooms. Each may use clock.ts and trace.ts, as each room but views/ may, and everything plain-text.ts. */
const files: Record<string, string[]> = {
  "rooms.ts": Object.keys(rooms).filter((room) => room !== "sandbox"),
  "start.js": ["installation.js", "main.ts", "doctor"],
  "script.js": ["installation.js"],
  "sbom.ts": ["bundle.ts"],
  "main.ts": [
    "app.ts",
    "config.ts",
    "log.ts",
    "metrics.ts",
    "http.ts",
    "intake.ts",
    "health.ts",
    "drain.ts",
    "collector.ts",
    "clock-skew.ts",
    ...Object.keys(rooms).filter((room) => room !== "sandbox"),
  ],
  "reach.ts": [
    "rooms.ts",
    "config.ts",
    "metrics.ts",
    "clock-skew.ts",
    "version.ts",
    "slack",
    "chat",
    "platform",
    "storage",
  ],
  "app.ts": [
    "reach.ts",
    "rooms.ts",
    "config.ts",
    "log.ts",
    "metrics.ts",
    "http.ts",
    "intake.ts",
    "health.ts",
    "drain.ts",
    "collector.ts",
    "clock-skew.ts",
    "levels.ts",
    "workspace.ts",
    ...Object.keys(rooms).filter((room) => room !== "sandbox"),
  ],
  "config.ts": ["webauthn"],
  "health.ts": ["http.ts"],
  "collector.ts": ["audit", "exchange.ts"],
  "workspace.ts": ["chat", "config.ts", "log.ts", "slack"],
  "levels.ts": ["metrics.ts", "rooms.ts", "alerts", "slack", "chat", "platform", "storage"],
  "store.ts": ["storage", "log.ts"],
  "verify.ts": ["audit"],
  "bundle.ts": [],
  "catalogue.ts": ["engine", "operation", "operations", "slack"],
};

/** The bench passes secrets to its processes by the environment: other users can read a command line. */
function mayReadEnvironment(name: string): boolean {
  return ["config.ts", "main.ts", "doctor/run.ts", "store.ts"].includes(name) || name.startsWith("sandbox/bench/");
}

/** The sandbox's own ways in: they start the real app. */
const sandboxEntry = /^sandbox\/(demo|bench[^/]*)(\/|\.ts$)/;

const never: { what: string; from: RegExp; to: RegExp; unless?: RegExp }[] = [
  { what: "nothing outside sandbox/ knows it", from: /^(?!sandbox\/)/, to: /^sandbox\// },
  {
    what: "sandbox/ shares nothing with the app, so that both cannot be wrong together",
    from: /^sandbox\//,
    to: /^(?!sandbox\/|views\/limits\.ts$|clock\.ts$)/,
    unless: sandboxEntry,
  },
  { what: "views/ has no clock and no trace", from: /^views\//, to: /^(clock|trace)\.ts$/ },
  { what: "only start.js knows main.ts", from: /^(?!start\.js$)/, to: /^main\.ts$/ },
  { what: "only main.ts and the sandbox's entries know app.ts", from: /^(?!main\.ts$|sandbox\/)/, to: /^app\.ts$/ },
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
];

const vagueName = /^(utils?|helpers?|types|schemas|misc|common)$/;

/** Every breach of the house's rules in the tree under `root`, as a sentence each. */
function faultsIn(root: string): string[] {
  return sourcesIn(root).flatMap((name) => {
    const written = withoutComments(readFileSync(join(root, name), "utf8"));
    const running = name.endsWith(".ts") ? stripTypeScriptTypes(written) : written;
    return [
      ...importFaults(root, name, importsOf(running), importsOf(written)),
      ...(readsEnvironment(running) && !mayReadEnvironment(name)
        ? [`${name} reads the environment: only config.ts does`]
        : []),
      ...(/^export default\b|^export \{[^}]*\bas default\b/m.test(running) ? [`${name} has a default export`] : []),
      ...(name.split("/").some((part) => vagueName.test(part.replace(/\.\w+$/, "")))
        ? [`${name} has a name that says nothing`]
        : []),
    ];
  });
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

/**
 * The longest chain of the app's folders in which each imports from the next. Folders that import each other are one floor. The files
 * beside the rooms, the sandbox and the doctor stand on no floor.
 */
function longestChainIn(root: string): string[] {
  const above = new Map<string, Set<string>>();
  for (const [name, targets] of usesIn(root)) {
    if (!name.includes("/") || /^(sandbox|doctor)\//.test(name)) continue;
    const below = above.get(dirname(name)) ?? new Set();
    for (const target of targets) if (target.includes("/")) below.add(dirname(target));
    above.set(dirname(name), below);
  }
  const reached = new Map([...above.keys()].map((folder) => [folder, reachableFrom(folder, above)]));
  const chains = new Map<string, string[]>();
  function chainOf(folder: string): string[] {
    const known = chains.get(folder);
    if (known) return known;
    const floor = [...above.keys()].filter((one) => reached.get(one)?.has(folder) && reached.get(folder)?.has(one));
    const below = floor.flatMap((one) => [...(above.get(one) ?? [])]).filter((one) => !floor.includes(one));
    const longest = below.map(chainOf).reduce((a, b) => (b.length > a.length ? b : a), []);
    const chain = [floor.join(" + "), ...longest];
    for (const one of floor) chains.set(one, chain);
    return chain;
  }
  return [...above.keys()].map(chainOf).reduce((a, b) => (b.length > a.length ? b : a), []);
}

/** The folder itself, and all that it imports from, directly or through others. */
function reachableFrom(folder: string, above: Map<string, Set<string>>): Set<string> {
  const found = new Set([folder]);
  for (const each of found) for (const below of above.get(each) ?? []) found.add(below);
  return found;
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
    const broken = never.find((rule) => rule.from.test(name) && rule.to.test(target) && !rule.unless?.test(name));
    if (broken) faults.push(`${name} imports ${target}: ${broken.what}`);
    else if (!mayUse(name, target)) faults.push(`${name} imports ${target}: not in that direction`);
  }
  return faults;
}

function mayUse(name: string, target: string): boolean {
  const room = roomOf(name);
  if (roomOf(target) === room && room !== "") return true;
  if (target === "plain-text.ts") return true;
  if (target === "clock.ts" || target === "trace.ts") return room !== "views";
  if (sandboxEntry.test(name)) return target !== "main.ts";
  const allowed = (room === "" ? files[name] : rooms[room]) ?? [];
  return allowed.includes(target) || allowed.includes(roomOf(target));
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

  test("has at most ten floors, types included", () => {
    expect(longestChainIn("src").length).toBeGreaterThan(5);
    expect(longestChainIn("src").slice(10)).toEqual([]);
  });

  test("has only the rooms that the rules know", () => {
    // `guide/` holds text alone; guide.ts beside it reads the pages.
    const found = readdirSync("src", { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== "guide",
    );
    expect(Object.keys(rooms)).toEqual(expect.arrayContaining(found.map((entry) => entry.name)));
    expect(found.length).toBeGreaterThan(0);
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
    ["platform/client.ts", 'import { a } from "../storage/face.ts";', "not in that direction"],
    ["storage/face.ts", 'export * from "../platform/client.ts";', "not in that direction"],
    ["storage/face.ts", 'export { a } from "../engine/run.ts";', "not in that direction"],
    ["engine/run.ts", 'import { a } from "../operations/index.ts";', "not in that direction"],
    ["engine/run.ts", 'const a = await import("../slack/bolt.ts");', "not in that direction"],
    ["engine/run.ts", 'import "../slack/bolt.ts";', "not in that direction"],
    ["engine/run.ts", 'import {\n  a,\n  b,\n} from "../slack/bolt.ts";', "not in that direction"],
    ["operations/vps.ts", 'import { a } from "../slack/forms.ts";', "not in that direction"],
    ["slack/bolt.ts", 'import { a } from "../webhooks/receive.ts";', "not in that direction"],
    ["webhooks/receive.ts", 'import { a } from "../slack/bolt.ts";', "not in that direction"],
    ["identities/keys.ts", 'import { a } from "../chat/post.ts";', "not in that direction"],
    ["views/card.ts", 'import { a } from "../platform/client.ts";', "not in that direction"],
    ["views/card.ts", 'import type { Clock } from "../clock.ts";', "views/ has no clock and no trace"],
    ["views/card.ts", 'import { request } from "undici";', "no network"],
    ["views/card.ts", 'import { readFile } from "node:fs";', "no network"],
    ["platform/client.ts", 'import type { Block } from "@slack/types";', "nothing of Slack"],
    ["storage/face.ts", 'import { App } from "@slack/bolt";', "nothing of Slack"],
    ["chat/post.ts", 'import { a } from "../log.ts";', "not in that direction"],
    ["engine/run.ts", 'import { a } from "../config.ts";', "not in that direction"],
    ["slack/bolt.ts", 'import { a } from "../app.ts";', "only main.ts"],
    ["log.ts", 'import { a } from "./slack/bolt.ts";', "not in that direction"],
    ["app.ts", 'import { a } from "./main.ts";', "only start.js knows main.ts"],
    ["app.ts", 'import type { A } from "./sandbox/clock.ts";', "nothing outside sandbox/"],
    ["sandbox/platform/vps.ts", 'import type { Vps } from "../../platform/customer/vps.ts";', "shares nothing"],
    ["sandbox/slack/server.ts", 'import { a } from "../../views/card.ts";', "shares nothing"],
    ["sandbox/page/app.js", 'import { a } from "../../app.ts";', "shares nothing"],
    ["sandbox/slack/server.ts", 'import { WebClient } from "@slack/web-api";', "itself"],
    ["sandbox/demo.ts", 'import { a } from "../main.ts";', "only start.js knows main.ts"],
    ["engine/run.ts", 'import { a } from "./missing.ts";', "which is not there"],
    ["slack/bolt.ts", "const a = process.env.HOME;", "reads the environment"],
    ["slack/bolt.ts", "const { env } = process;", "reads the environment"],
    ["slack/bolt.ts", 'import { env } from "node:process";', "reads the environment"],
    ["sandbox/demo.ts", "start(process.env);", "reads the environment"],
    ["engine/run.ts", "export default 1;", "default export"],
    ["engine/run.ts", "const a = 1;\nexport { a as default };", "default export"],
    ["engine/utils.ts", "export const a = 1;", "says nothing"],
    ["engine/helpers/a.ts", "export const a = 1;", "says nothing"],
    ["types.ts", "export type A = 1;", "says nothing"],
    ["slack/bolt.ts", 'import type { Log } from "../log.ts";', "not in that direction"],
    ["engine/run.ts", 'import type { B } from "../slack/bolt.ts";', "not in that direction"],
    ["views/card.ts", 'import type { Vps } from "../platform/customer/vps.ts";', "not in that direction"],
  ])("%s with `%s` breaks one rule", (name, code, rule) => {
    const faults = faultsIn(build({ [name]: code }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name.replaceAll(".", "\\.")} .*${rule}`));
  });

  test.each([
    ["app.ts", 'import { a } from "./slack/bolt.ts";\nimport { b } from "./log.ts";'],
    [
      "start.js",
      'import { a } from "./installation.js";\nawait import("./main.ts");\nawait import("./doctor/run.ts");',
    ],
    ["main.ts", 'import { a } from "./app.ts";\na(process.env);'],
    ["slack/bolt.ts", 'import { a } from "../operations/index.ts";\nimport { b } from "../clock.ts";'],
    ["engine/run.ts", 'import { a } from "../views/card.ts";\nimport { c } from "./ask.ts";'],
    ["chat/post.ts", 'import { limits } from "../views/limits.ts";'],
    ["views/card.ts", 'import type { Block } from "@slack/types";'],
    ["sandbox/slack/server.ts", 'import { limits } from "../../views/limits.ts";\nimport { b } from "../../clock.ts";'],
    ["sandbox/demo.ts", 'import { a } from "../app.ts";\nimport { b } from "../log.ts";'],
    ["sandbox/bench/closed-loop.ts", 'import { a } from "../../app.ts";'],
    [
      "engine/run.ts",
      '// import { a } from "../slack/bolt.ts";\n/** Reads process.env\n * import { a } from "../slack/bolt.ts";\n */\nexport const a = 1;',
    ],
  ])("%s with `%s` breaks none", (name, code) => {
    expect(faultsIn(build({ [name]: code }))).toEqual([]);
  });

  test("with two files that know each other, if only by their types, has a circle", () => {
    const root = build({
      "engine/a.ts": 'import { b } from "./b.ts";',
      "engine/b.ts": 'import type { C } from "./c.ts";',
      "engine/c.ts": 'import type { A } from "./a.ts";',
      "engine/d.ts": 'import { a } from "./a.ts";',
    });
    expect(circlesIn(usesIn(root))).toEqual(["engine/a.ts -> engine/b.ts -> engine/c.ts -> engine/a.ts"]);
  });

  test("with folders that know each other has one floor for them, and one for each folder below", () => {
    const root = build({
      "engine/a.ts": 'import { b } from "./deep/b.ts";\nimport type { C } from "../views/c.ts";',
      "engine/deep/b.ts": 'import type { D } from "../d.ts";',
      "views/c.ts": 'import { e } from "../clock.ts";',
    });
    expect(longestChainIn(root)).toEqual(["engine + engine/deep", "views"]);
  });
});
