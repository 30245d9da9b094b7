// Judges that others wrote. `npm run judges` has SonarJS, recheck, secretlint and lockfile-lint look at the code, and prints what is more
// than the ratchet allows; then it has clients that others wrote use the app.

import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { installPackages } from "../install.ts";

const here = import.meta.dirname;
const root = join(here, "../..");
const installed = installPackages("judges");
const ratchetFile = join(here, "ratchet.json");
const lockFiles = ["package-lock.json", "test/judges/package-lock.json", "test/mutate/package-lock.json"];

/** The words of a judge about one place. */
interface Finding {
  rule: string;
  place: string;
  words: string;
}

/** Files in which secretlint takes a made-up token for a real one: the tests of what recognises and removes tokens. */
const madeUp = new Set([
  ...["test/app/operating.test.ts", "test/app/doctor/doctor.test.ts", "test/process/log.test.ts"],
  ...[
    "test/app/setup/setup.test.ts",
    "test/storage/sqlite.test.ts",
    "test/messages/chat/callers.ts",
    "test/slack/receivers/socket-receiver.test.ts",
  ],
  ...["test/stories/customer/image.test.ts", "test/sandbox/platform/customer/refusals.test.ts"],
]);

/** The output of a judge. Its exit code is not looked at: it is not zero whenever it finds something. */
async function outputOf(judge: string, args: readonly string[]): Promise<string> {
  const script = join(installed, "node_modules", judge);
  const run = promisify(execFile)(process.execPath, [script, ...args], { cwd: root, maxBuffer: 2 ** 28 });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  if (stdout === "") throw new Error(`${judge} printed nothing. It said: ${stderr}`);
  return stdout;
}

interface FileReport {
  filePath: string;
  messages: { ruleId: string | null; message: string; line?: number; loc?: { start: { line: number } } }[];
}

/** ESLint and secretlint report in the same form. */
function findingsIn(json: string): Finding[] {
  const reports: FileReport[] = JSON.parse(json);
  return reports.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, line, loc }) => {
      const file = relative(root, filePath);
      return { rule: ruleId ?? "unreadable", place: `${file}:${line ?? loc?.start.line ?? 1}`, words: message };
    }),
  );
}

async function lint(): Promise<Finding[]> {
  // ESLint looks for the rules beside its configuration.
  const file = join(installed, "eslint.config.js");
  copyFileSync(join(here, "eslint.config.js"), file);
  const config = ["--no-config-lookup", "--config", file, "--format", "json"];
  return findingsIn(await outputOf("eslint/bin/eslint.js", [...config, "src"]));
}

async function findSecrets(): Promise<Finding[]> {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "-z"], { cwd: root, maxBuffer: 2 ** 26 });
  const files = stdout.split("\0").filter((file) => file !== "" && !lockFiles.includes(file) && !madeUp.has(file));
  const rules = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend" }] };
  const config = ["--secretlintrcJSON", JSON.stringify(rules), "--format", "json", "--no-color"];
  return findingsIn(await outputOf("secretlint/bin/secretlint.js", [...config, ...files]));
}

/** Every package comes from npm's registry, over https, by its own name and with its digest. */
async function lintLocks(): Promise<Finding[]> {
  const rules = ["--validate-https", "--validate-integrity", "--validate-package-names", "--allowed-hosts", "npm"];
  const found = await Promise.all(
    lockFiles.map(async (place) => {
      const words = await outputOf("lockfile-lint/bin/lockfile-lint.js", ["--path", place, "--type", "npm", ...rules]);
      return /No issues detected/.test(words) ? [] : [{ rule: "lockfile-lint", place, words }];
    }),
  );
  return found.flat();
}

/** How often each rule speaks. */
function countByRule(findings: readonly Finding[]): Record<string, number> {
  const groups = Map.groupBy(findings, ({ rule }) => rule);
  return Object.fromEntries([...groups].map(([rule, all]) => [rule, all.length]).toSorted());
}

async function judgeCode(): Promise<number> {
  const findings = (await Promise.all([lint(), findSecrets(), lintLocks()])).flat();
  const counts = countByRule(findings);
  const allowed: Record<string, number> = JSON.parse(readFileSync(ratchetFile, "utf8"));
  const worse = Object.keys(counts).filter((rule) => (counts[rule] ?? 0) > (allowed[rule] ?? 0));
  for (const { rule, place, words } of findings)
    if (worse.includes(rule)) process.stdout.write(`${place}: ${words} (${rule})\n`);
  if (worse.length > 0) {
    process.stdout.write(`${worse.join(", ")}: more than test/judges/ratchet.json allows.\n`);
    return 1;
  }
  // A ratchet never loosens by itself.
  writeFileSync(ratchetFile, `${JSON.stringify(counts, null, 2)}\n`);
  process.stdout.write(`${findings.length} findings, none new, by ${Object.keys(counts).length} rules.\n`);
  return 0;
}

/** Clients that others wrote use the app, each in a story. */
function judgeByClients(): number {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = { cwd: root, stdio: "inherit" as const, env: { ...process.env, JUDGES: "on" } };
  return spawnSync(process.execPath, [vitest, "run"], options).status ?? 1;
}

process.exitCode = (await judgeCode()) + judgeByClients();
