import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { circlesIn, writeTree } from "./source-tree.ts";

// Each room of the app, and each folder of the practice platform and of the practice Slack, begins one of its files with what
// lives there and what it may import. These lines are the rules; types count as much as values. A folder of the app's rooms
// that says nothing of its own keeps to the rule of the one above it.

/** The root whose folders are the app's rooms: the files beside them are no room, and the sandbox has roots of its own. */
const app = "src";

interface File {
  folder: string;
  name: string;
  header: string[];
  imports: string[];
}

/** The .ts files below `root`; a folder is named from there, and the root itself by its own name. */
function filesOf(root: string, own: string): File[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !(own === app && (!name.includes("/") || name.startsWith("sandbox/"))),
  );
  return names.map((name) => {
    const code = readFileSync(join(root, name), "utf8");
    const folder = dirname(name) === "." ? `${own}/` : `${dirname(name)}/`;
    const header = code.split("\n").slice(
      0,
      code.split("\n").findIndex((line) => !line.startsWith("//")),
    );
    const specifiers = [...code.matchAll(/\bfrom\s*"(\.[^"]+)"/g)].map(([, specifier]) => specifier ?? "");
    return {
      folder,
      name,
      header,
      imports: specifiers.map((one) => relative(root, resolve(root, dirname(name), one))),
    };
  });
}

function faultsIn(root: string, own: string): string[] {
  const files = filesOf(root, own);
  const folders = [...new Set(files.map((file) => file.folder))];
  return [
    ...folders.flatMap((folder) => folderFaults(folder, own, files)),
    ...circlesIn(new Map(files.map((file) => [file.name, file.imports]))).map((circle) => `${circle} is a circle`),
  ];
}

function folderFaults(folder: string, own: string, files: File[]): string[] {
  const inside = files.filter((file) => file.folder === folder);
  const headers = headersOf(folder, files);
  const [header = inherited(folder, own, files)] = headers;
  if (header === undefined || headers.length > 1) return [`${folder} says what lives there in ${headers.length} files`];
  const rule = header.at(-1) ?? "";
  if (header.length > 3 || !rule.startsWith("// May import: ")) return [`${folder} does not say it in three lines`];
  const allowed = (target: string) =>
    rule
      .slice("// May import: ".length)
      .split(/[\s,]+/)
      .some((word) => allows(word, target));
  return inside.flatMap(({ name, imports }) =>
    imports
      .map((target) => folderNamed(target, own))
      .filter((target) => target !== folder && !allowed(target))
      .map((target) => `${name} imports from ${target}, which ${folder} may not`),
  );
}

function headersOf(folder: string, files: File[]): string[][] {
  return files.flatMap(({ folder: of, header }) =>
    of === folder && header[0]?.startsWith(`// ${folder}: `) ? [header] : [],
  );
}

function inherited(folder: string, own: string, files: File[]): string[] | undefined {
  const above = `${dirname(folder)}/`;
  if (own !== app || above === "./") return undefined;
  return headersOf(above, files)[0] ?? inherited(above, own, files);
}

/** The folder of an imported file; of the app's own files, the file. */
function folderNamed(target: string, own: string): string {
  if (target.startsWith("..")) return target.replace(/^(\.\.\/)+/, "");
  if (own === app && !target.includes("/")) return target;
  return target.includes("/") ? `${dirname(target)}/` : `${own}/`;
}

function allows(word: string, target: string): boolean {
  if (target === "plain-text.ts") return true;
  if (target === "clock.ts") return /^clock\.?$/.test(word);
  if (word.includes("*"))
    return target.startsWith(word.slice(0, word.indexOf("*"))) && target !== word.slice(0, word.indexOf("*"));
  return word.replace(/\.$/, "") === target;
}

test("each room of the app says what lives there, and keeps to what it may import", () => {
  expect(faultsIn("src", app)).toEqual([]);
});

test.each(["platform", "slack"])(
  "each folder of sandbox/%s says what lives there, and keeps to what it may import",
  (own) => {
    expect(faultsIn(`src/sandbox/${own}`, own)).toEqual([]);
  },
);

test.each(["platform", "slack"])("no folder of sandbox/%s is a drawer of more than fifteen files", (own) => {
  const counts = Map.groupBy(filesOf(`src/sandbox/${own}`, own), (file) => file.folder);
  expect([...counts].filter(([, files]) => files.length > 15).map(([folder]) => folder)).toEqual([]);
});

const low = "// low/: what is below.\n// May import: the clock.\n";

test.each<[string, Record<string, string>, RegExp]>([
  ["a folder without a header", { "low/a.ts": "export {};" }, /low\/ says what lives there in 0 files/],
  ["two headers", { "low/a.ts": low, "low/b.ts": low }, /low\/ says what lives there in 2 files/],
  ["a header without its rule", { "low/a.ts": "// low/: what is below.\n" }, /low\/ does not say it in three lines/],
  [
    "an import that is not named",
    { "low/a.ts": `${low}import { a } from "../high/a.ts";` },
    /imports from high\/, which low\//,
  ],
  [
    "a type that is not named",
    { "low/a.ts": `${low}import type { A } from "../high/a.ts";` },
    /imports from high\/, which low\//,
  ],
  [
    "the app's files",
    { "low/a.ts": `${low}import { l } from "../../views/limits.ts";` },
    /imports from views\/limits\.ts/,
  ],
  [
    "a circle within a folder",
    { "low/a.ts": `${low}import { b } from "./b.ts";`, "low/b.ts": 'import type { A } from "./a.ts";' },
    /low\/a\.ts -> low\/b\.ts -> low\/a\.ts is a circle/,
  ],
])("the rules refuse %s", (_, tree, fault) => {
  const faults = faultsIn(writeTree(tree), "own");
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(fault);
});

test("a folder of the app that says nothing keeps to the rule above it, and a room must say it", () => {
  const tree = {
    "high/deep/a.ts": 'import { a } from "../../low/a.ts";',
    "high/a.ts": "// high/: what is above.\n// May import: high/*.\n",
    "low/a.ts": "export {};",
    "main.ts": 'import { a } from "./low/a.ts";',
  };
  expect(faultsIn(writeTree(tree), app).toSorted()).toEqual([
    "high/deep/a.ts imports from low/, which high/deep/ may not",
    "low/ says what lives there in 0 files",
  ]);
});

test("the rules allow what a header names, and every folder below a star", () => {
  const high = "// high/: what is above.\n// May import: low/, low/*, the clock.\n";
  const lowest = "// low/lowest/: the ground.\n// May import: nothing.\n";
  const tree = {
    "low/a.ts": `${low}import type { Clock } from "../../clock.ts";`,
    "low/lowest/a.ts": lowest,
    "high/a.ts": `${high}import { a } from "../low/a.ts";\nimport { b } from "../low/lowest/a.ts";`,
  };
  expect(faultsIn(writeTree(tree), "own")).toEqual([]);
});
