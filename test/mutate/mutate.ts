/**
 * Mutation testing by Stryker: it changes the code in many small ways, and counts the changes that no test of the room notices.
 * `npm run mutate -- policy`: the room, as far as its files or their tests changed since the last run.
 * `npm run mutate -- policy/evaluate.ts`: one file of it, or several.
 * `npm run mutate -- --sample`: some lines that are drawn from a file without survivors.
 * With `--fresh` nothing is taken from the last run. With `--begin` files without a number get the one that they have.
 */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { installPackages } from "../install.ts";
import { equivalents } from "./equivalent.ts";
import { type FileResult, type MutationReport, readReport } from "./report.ts";
import { roomSetting } from "./rooms.ts";

const root = join(import.meta.dirname, "../..");
const ratchetFile = join(import.meta.dirname, "ratchet.json");

/** The mutants and the survivors of each file that was run once. */
type Ratchet = Record<string, { mutants: number; survivors: number }>;

/** So many survivors may a new file have, among all its mutants. */
const mostOfNew = 0.05;

/** Copies the working tree. Stryker changes the code where it is, and nobody may commit, or run, a change of it. */
function copyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), "rackbell-mutate-"));
  // Without the environment, the data of a local app, and the packages.
  const isCode = (name: string) => !/^(\.|data$|node_modules$)/.test(name);
  for (const name of readdirSync(root).filter(isCode)) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  return tree;
}

/** Runs Stryker on files of a room, in a copy of the tree, and returns its report. `keeps`: the next run goes on from it. */
function mutate(
  room: string,
  files: readonly string[],
  { fresh, keeps }: { fresh: boolean; keeps: boolean },
): MutationReport {
  // The runner's peer is the project's vitest, which is found further up.
  const installed = installPackages("mutate", ["--legacy-peer-deps"]);
  const [before, incrementalFile] = [join(installed, `last-${room}.json`), "incremental.json"];
  const tree = copyTree();
  try {
    if (!fresh && existsSync(before)) copyFileSync(before, join(tree, incrementalFile));
    const settings = {
      ...{ testRunner: "vitest", plugins: ["@stryker-mutator/vitest-runner", "./test/mutate/survivors.ts"] },
      ...{ vitest: { configFile: "test/mutate/vitest.config.ts", related: true }, coverageAnalysis: "perTest" },
      // It does not know TypeScript 7.
      ...{ inPlace: true, tsconfigFile: "none.json", disableTypeChecks: false },
      ...{ mutate: files, incremental: true, incrementalFile, ignoreStatic: true, concurrency: 1 },
      // A busy machine must not kill a mutant: the first run, which was as busy, took a quarter of that beside the seconds.
      ...{ timeoutMS: 15_000, timeoutFactor: 4, dryRunTimeoutMinutes: 30 },
      ...{ reporters: ["progress-append-only", "survivors", "json"], jsonReporter: { fileName: "report.json" } },
      ...{ allowConsoleColors: false, checkers: [] },
    };
    writeFileSync(join(tree, "stryker.json"), JSON.stringify(settings));
    const stryker = join(installed, "node_modules/@stryker-mutator/core/bin/stryker.js");
    execFileSync(process.execPath, [stryker, "run", "stryker.json"], {
      ...{ cwd: tree, stdio: "inherit", env: { ...process.env, [roomSetting]: room } },
    });
    if (keeps) copyFileSync(join(tree, incrementalFile), before);
    return JSON.parse(readFileSync(join(tree, "report.json"), "utf8"));
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** How many survivors a file may have. `begins`: one without a number begins with those that it has. */
function allowedOf({ file, mutants, survivors }: FileResult, ratchet: Ratchet, begins: boolean): number {
  const known = ratchet[file];
  if (known) return known.survivors;
  return begins ? survivors.length : Math.floor(mutants * mostOfNew);
}

function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** "src/policy/spending.ts: 71 of 75 killed (94.7 %), 2 equivalent", with its survivors. */
function resultLines({ file, mutants, survivors, equivalent }: FileResult): string[] {
  const killed = mutants - survivors.length;
  const share = mutants === 0 ? "100.0" : ((100 * killed) / mutants).toFixed(1);
  return [
    `${file}: ${killed} of ${mutants} killed (${share} %), ${equivalent} equivalent`,
    ...survivors.flatMap(({ line, was, now }) => [`  ${line}: ${was}`, `  ${" ".repeat(String(line).length)}> ${now}`]),
  ];
}

/** The files of a room, or a file of it: "policy", "policy/evaluate.ts". */
function filesOf(named: string): string[] {
  const path = join("src", named);
  if (named.endsWith(".ts")) return existsSync(join(root, path)) ? [path] : [];
  return globSync(`${path}/**/*.ts`, { cwd: root }).toSorted();
}

/** So many lines take about half a minute of a processor. */
const sampleLines = 15;

/** Draws lines of a file of which no mutant survives: each change of them must fail a test. */
function drawSample(ratchet: Ratchet): { file: string; lines: string } | null {
  const whole = Object.keys(ratchet).filter((file) => ratchet[file]?.survivors === 0 && existsSync(join(root, file)));
  const file = drawnOf(whole);
  if (file === undefined) return null;
  // The code of functions is indented, and the rest mostly runs once when the file is loaded.
  const inside = readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line, at) => (/^ +(const|return|if|for) /.test(line) ? [at + 1] : []));
  const last = inside.at(-1) ?? 1;
  const from = Math.min(drawnOf(inside) ?? 1, Math.max(1, last - sampleLines + 1));
  return { file, lines: `${from}-${from + sampleLines - 1}` };
}

