import { commands, reads, sellsOn } from "../examples.ts";
import { type BlowName, blowNames } from "./blows.ts";
import { type Clean, prepare, tryClean, tryFailure } from "./enumerate.ts";
import { missingCalls } from "./facts.ts";
import type { Saved } from "./world/deployment.ts";

export interface Bounds {
  say(line: string): void;
  isOver(): boolean;
  /** It ends with the first finding. */
  first: boolean;
}

/** A world in which failures are tried: of one instance on a file, or of several on the model of Redis. */
interface World {
  seed: number;
  instances: number;
}

interface Where extends World {
  /** Of the crash points, the first and each that is so many after it. */
  every: number;
}

export const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;

export function perMinute({ runs, ms }: { runs: number; ms: number }): number {
  return Math.round(runs / (ms / 60_000));
}

/** A command that begins with a mention is a message. */
function asTyped(command: string): string {
  return /^[/@]/.test(command) ? command : `/${command}`;
}

async function cleanRun(command: string, where: World): Promise<Clean> {
  const typed = asTyped(command);
  return tryClean(await worldFor(typed, where), where.seed, typed);
}

const prepared = new Map<string, Saved>();
/** Ten times what the store has: most of a run is looks of instances that wait. 321 runs a minute of a core, and 205 without it. */
const lookEveryMs = 5_000;

/** The world that has the keys for the command, prepared at its first use. */
async function worldFor(command: string, { seed, instances }: World): Promise<Saved> {
  // The first round of a process is not like the others: parsers are compiled and modules loaded in real time.
  if (prepared.size === 0) await tryClean(await prepare(1, false), 1, "/vps cancel web-1");
  const sells = sellsOn(command);
  const name = `${seed} ${sells} ${instances}`;
  const world =
    prepared.get(name) ?? (await prepare(seed, sells, instances > 0 ? { instances, lookEveryMs } : undefined));
  prepared.set(name, world);
  return world;
}

/** One run with a crash, event by event; how many findings it has. */
export async function reportCrash(
  command: string,
  { say, at, blow, ...where }: Bounds & World & { at: number; blow: BlowName | undefined },
): Promise<number> {
  const clean = await cleanRun(command, where);
  const { trace, texts, findings } = await tryFailure({ clean, at, blow }, where.seed, true);
  for (const line of trace) say(line);
  for (const words of texts) say(`| ${words.replaceAll("\n", "\n| ")}\n---`);
  for (const finding of findings) say(finding);
  return findings.length;
}

/** Every crash point of each command; how many runs had findings. */
export async function enumerateCommands(commands: readonly string[], bounds: Bounds & Where): Promise<number> {
  let found = 0;
  for (const command of commands) found += await enumerateCommand(command, bounds);
  return found;
}

async function enumerateCommand(command: string, bounds: Bounds & Where): Promise<number> {
  const { say } = bounds;
  const clean = await cleanRun(command, bounds);
  say(`${clean.command}: ${clean.points.length} crash points, ${clean.writes.join(", ") || "nothing is written"}`);
  for (const { who, what, error } of clean.moves) say(`  ${who} ${what}${error === null ? "" : `: ${error}`}`);
  const sums = await tryAll(clean, bounds);
  say(`${clean.command}: ${sums.runs} runs, ${sums.found} with findings, ${perMinute(sums)} a minute of a core`);
  return sums.found;
}

/** Every crash point of every operation that writes, without the first `skip` of them. */
export async function enumerateAll(bounds: Bounds & Where & { only: string; skip: number }): Promise<number> {
  const { say, only } = bounds;
  const all = { commands: 0, runs: 0, found: 0, ms: 0 };
  let { skip } = bounds;
  for (const command of commands.filter((one) => one.includes(only))) {
    if (bounds.isOver()) break;
    const clean = await cleanRun(command, bounds);
    const { length } = clean.points;
    const { runs, found, ms } = await tryAll({ ...clean, points: clean.points.slice(skip) }, bounds);
    skip = Math.max(0, skip - length);
    if (runs > 0) say(`${command}: ${runs} of ${length} crash points, ${found} with findings`);
    Object.assign(all, {
      commands: all.commands + 1,
      runs: all.runs + runs,
      found: all.found + found,
      ms: all.ms + ms,
    });
  }
  say(
    `${all.commands} of ${commands.length} commands, ${all.runs} runs, ${all.found} with findings, ${perMinute(all)} a minute of a core`,
  );
  return all.found;
}

/**
 * The example of each operation where nothing goes wrong, and what they leave out of the platform; how many findings there are. With words,
 * the examples that have them.
 */
export async function reportExamples({ say, seed, only }: Bounds & { seed: number; only: string }): Promise<number> {
  const cleans: Clean[] = [];
  const chosen = [...reads, ...commands].filter((one) => one.includes(only));
  for (const command of chosen) cleans.push(await cleanRun(command, { seed, instances: 0 }));
  const found = [
    ...cleans.flatMap(({ command, findings }) => findings.map((finding) => `${command}: ${finding}`)),
    ...(only === "" ? missingCalls(new Set(cleans.flatMap(({ accepted }) => accepted))) : []),
  ];
  for (const line of found) say(line);
  say(`${cleans.length} examples, ${found.length} findings`);
  return found.length;
}

async function tryAll(clean: Clean, { say, seed, instances, every, isOver, first }: Bounds & Where) {
  const began = cpuMs();
  const sums = { runs: 0, found: 0 };
  for (const finding of clean.findings) say(`  ${clean.command}, without a failure: ${finding}`);
  for (const at of clean.points.filter((_, n) => n % every === 0)) {
    if (isOver() || (first && sums.found > 0)) break;
    // Each point has one of them: another seed has another.
    const blow = instances > 0 ? blowNames[(at + seed) % blowNames.length] : undefined;
    const { findings } = await tryFailure({ clean, at, blow }, seed);
    sums.runs += 1;
    if (findings.length > 0) sums.found += 1;
    const how = blow ? ` --instances ${instances} --blow "${blow}"` : "";
    for (const finding of findings)
      say(`  --command "${clean.command.replace(/^\//, "")}" --seed ${seed} --at ${at}${how}: ${finding}`);
  }
  const ms = cpuMs() - began;
  const found = sums.found + (clean.findings.length > 0 ? 1 : 0);
  return { runs: sums.runs, found, ms };
}
