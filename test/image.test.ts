import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { bundle } from "../src/app/tools/bundle.ts";
import { systemClock } from "../src/process/clock.ts";
import { openStore } from "../src/storage/open.ts";
import { ownFolder } from "./own-folder.ts";
import { openPractice, startMain } from "./stories/main-process.ts";

// No engine is needed to know what `docker build` copies: .dockerignore says what reaches it, the Dockerfile what it takes.

const ignored = readFileSync(".dockerignore", "utf8");

/** True if Docker sends the file to the build: the last pattern that matches it, or a folder of it, decides. */
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

/** The paths that each stage copies from the build's folder, without copies between stages. */
function stages(): string[][] {
  const [, ...written] = readFileSync("Dockerfile", "utf8").split(/^FROM /m);
  return written.map((stage) =>
    [...stage.matchAll(/^(?:COPY|ADD) +(?!--from)(.+)$/gm)].flatMap(([, args = ""]) => args.split(/ +/).slice(0, -1)),
  );
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

test("each COPY finds what it takes, and the image takes of the sources what the bundle leaves out alone", () => {
  const [build = [], image = []] = stages();
  for (const source of [...build, ...image]) expect(filesOf([source]), source).not.toEqual([]);
  expect(build).toEqual(["package.json", "package-lock.json", "src"]);
  expect(image).toEqual(["package.json"]);
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
  ["*\n!src\nsrc/sandbox", "src/app/main.ts", true],
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

let made: Promise<string> | undefined;

/** One bundle for all tests that read it. It is removed after the last. */
function sharedBundle() {
  made ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "rackbell-bundle-"));
    await bundle(folder);
    return folder;
  })();
  return made;
}

afterAll(async () => {
  if (made) rmSync(await made, { recursive: true });
  made = undefined;
});

/** The files of the image's working directory. */
async function imageFolder(): Promise<string> {
  const folder = ownFolder();
  cpSync(await sharedBundle(), join(folder, "src"), { recursive: true });
  cpSync("package.json", join(folder, "package.json"));
  return folder;
}

test("the programs of the image start with no package beside them, and hold nothing of the sandbox", async () => {
  const folder = await imageFolder();
  const code = readdirSync(join(folder, "src")).map((name) =>
    name.endsWith("s") ? readFileSync(join(folder, "src", name), "utf8") : "",
  );
  expect(code.join("\n")).toContain("Rackbell is ready");
  expect(code.join("\n")).not.toContain("createPractice");
  // Without any variable the app says what it lacks.
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
  await expect(run("src/start.js")).rejects.toMatchObject({ stderr: expect.stringContaining("PLATFORM_URL") });
  await expect(run("src/start.js", "doctor")).rejects.toMatchObject({
    stdout: expect.stringContaining("PLATFORM_URL"),
  });
  await run("src/checkpoint-thread.ts");
  const path = join(folder, "rackbell.db");
  const store = await openStore({ url: `sqlite:${path}`, clock: systemClock, log: pino({ level: "silent" }) });
  await store.close();
  const { stdout } = await run("src/store.ts", "check", `sqlite:${path}`);
  expect(stdout).toContain("Everything can be read");
});

test("the bundle is in ASCII, which V8 keeps in half of the memory", async () => {
  const folder = await sharedBundle();
  const sources = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name));
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(folder, name), "utf8")))).toEqual([]);
});

test("the image runs as a user without rights, with nothing writable but its data and its compile cache, and without npm's scripts", () => {
  const dockerfile = readFileSync("Dockerfile", "utf8");
  const last = dockerfile.split(/^FROM /m).at(-1) ?? "";
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^VOLUME \/app\/data$/m);
  expect(last).not.toMatch(/npm (ci|install)/);
  expect(last).toMatch(/rm -rf \/usr\/local\/lib\/node_modules/);
  expect(last.match(/chown \S+ (.*)/)?.[1]).toBe("data .compile-cache");
  expect(dockerfile).toContain("npm ci --ignore-scripts");
  const compose = readFileSync("compose.yaml", "utf8");
  expect(compose).toMatch(/read_only: true/);
});

test("with Slack's posts and with Socket Mode, the image's first start comes to its end, and finds all of its code compiled", async () => {
  const folder = await imageFolder();
  const cache = join(folder, ".compile-cache");
  const steps = [...readFileSync("Dockerfile", "utf8").matchAll(/^RUN ((?:.*\\\n)*.*)/gm)].map(([, step = ""]) => step);
  const fill = steps.find((step) => step.includes("src/start.js")) ?? "exit 1";
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, NODE_COMPILE_CACHE: cache };
  await promisify(execFile)("sh", ["-c", fill], { cwd: folder, env });
  const compiled = () => readdirSync(cache, { recursive: true, encoding: "utf8" }).sort();
  const filled = compiled();

  for (const http of [true, false]) {
    const practice = await openPractice({ NODE_COMPILE_CACHE: cache });
    const main = await startMain(practice, { http, entry: join(folder, "src", "start.js") });
    expect(await main.terminate(), `http: ${http}`).toMatchObject({ code: 0 });
    expect(compiled(), `http: ${http}`).toEqual(filled);
  }
}, 60_000);
