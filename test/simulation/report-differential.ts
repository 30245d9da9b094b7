import { printAction } from "./actions.ts";
import { orderlyPlan, runBesideReal, runOnBoth } from "./differential.ts";
import { type Bounds, cpuMs, perMinute } from "./report.ts";

/** So many seeds on either store, or with a real Redis beside the model; how many differ. */
export async function reportDifferential({
  say,
  isOver,
  first,
  runs,
  from,
  realPort,
}: Bounds & { runs: number; from: number; realPort: number | null }): Promise<number> {
  const sums = { runs: 0, found: 0, commands: 0 };
  const began = cpuMs();
  for (let seed = from; seed < from + runs && !isOver() && !(first && sums.found > 0); seed += 1) {
    const { found, commands } =
      realPort === null ? { found: await runOnBoth(seed), commands: 0 } : await runBesideReal(seed, realPort);
    sums.runs += 1;
    sums.commands += commands;
    if (found.length === 0) continue;
    sums.found += 1;
    say(`npm run simulate -- --differential --runs 1 --seed ${seed}${realPort === null ? "" : " --real-redis"}`);
    for (const one of found) say(`  ${one}`);
  }
  const speed = perMinute({ runs: sums.runs, ms: cpuMs() - began });
  const where = realPort === null ? "on either store" : `beside a real Redis, ${sums.commands} commands,`;
  say(
    `${sums.runs} seeds ${where} from ${from} to ${from + sums.runs - 1}, ${sums.found} with differences, ${speed} a minute of a core`,
  );
  if (runs === 1)
    for (const { gapMs, who, does } of orderlyPlan(from).steps) say(`after ${gapMs} ms ${who} ${printAction(does)}`);
  return sums.found;
}
