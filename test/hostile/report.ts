import { createDraws } from "../torture/draws.ts";
import { type Case, commandsOf, nameOfCase, type Part, parts } from "./cases.ts";
import { kept } from "./kept.ts";
import { type Outcome, shownIn, survey, tryCases } from "./run.ts";

interface Bounds {
  say(line: string): void;
  isOver(): boolean;
}

function partNamed(name: string): Part {
  const found = parts.find((one) => one === name);
  if (!found) throw new Error(`There is no part ${name}: ${parts.join(", ")}`);
  return found;
}

/** Every case of a part; how many have findings. `each`: a shape of a route is tried with so many commands at most. */
export async function reportPart(
  name: string,
  { say, isOver, only, from, each }: Bounds & { only: readonly string[]; from: number; each: number },
): Promise<number> {
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
    only.length === 0 || only.some((words) => (commands.includes(words) ? command === words : command.includes(words)));
  for (const [at, command] of commands.entries()) {
    if (at < from || !isWanted(command)) continue;
    if (isOver()) break;
    const chosen = (await survey(part, command)).filter(({ route, shape }) => isNew(`${route} ${shape.name}`));
    let own = 0;
    await tryCases(chosen, (outcome) => {
      sums.cases += 1;
      if (outcome.findings.length > 0) own += 1;
      for (const { kind } of outcome.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      sayOutcome(say, outcome);
    });
    sums.commands += 1;
    sums.found += own;
    say(`${at} ${command}: ${chosen.length} cases, ${own} with findings`);
  }
  say(
    `${sums.commands} commands, ${sums.cases} cases, ${sums.found} with findings: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ") || "none"}`,
  );
  return sums.found;
}

function sayOutcome(say: Bounds["say"], { name, findings }: Outcome): void {
  for (const { kind, text } of findings.slice(0, 4)) say(`  --case ${JSON.stringify(name)}\n    ${kind}: ${text}`);
}

/** The cases that once failed; how many have findings. */
export async function reportKept({ say }: Bounds): Promise<number> {
  let found = 0;
  for (const [of, names] of Map.groupBy(kept, (name) => name.split(" | ").slice(0, 2).join(" | "))) {
    const [part = "", command = ""] = of.split(" | ");
    const cases = await survey(partNamed(part), command);
    const chosen = names.flatMap((name) => cases.find((one) => nameOfCase(one) === name) ?? []);
    if (chosen.length < names.length) say(`  of these some are no cases any more: ${names.join("; ")}`);
    found += names.length - chosen.length;
    await tryCases(chosen, (outcome) => {
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
export async function reportCase(name: string, { say }: Bounds): Promise<number> {
  const one = await caseNamed(name);
  for (const send of [null, one.shape.send]) {
    say(`=== ${send ? "in this case" : "as usual"}`);
    for (const line of await shownIn(one, send)) say(line);
  }
  let found = 0;
  await tryCases([one], (outcome) => {
    sayOutcome(say, outcome);
    found += outcome.findings.length;
  });
  return found;
}

/** Cases of all parts that a seed picks; how many have findings. */
export async function reportSample({
  say,
  isOver,
  count,
  seed,
}: Bounds & { count: number; seed: number }): Promise<number> {
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
    await tryCases(picked, (outcome) => {
      tried += 1;
      if (outcome.findings.length > 0) found += 1;
      sayOutcome(say, outcome);
    });
  }
  say(`${tried} cases of the seed ${seed}, ${found} with findings`);
  return found;
}
