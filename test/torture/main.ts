/**
 * `npm run torture -- --minutes 60 [--seed 1]`: rounds of torture, each with a seed of its own, until the time is up.
 * `npm run torture -- --instances 20 [--seed 1]`: so many rounds with two instances on one Redis.
 */
import { parseArgs } from "node:util";
import { belowFloorsOfRun } from "./floors.ts";
import { runInstances } from "./instances.ts";
import { type RoundResult, runRound } from "./round.ts";

/** About ten minutes of them. */
const roundsForAllKinds = 6;
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { minutes: text, seed: text, instances: text } });
const first = Number(values.seed ?? Date.now() % 1_000_000);
const totals: Record<string, number> = { rounds: 0, findings: 0 };

function report(seed: number, rounds: number, { setup, findings, figures }: RoundResult): void {
  const all = { rounds, [`rounds with ${setup}`]: rounds, findings: findings.length, ...figures };
  for (const [name, count] of Object.entries(all)) totals[name] = (totals[name] ?? 0) + count;
  process.stdout.write(`seed ${seed}, ${setup}: ${findings.length === 0 ? "all kept" : ""}\n`);
  for (const finding of findings) process.stdout.write(`  ${finding}\n`);
}

if (values.instances === undefined) {
  const end = Date.now() + Number(values.minutes ?? "10") * 60_000;
  for (let seed = first; Date.now() < end; seed += 10) report(seed, 1, await runRound({ seed, stormMs: 40_000 }));
} else {
  const rounds = Number(values.instances);
  report(first, rounds, await runInstances({ seed: first, rounds }));
}
// By chance a single round may miss one.
if (values.instances === undefined && (totals.rounds ?? 0) >= roundsForAllKinds)
  for (const finding of belowFloorsOfRun(totals)) {
    totals.findings = (totals.findings ?? 0) + 1;
    process.stdout.write(`${finding}\n`);
  }
process.stdout.write(`${JSON.stringify(totals, null, 2)}\n`);
process.exitCode = totals.findings === 0 ? 0 : 1;
