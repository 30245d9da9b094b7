import { printAction } from "./actions.ts";
import { corpus, covering } from "./corpus.ts";
import { reachable } from "./judging.ts";
import { type Plan, planOf } from "./plan.ts";
import { prepareTeam, type Ran, runPlan } from "./random.ts";
import { type Bounds, cpuMs, perMinute } from "./report.ts";
import { scenes } from "./scenes.ts";
import type { Saved } from "./world/deployment.ts";

/** So many runs are made at most to make one that fails smaller. */
const mostShrinking = 60;

const prepared = new Map<string, Saved>();

/** Prepares the world of a plan at its first use: on a file, or with so many instances on the model of Redis. */
export async function worldOf({ world, approvals }: Pick<Plan, "world" | "approvals">, instances = 0): Promise<Saved> {
  if (prepared.size === 0) await warmUp();
  const name = world ?? approvals;
  const place = `${name} ${instances}`;
  const saved = prepared.get(place) ?? (await prepareTeam(name, instances > 0 ? { onRedis: { instances } } : {}));
  prepared.set(place, saved);
  return saved;
}

/** The first run of a process is not like the others. */
async function warmUp(): Promise<void> {
  const first = planOf(1);
  await runPlan(await prepareTeam(first.world ?? first.approvals), first);
}

/** One run, event by event, of what is left of a plan; how many findings it has. */
export async function reportRun(
  seed: number,
  { say, steps, faults, instances }: Bounds & { steps: number[] | null; faults: number[] | null; instances: number },
): Promise<number> {
  const whole = planOf(seed);
  const plan = {
    ...whole,
    steps: whole.steps.filter((_, at) => steps === null || steps.includes(at)),
    faults: whole.faults.filter((_, at) => faults === null || faults.includes(at)),
  };
  const { trace, findings, reached } = await runPlan(await worldOf(plan, instances), plan, { traced: true });
  for (const line of trace) say(line);
  say(`world=${plan.world ?? plan.approvals}`);
  for (const { gapMs, who, does } of plan.steps) say(`after ${gapMs} ms ${who} ${printAction(does)}`);
  for (const fault of plan.faults) say(`fault ${JSON.stringify(fault)}`);
  say(`reached ${[...reached].join("; ")}`);
  for (const finding of findings) say(finding);
  return findings.length;
}

/** So many runs, each from the next seed; how many had findings. What fails is made smaller, and one line replays it. */
export async function reportRuns({
  runs,
  from,
  ...bounds
}: Bounds & { runs: number; from: number; instances: number }): Promise<number> {
  const { found } = await runAll(plansFrom(from, runs), bounds);
  return found;
}

function* plansFrom(seed: number, runs: number): Generator<Plan> {
  for (let at = 0; at < runs; at += 1) yield planOf(seed + at);
}

/** The stored seeds and plans; how many had findings, or were needed to reach what none has reached. */
export async function reportCorpus(bounds: Bounds): Promise<number> {
  const seeds = [...covering, ...corpus.map(({ seed }) => seed)];
  const { found, missed } = await runAll([...seeds.map(planOf), ...Object.values(scenes)], bounds);
  return found + missed.length;
}

/** The plans that are written by hand; how many had findings. */
export async function reportScenes({ say }: Bounds, only: string): Promise<number> {
  let found = 0;
  for (const [name, plan] of Object.entries(scenes).filter(([name]) => name.includes(only))) {
    const { findings } = await runPlan(await worldOf(plan), plan);
    found += findings.length;
    say(`${name}: ${findings.length === 0 ? "as it ought to be" : findings.join("; ")}`);
  }
  return found;
}

async function runAll(plans: Iterable<Plan>, { say, isOver, first, instances = 0 }: Bounds & { instances?: number }) {
  const reached = new Map<string, number>();
  const began = cpuMs();
  const sums = { runs: 0, found: 0, crashes: 0, events: 0 };
  let from: number | undefined;
  for (const plan of plans) {
    from ??= plan.seed;
    if (isOver() || (first && sums.found > 0)) break;
    const ran = await runPlan(await worldOf(plan, instances), plan);
    sums.runs += 1;
    sums.crashes += ran.crashes;
    sums.events += ran.events;
    for (const name of ran.reached) reached.set(name, (reached.get(name) ?? 0) + 1);
    if (ran.findings.length === 0) continue;
    sums.found += 1;
    await reportFinding(plan, ran, { say, instances });
  }
  const speed = perMinute({ runs: sums.runs, ms: cpuMs() - began });
  say(
    `${sums.runs} runs from seed ${from}, ${sums.found} with findings, ${sums.crashes} crashes, ${sums.events} events, ${speed} a minute of a core`,
  );
  const counts = [...reached].map(([name, count]) => `${name} ${count}`);
  say(`reached: ${counts.toSorted().join("; ")}`);
  const missed = reachable.filter((name) => !reached.has(name));
  say(missed.length > 0 ? `never reached: ${missed.join("; ")}` : "all that can be reached was reached");
  return { found: sums.found, missed };
}

async function reportFinding(
  whole: Plan,
  ran: Ran,
  { say, instances }: Pick<Bounds, "say"> & { instances: number },
): Promise<void> {
  const { seed } = whole;
  const again = await runPlan(await worldOf(whole, instances), whole);
  if (again.digest !== ran.digest) say(`seed ${seed} is not the same the second time`);
  const small = await shrink(await worldOf(whole, instances), whole, ran.findings[0] ?? "");
  const left = (all: readonly unknown[], some: readonly unknown[]) =>
    all.flatMap((one, at) => (some.includes(one) ? at : []));
  say(
    `npm run simulate -- --seed ${seed} --steps ${left(whole.steps, small.steps)} --faults ${left(whole.faults, small.faults)}${instances > 0 ? ` --instances ${instances}` : ""}`,
  );
  for (const finding of ran.findings) say(`  ${finding}`);
}

/** Fewer steps and fewer faults with which the same oracle still finds something. */
async function shrink(saved: Saved, plan: Plan, finding: string): Promise<Plan> {
  const oracle = nameOf(finding);
  let small = plan;
  let runs = 0;
  const stillFails = async (smaller: Plan) => {
    runs += 1;
    return (await runPlan(saved, smaller)).findings.some((one) => nameOf(one) === oracle);
  };
  for (const part of ["faults", "steps"] as const)
    for (let at = small[part].length - 1; at >= 0 && runs < mostShrinking; at -= 1) {
      const smaller = { ...small, [part]: small[part].filter((_, other) => other !== at) };
      if (await stillFails(smaller)) small = smaller;
    }
  return small;
}

/** A finding without its particulars. */
function nameOf(finding: string): string {
  return finding.replaceAll(/"[^"]*"|\d+/g, "").slice(0, 60);
}