function drawnOf<T>(all: readonly T[]): T | undefined {
  return all[Math.floor(Math.random() * all.length)];
}

function judgeSample(): number {
  const drawn = drawSample(readRatchet());
  if (drawn === null) {
    process.stdout.write("No file is without survivors.\n");
    return 1;
  }
  const { file, lines } = drawn;
  process.stdout.write(`The sample: lines ${lines} of ${file}\n`);
  const report = mutate(roomOf(file), [`${file}:${lines}`], { fresh: true, keeps: false });
  const { results } = readReport(report, [file], equivalents);
  for (const line of results.flatMap(resultLines)) process.stdout.write(`${line}\n`);
  return results.some(({ survivors }) => survivors.length > 0) ? 1 : 0;
}

function readRatchet(): Ratchet {
  return JSON.parse(readFileSync(ratchetFile, "utf8"));
}

function judge(): number {
  const options = { fresh: { type: "boolean" }, sample: { type: "boolean" }, begin: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  // The machine has other work, unless the one who started it has said how much of it this may take.
  if (getPriority() === 0) setPriority(15);
  if (values.sample) return judgeSample();
  const files = [...new Set(positionals.flatMap(filesOf))];
  const [room, ...others] = new Set(files.map(roomOf));
  if (room === undefined || others.length > 0) {
    process.stdout.write("Name one room of src/, such as policy, or files of one, such as policy/evaluate.ts.\n");
    return 1;
  }
  const report = mutate(room, files, { fresh: values.fresh === true, keeps: true });
  const { results, vain } = readReport(report, files, equivalents);
  const ratchet = readRatchet();
  const worse = results.filter((one) => one.survivors.length > allowedOf(one, ratchet, values.begin === true));
  for (const line of results.flatMap(resultLines)) process.stdout.write(`${line}\n`);
  for (const { file, now } of vain)
    process.stdout.write(
      `${file}: take this out of test/mutate/equivalent.ts, since no mutant of it survives: ${now}\n`,
    );
  if (worse.length > 0)
    process.stdout.write(
      `More survive than ${relative(root, ratchetFile)} allows: ${worse.map(({ file }) => file).join(", ")}\n`,
    );
  if (worse.length + vain.length > 0) return 1;
  // A ratchet never loosens by itself.
  for (const { file, mutants, survivors } of results) ratchet[file] = { mutants, survivors: survivors.length };
  writeFileSync(ratchetFile, `${JSON.stringify(Object.fromEntries(Object.entries(ratchet).toSorted()), null, 2)}\n`);
  return 0;
}

process.exitCode = judge();
