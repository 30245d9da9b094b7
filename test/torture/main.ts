/** `npm run torture -- --minutes 60 [--seed 1]`: rounds of torture, each with a seed of its own, until the time is up. */
import { parseArgs } from "node:util";
import { runRound } from "./round.ts";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const end = Date.now() + Number(values.minutes ?? "10") * 60_000;
const totals: Record<string, number> = { rounds: 0, findings: 0 };

for (let seed = Number(values.seed ?? Date.now() % 1_000_000); Date.now() < end; seed += 10) {
  const { manner, findings, figures } = await runRound({ seed, stormMs: 40_000 });
  for (const [name, count] of Object.entries({
    ...{ rounds: 1, [`rounds with ${manner}`]: 1, findings: findings.length },
    ...figures,
  }))
    totals[name] = (totals[name] ?? 0) + count;
  process.stdout.write(`seed ${seed}, ${manner}: ${findings.length === 0 ? "all kept" : ""}\n`);
  for (const finding of findings) process.stdout.write(`  ${finding}\n`);
}
process.stdout.write(`${JSON.stringify(totals, null, 2)}\n`);
process.exitCode = totals.findings === 0 ? 0 : 1;
