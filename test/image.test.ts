import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

// No engine is needed to know what `docker build` copies: .dockerignore says what reaches it, the Dockerfile what it takes.

const ignored = readFileSync(".dockerignore", "utf8");

/** Whether a file reaches the build, by Docker's rules: the last pattern that fits it, or a folder that it is in, decides. */
function reachesBuild(path: string, rules = ignored): boolean {
  const parts = path.split("/");
  const itAndFolders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  let reaches = true;
  for (const line of rules.split("\n").map((rule) => rule.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const pattern = expressionOf(line.replace(/^!/, ""));
    if (itAndFolders.some((one) => pattern.test(one))) reaches = line.startsWith("!");
  }
  return reaches;
}

function expressionOf(pattern: string): RegExp {
  const tokens = normalize(pattern)
    .replace(/^\/|\/$/g, "")
    .split(/(\*\*\/?|\*|\?)/);
  const wild: Record<string, string> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
  return new RegExp(`^${tokens.map((token) => wild[token] ?? token.replace(/[.+^$()|[\]{}\\]/g, "\\$&")).join("")}$`);
}

/** What each stage takes from the build's folder: its COPYs but those from another stage. */
function stages(): string[][] {
  const [, ...written] = readFileSync("Dockerfile", "utf8").split(/^FROM /m);
  return written.map((stage) =>
    [...stage.matchAll(/^(?:COPY|ADD) +(?!--from)(.+)$/gm)].flatMap(([, args = ""]) => args.split(/ +/).slice(0, -1)),
  );
}

function imageFiles(): string[] {
  return filesOf(stages().at(-1) ?? []);
}

function filesOf(sources: string[]): string[] {
  const all = ["package.json", "package-lock.json", ...filesBelow("src"), ...filesBelow("test")];
  const taken = (path: string) => sources.some((source) => path === source || path.startsWith(`${source}/`));
  return all.filter((path) => taken(path) && reachesBuild(path));
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A file and all that it imports when it runs: files of ours by path, packages by name. */
function importedBy(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  if (!entry.startsWith("src/")) return seen;
  const code = stripTypeScriptTypes(readFileSync(entry, "utf8"));
  for (const [, from, bare, dynamic] of code.matchAll(
    /^(?:import|export)\b[^;"]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm,
  )) {
    const specifier = from ?? bare ?? dynamic ?? "";
    if (specifier.startsWith(".")) importedBy(join(dirname(entry), specifier), seen);
    else if (!specifier.startsWith("node:")) seen.add(/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  }
  return seen;
}

test("each COPY finds what it takes, the packages' versions and the package's own facts among it", () => {
  const [dependencies = [], image = []] = stages();
  for (const source of [...dependencies, ...image]) expect(filesOf([source]), source).not.toEqual([]);
  expect(filesOf(dependencies)).toEqual(["package.json", "package-lock.json"]);
  expect(filesOf(image)).toContain("package.json");
});

test("the image holds the app and all that it imports, and installs every package that these name", () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const needed = importedBy("src/start.js");
  expect(needed.size).toBeGreaterThan(100);
  const there = new Set([...imageFiles(), ...Object.keys(dependencies)]);
  expect([...needed].filter((one) => !there.has(one))).toEqual([]);
});

test("the image holds nothing of the sandbox, its bench or the tests", () => {
  const outside = imageFiles().filter((path) => !/^(package\.json$|src\/(?!sandbox\/))/.test(path));
  expect(outside).toEqual([]);
  expect(filesBelow("src/sandbox").length).toBeGreaterThan(100);
});

test.each([
  "src/sandbox/demo.ts",
  "src/sandbox/bench/bench.ts",
  "test/imports.test.ts",
  "node_modules/zod/package.json",
  ".git/config",
  ".env",
  "data/rackbell.db",
  "README.md",
])("%s does not even reach the build", (path) => {
  expect(reachesBuild(path)).toBe(false);
});

test.each([
  ["*\n!src\nsrc/sandbox", "src/main.ts", true],
  ["*\n!src\nsrc/sandbox", "src/sandbox/a/b.ts", false],
  ["*\n!src", "README.md", false],
  ["src/sandbox\n!src/sandbox/keep", "src/sandbox/keep/a.ts", true],
  ["**/*.log", "src/deep/a.log", false],
  ["*.log", "src/a.log", true],
  ["/data/", "data/a.db", false],
  ["# data", "data/a.db", true],
])("the rules %j leave %s to the build: %s", (rules, path, reaches) => {
  expect(reachesBuild(path, rules)).toBe(reaches);
});

test("what the image holds starts as far as the app's first line, with the packages for production alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rackbell-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of imageFiles()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
  for (const path of installed()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    symlinkSync(join(process.cwd(), path), join(folder, path));
  }
  // The same that the Dockerfile runs; without any variable the app then says what it lacks.
  const run = (code: string) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], { cwd: folder });
  await run(`await import("${folder}/src/app.ts"); process.exit(0)`);
  const started = promisify(execFile)(process.execPath, ["src/start.js"], { cwd: folder, env: {} });
  await expect(started).rejects.toMatchObject({ stderr: expect.stringContaining("PLATFORM_URL") });
});

/** The packages at the top that `npm ci --omit=dev` installs. */
function installed(): string[] {
  const lock = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const top = Object.entries(lock.packages).filter(([path]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
  return top.flatMap(([path, { dev }]) => (dev === true ? [] : [path]));
}
