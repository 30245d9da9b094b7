import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { atOnce, inside, type Run, roundMs, withApps } from "./contenders.ts";
import { garbageOf } from "./garbage.ts";
import { type Contender, closedLoop, openLoop, steadyRate } from "./load.ts";
import { cpuMsOf, residentMemory } from "./process-figures.ts";
import { comparedRow, kilobytes, megabytes, milliseconds, perSecond, type Row } from "./report.ts";
import { compared, pooled } from "./rounds.ts";

const here = fileURLToPath(new URL("../../..", import.meta.url));
const garbageCounted = ["--import", new URL("./count-garbage.ts", import.meta.url).href];

/** The costs of one commit in one round. */
interface Costs {
  cpuMs: number;
  acknowledgedMs: number[];
  slowMs: number[];
  garbage: number;
  perSecond: number;
}

/**
 * The app of each commit against the app of the first one, all in one run: each round measures all of them, and begins with another.
 * The load is of this checkout, and goes by what the outside relies on, which every commit keeps.
 */
export async function commits(run: Run): Promise<Row[]> {
  const names = run.commits;
  if (names.length < 2) throw new Error("Name two commits or more: npm run bench -- commits --commits=A,B");
  const trees = await checkouts(run.folder, names);
  const apps = trees.flatMap(({ entry, slowFlush }) => [
    { entry, node: garbageCounted },
    { entry, node: ["--import", slowFlush] },
  ]);
  try {
    return await withApps(run, apps, async (contenders) => {
      const sides = names.map((name, at) => ({
        name,
        app: one(contenders, at * 2),
        slow: one(contenders, at * 2 + 1),
      }));
      const rounds = names.map((): Costs[] => []);
      for (let round = 0; round < run.rounds; round += 1)
        for (let turn = 0; turn < sides.length; turn += 1) {
          const at = (turn + round) % sides.length;
          const side = sides[at];
          if (side) rounds[at]?.push(await measure(side.app, side.slow));
        }
      const memory = await Promise.all(sides.map(({ app }) => residentMemory(app.subject.pid)));
      return names.slice(1).flatMap((name, at) => rowsOf(name, names[0] ?? "", rounds, at + 1, memory));
    });
  } finally {
    for (const { folder } of trees) execFileSync("git", ["worktree", "remove", "--force", folder], { cwd: here });
  }
}

function one(contenders: readonly Contender[], at: number): Contender {
  const found = contenders[at];
  if (!found) throw new Error("Not every commit was started.");
  return found;
}

async function measure(app: Contender, slow: Contender): Promise<Costs> {
  let acknowledgedMs: number[] = [];
  let cpuMs = 0;
  const garbage = await garbageOf(app, async () => {
    const before = await cpuMsOf(app.subject.pid);
    acknowledgedMs = await openLoop(app, steadyRate, roundMs);
    cpuMs = ((await cpuMsOf(app.subject.pid)) - before) / acknowledgedMs.length;
    return acknowledgedMs;
  });
  const done = await closedLoop(app, { atOnce, ms: roundMs });
  return { cpuMs, acknowledgedMs, garbage, perSecond: done, slowMs: await openLoop(slow, steadyRate, roundMs) };
}

function rowsOf(name: string, first: string, rounds: Costs[][], at: number, memory: number[]): Row[] {
  const [app, other] = [rounds[at] ?? [], rounds[0] ?? []];
  const figures = (of: (round: Costs) => number) => compared({ app: app.map(of), other: other.map(of) });
  const shares = (of: (round: Costs) => number[], share: number) =>
    pooled({ app: app.map(of), other: other.map(of) }, share);
  const what = (measured: string) => `${name} against ${first}: ${measured}`;
  return [
    comparedRow(
      what("processor a command, all threads"),
      figures(({ cpuMs }) => cpuMs),
      null,
      milliseconds,
    ),
    comparedRow(
      what("p50 of the acknowledgement"),
      shares(({ acknowledgedMs }) => acknowledgedMs, 0.5),
      null,
      milliseconds,
    ),
    comparedRow(
      what("p99 of the acknowledgement"),
      shares(({ acknowledgedMs }) => acknowledgedMs, 0.99),
      null,
      milliseconds,
    ),
    comparedRow(
      what("p99 with each flush 5 ms slower"),
      shares(({ slowMs }) => slowMs, 0.99),
      null,
      milliseconds,
    ),
    comparedRow(
      what(`commands a second, ${atOnce} at once`),
      figures((round) => round.perSecond),
      null,
      perSecond,
    ),
    comparedRow(
      what("garbage a command"),
      figures(({ garbage }) => garbage),
      null,
      kilobytes,
    ),
    comparedRow(
      what("memory after the rounds"),
      compared({ app: [memory[at] ?? NaN], other: [memory[0] ?? NaN] }),
      null,
      megabytes,
    ),
  ];
}

/** A checkout of its own for each commit, with its packages, its entry file and its way to slow the flushes. */
async function checkouts(folder: string, names: readonly string[]) {
  const packages = new Map([[lockOf(here), join(here, "node_modules")]]);
  const found: { folder: string; entry: string; slowFlush: string }[] = [];
  for (const name of names) {
    const tree = join(await inside(folder), "tree");
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", tree, name], { cwd: here });
    const lock = lockOf(tree);
    const installed = packages.get(lock);
    if (installed) symlinkSync(installed, join(tree, "node_modules"));
    else execFileSync("npm", ["ci", "--silent"], { cwd: tree });
    packages.set(lock, join(tree, "node_modules"));
    const entry = ["src/app/main.ts", "src/main.ts"].map((file) => join(tree, file)).find(existsSync);
    if (!entry) throw new Error(`The commit ${name} has no entry file that the bench knows.`);
    const slowFlush = pathToFileURL(join(tree, "src/sandbox/bench/slow-flush.ts")).href;
    found.push({ folder: tree, entry, slowFlush });
  }
  return found;
}

function lockOf(tree: string): string {
  return createHash("sha256")
    .update(readFileSync(join(tree, "package-lock.json")))
    .digest("hex");
}
