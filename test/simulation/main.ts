/**
 * `npm run simulate -- --runs N [--seed S] [--minutes M]`: N runs from the seed S on, or from one that nobody has had.
 * With `--instances 2` several people work with two instances on the model of Redis.
 * `npm run simulate -- --fresh [--minutes M]`: as many runs as fit into a minute, or into M, from seeds that nobody has had.
 * `npm run simulate -- --seed S [--steps 0,2] [--faults 1]`: one run event by event, or what is left of it.
 * `npm run simulate -- --command "vps cancel web-1" [--seed S] [--at K]`: every crash point of a command, or of several, or one event by event.
 * `npm run simulate -- --corpus`: the stored seeds, which must reach all that can be reached.
 * `npm run simulate -- --scenes ""`: the plans that are written by hand, or those with these words in their name.
 * `npm run simulate -- --sabotage`: a world broken for each oracle, which it alone must find.
 * With `--first` each of these ends with the first that fails.
 * `npm run simulate -- --all [--minutes M]`: every crash point of every operation that writes.
 * `npm run simulate -- --all --instances 2 [--skip N] [--every N]`: the same of several instances on the model of Redis, of which one is killed, frozen
 * or parted, or Redis fails; a single one with `--command "vps cancel web-1" --instances 2 --at K --blow freeze`.
 * `npm run simulate -- --examples [--only "service rescue"]`: the example of each operation, or of those with these words, where nothing goes
 * wrong, compared with what the operation declares.
 * `npm run simulate -- --differential --runs N [--seed S]`: N seeds on a file and on the model of Redis, which must come to the same.
 * `npm run simulate -- --differential --real-redis --runs N [--seed S]`: N seeds with a real redis-server beside the model.
 * `npm run simulate -- --examples --then --corpus`: one after the other in one process, each under a line with its words.
 */
import { parseArgs } from "node:util";
import { startRedis } from "../storage/redis/server.ts";

const text = { type: "string" } as const;
const options = {
  runs: text,
  seed: text,
  steps: text,
  faults: text,
  minutes: text,
  command: { ...text, multiple: true },
  at: text,
  instances: text,
  blow: text,
  skip: text,
  every: text,
  only: text,
  all: { type: "boolean" },
  first: { type: "boolean" },
  corpus: { type: "boolean" },
  differential: { type: "boolean" },
  "real-redis": { type: "boolean" },
  examples: { type: "boolean" },
  fresh: { type: "boolean" },
  sabotage: { type: "boolean" },
  scenes: text,
} as const;
const jobs = split(process.argv.slice(2), "--then").map((args) => ({ args, ...parseArgs({ args, options }) }));
type Job = (typeof jobs)[number];

// Before time and the network are replaced.
const real = jobs.some(({ values }) => values["real-redis"]) ? await startRedis({ appendonly: "no" }) : null;
const realNow = () => Number(process.hrtime.bigint() / 1_000_000n);
const began = Date.now();
const { isBlow } = await import("./blows.ts");
const { enumerateAll, enumerateCommands, reportCrash, reportExamples } = await import("./report.ts");
const { reportCorpus, reportRun, reportRuns, reportScenes } = await import("./report-random.ts");
const { reportDifferential } = await import("./report-differential.ts");
const { reportSabotages } = await import("./sabotage.ts");

const say = (line: string) => void process.stdout.write(`${line}\n`);
let ended = false;
// A long series that is ended from outside says how far it came.
process.once("SIGTERM", () => {
  ended = true;
});
const numbers = (list: string | undefined) => (list === undefined ? null : list.split(",").filter(Boolean).map(Number));

/** Carries out one job; how much it found. */
async function carryOut({ values }: Job): Promise<number> {
  const stop = realNow() + Number(values.minutes ?? (values.fresh ? 1 : 24 * 60)) * 60_000;
  const bounds = { say, isOver: () => ended || realNow() > stop, first: values.first === true };
  const seed = Number(values.seed ?? 1);
  const where = { seed, instances: Number(values.instances ?? 0), every: Number(values.every ?? 1) };
  const blow = values.blow !== undefined && isBlow(values.blow) ? values.blow : undefined;
  const realPort = values["real-redis"] && real ? real.port : null;
  const [command] = values.command ?? [];
  if (command !== undefined && values.at !== undefined)
    return reportCrash(command, { ...bounds, ...where, at: Number(values.at), blow });
  if (values.command !== undefined) return enumerateCommands(values.command, { ...bounds, ...where });
  if (values.scenes !== undefined) return reportScenes(bounds, values.scenes);
  if (values.sabotage) return reportSabotages(bounds);
  if (values.corpus) return reportCorpus(bounds);
  if (values.examples) return reportExamples({ ...bounds, seed, only: values.only ?? "" });
  if (values.all) return enumerateAll({ ...bounds, ...where, only: values.only ?? "", skip: Number(values.skip ?? 0) });
  if (values.differential)
    return reportDifferential({ ...bounds, runs: Number(values.runs ?? 1), from: seed, realPort });
  if (values.fresh || values.runs !== undefined)
    return reportRuns({
      ...bounds,
      runs: Number(values.runs ?? Number.POSITIVE_INFINITY),
      from: Number(values.seed ?? began % 1_000_000_000),
      instances: where.instances,
    });
  return reportRun(seed, {
    ...bounds,
    instances: where.instances,
    steps: numbers(values.steps),
    faults: numbers(values.faults),
  });
}

let found = 0;
for (const job of jobs) {
  if (jobs.length > 1) say(`> ${job.args.join(" ")}`);
  found += await carryOut(job);
}

await real?.remove();

// Objects that hang in simulated worlds must not keep the process alive; its output must reach its reader.
process.stdout.write("", () => process.exit(found === 0 ? 0 : 1));

/** The lists between the separators. */
function split(all: readonly string[], separator: string): string[][] {
  const at = all.indexOf(separator);
  return at < 0 ? [[...all]] : [all.slice(0, at), ...split(all.slice(at + 1), separator)];
}
