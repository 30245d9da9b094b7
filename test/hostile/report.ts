import { createDraws, type Draws } from "../torture/draws.ts";
import { type Case, commandsOf, hasRisk, nameOfCase, type Part, parts } from "./cases.ts";
import { kept } from "./kept.ts";
import { type Outcome, shownIn, survey, tryCases } from "./run.ts";

interface Bounds {
  say(line: string): void;
  isOver(): boolean;
  /** It now tries this case, or does this. */
  at(place: string): void;
}

function partNamed(name: string): Part {
  const found = parts.find((one) => one === name);
  if (!found) throw new Error(`There is no part ${name}: ${parts.join(", ")}`);
  return found;
}

interface Choice {
  /** Commands, or words in them; none: all commands. */
  only: readonly string[];
  /** Commands of these risks; none: of all. */
  risks: readonly string[];
  from: number;
  /** A shape of a route is tried with so many commands at most. */
  each: number;
  /** So many cases of a command at most, from the seed. */
  most: number;
  seed: number;
}

/** Every case of a part; how many have findings. */
export async function reportPart(
  name: string,
  { only, risks, from, each, most, seed, ...bounds }: Bounds & Choice,
): Promise<number> {
  const { say, isOver, at: sayAt } = bounds;
  const part = partNamed(name);
  const tried = new Map<string, number>();
  const isNew = (key: string) => {
    tried.set(key, (tried.get(key) ?? 0) + 1);
    return (tried.get(key) ?? 0) <= each;
  };
  const sums = { commands: 0, cases: 0, found: 0 };
  const kinds = new Map<string, number>();
  const commands = commandsOf(part);
  const isWanted = (command: string) =>
    hasRisk(command, risks) &&
    (only.length === 0 ||
      only.some((words) => (commands.includes(words) ? command === words : command.includes(words))));
  const draws = createDraws(seed);
  for (const [at, command] of commands.entries()) {
    if (at < from || !isWanted(command)) continue;
    if (isOver()) {
      say(`the minutes are over: go on with --from ${at}`);
      break;
    }
    sayAt(`the survey of ${command}`);
    const all = await survey(part, command);
    const chosen: Case[] = [];
    for (const one of all.length > most ? shuffled(all, draws) : all)
      if (chosen.length < most && isNew(`${one.route} ${one.shape.name}`)) chosen.push(one);
    let own = 0;
    const before = sums.cases;
    await tryCases(chosen, bounds, (outcome) => {
      sums.cases += 1;
      if (outcome.findings.length > 0) own += 1;
      for (const { kind } of outcome.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      sayOutcome(say, outcome);
    });
    sums.commands += 1;
    sums.found += own;
    if (isOver() && sums.cases - before < chosen.length) say(`the minutes are over: go on with --from ${at}`);
    const ofIt = sums.cases - before;
    say(`${at} ${command}: ${ofIt < all.length ? `${ofIt} of ` : ""}${all.length} cases, ${own} with findings`);
  }
  if (Number.isFinite(most)) say(`a sample of the seed ${seed}`);
  say(
    `${sums.commands} commands, ${sums.cases} cases, ${sums.found} with findings: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ") || "none"}`,
  );
  return sums.found;
}

function shuffled<T>(all: readonly T[], draws: Draws): T[] {
  return all
    .map((one) => ({ one, order: draws.between(0, 1e9) }))
    .sort((left, right) => left.order - right.order)
    .map(({ one }) => one);
}

function sayOutcome(say: Bounds["say"], { name, findings }: Outcome): void {
  for (const { kind, text } of findings.slice(0, 4)) say(`  --case ${JSON.stringify(name)}\n    ${kind}: ${text}`);
}

/** The cases that once failed; how many have findings. */
export async function reportKept(bounds: Bounds): Promise<number> {
  const { say } = bounds;
  let found = 0;
  for (const [of, names] of Map.groupBy(kept, (name) => name.split(" | ").slice(0, 2).join(" | "))) {
    const [part = "", command = ""] = of.split(" | ");
    const cases = await survey(partNamed(part), command);
    const chosen = names.flatMap((name) => cases.find((one) => nameOfCase(one) === name) ?? []);
    if (chosen.length < names.length) say(`  of these some are no cases any more: ${names.join("; ")}`);
    found += names.length - chosen.length;
    await tryCases(chosen, bounds, (outcome) => {
      sayOutcome(say, outcome);
      if (outcome.findings.length > 0) found += 1;
    });
  }
  say(`${kept.length} kept cases, ${found} with findings`);
  return found;
}

async function caseNamed(name: string): Promise<Case> {
  const [part = "", command = ""] = name.split(" | ");
  const found = (await survey(partNamed(part), command)).find((one) => nameOfCase(one) === name);
  if (!found) throw new Error(`There is no case ${name}`);
  return found;
}

/** One case with all that is shown, after what is usually shown; how many findings it has. */
export async function reportCase(name: string, bounds: Bounds): Promise<number> {
  const { say } = bounds;
  const one = await caseNamed(name);
  for (const send of [null, one.shape.send]) {
    say(`=== ${send ? "in this case" : "as usual"}`);
    for (const line of await shownIn(one, send)) say(line);
  }
  let found = 0;
  await tryCases([one], bounds, (outcome) => {
    sayOutcome(say, outcome);
    found += outcome.findings.length;
  });
  return found;
}

/** Cases of all parts that a seed picks; how many have findings. */
export async function reportSample({
  count,
  seed,
  ...bounds
}: Bounds & { count: number; seed: number }): Promise<number> {
  const { say, isOver } = bounds;
  const draws = createDraws(seed);
  let [tried, found] = [0, 0];
  while (tried < count && !isOver()) {
    const part = draws.pick(parts);
    const commands = commandsOf(part);
    const one = commands[draws.between(0, commands.length - 1)];
    if (one === undefined) continue;
    const cases = await survey(part, one);
    if (cases.length === 0) continue;
    const picked = Array.from({ length: 8 }, () => cases[draws.between(0, cases.length - 1)]).flatMap(
      (each) => each ?? [],
    );
    await tryCases(picked, bounds, (outcome) => {
      tried += 1;
      if (outcome.findings.length > 0) found += 1;
      sayOutcome(say, outcome);
    });
  }
  say(`${tried} cases of the seed ${seed}, ${found} with findings`);
  return found;
}
