import { admit, may } from "../members/access/access.ts";
import { type BindingApp, type BoundOperation, bind } from "../members/access/bound.ts";
import {
  type EntriesOf,
  firstFound,
  nothingCalled,
  searchable,
  searchedWords,
  waysToFind,
} from "../members/access/name-search.ts";
import { entriesMeant, labelledApart, nearEntries } from "../members/access/resolve.ts";
import { choiceMessage, type OfferedReading } from "../messages/answers/answers.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { type Registry, topicOf } from "../operation/registry.ts";
import type { Entry } from "../operation/target.ts";
import { commandLine } from "../operation/usage.ts";
import { SigningSecretMissing } from "../platform/http/client.ts";
import { limits } from "../views/limits.ts";
import { clip, code, dotted, escapeText } from "../views/text.ts";
import type { App } from "./app.ts";
import { generality } from "./mentioned-resources.ts";
import { offerTimed } from "./timed-words.ts";

/** One possible command with the member's key, and the resources that its target may mean. */
interface BoundCommand {
  invocation: Invocation;
  operation: PlatformOperation;
  bound: BoundOperation;
}
type Candidate = BoundCommand & { entry: Entry };

type Choosing = Pick<App, keyof BindingApp | "people" | "reply">;

/**
 * Decides which of several commands is meant when the noun was left out ("reboot web-1"), by the kind of the target in the member's own
 * name index. Null when the member was asked instead. Refuses a name that matches nothing. A verb that is a synonym of a
 * `confirmed` command is always asked about: a word of another product must not run something here. `unknown`: the question, where a near
 * verb was found.
 */
export async function whichNoun(
  app: Choosing,
  {
    readings,
    verb,
    confirmed,
    unknown,
  }: { readings: Invocation[]; verb: string; confirmed: readonly string[]; unknown?: string },
  origin: Origin,
): Promise<Invocation | null> {
  const question = unknown !== undefined ? escapeText(unknown) : confirmed.length > 0 ? synonymWords(verb) : whichWords;
  const meant = await findMeant(app, { readings, verb }, origin, question);
  if (meant === null || !confirmed.includes(meant.command)) return meant;
  return ask(app, origin, question, commandPicks(app.registry, [meant]));
}

async function findMeant(
  app: Choosing,
  { readings, verb }: { readings: Invocation[]; verb: string },
  origin: Origin,
  whichOne: string,
): Promise<Invocation | null> {
  const { registry, identities, clock } = app;
  await admit(app, origin.slackUser);
  const links = await identities.links(origin.member);
  const allowed = readings.filter(({ command }) => {
    const operation = registry.find(command);
    return operation !== undefined && may(links, operation);
  });
  const [first, second] = allowed;
  // If the keys allow none, the first command goes on and is refused with the missing scope.
  if (!first || !second) return first ?? readings[0] ?? null;
  const typed = allowed.find(({ target }) => target !== undefined)?.target;
  // Of one noun each reading fits the name, so that the index cannot decide.
  const isOneNoun = new Set(allowed.map((one) => topicOf(one))).size === 1;
  if (typed === undefined || isOneNoun) return ask(app, origin, whichOne, commandPicks(registry, allowed));
  const all = (await Promise.all(allowed.map((reading) => bindReading(app, reading, origin.member)))).flat();
  const { open: bound, refused } = await searchable(all);
  const found = await look(bound, typed);
  const meant = found.length > 0 ? found : await near(bound, typed);
  const [one, ...others] = meant;
  if (!one) {
    if (await offerTimed(app, bound, origin)) return null;
    const searched = await searchedWords(
      bound.map((each) => each.bound),
      refused,
      clock.now(),
    );
    throw new Refusal(`${unknownWords(typed, verb, refused)} ${searched} Nothing was done.`);
  }
  if (found.length > 0 && others.every(({ invocation }) => invocation === one.invocation)) return one.invocation;
  const question =
    found.length > 0 ? `${code(typed)} has more than one match.` : `${nothingCalled(refused)} ${code(typed)}.`;
  return ask(app, origin, `${question} Which one is meant? Nothing was done.`, thingPicks(meant));
}

/** Of a word alone nobody knows if a command or a resource was meant. */
function unknownWords(typed: string, verb: string, refused: readonly string[]): string {
  const help = "`/rackbell help` shows all commands, and `/rackbell search` finds resources.";
  if (verb !== "") return `${nothingCalled(refused)} ${code(typed)} for the command ${code(verb)}. ${help}`;
  return `I don't know ${code(typed)}: it is no command of Rackbell, and Rackbell finds no resource of that name. ${help}`;
}

async function ask({ reply }: Choosing, origin: Origin, text: string, picks: OfferedReading[]): Promise<null> {
  await reply.ephemeral(origin, choiceMessage(text, picks));
  return null;
}

async function bindReading(app: Choosing, invocation: Invocation, member: string): Promise<BoundCommand[]> {
  const operation = app.registry.find(invocation.command);
  if (!operation || operation.api === "app" || !operation.target) return [];
  try {
    return [{ invocation, operation, bound: await bind(app, operation, member) }];
  } catch (error) {
    // Without a signing secret the command cannot run, so it is not the one meant.
    if (error instanceof SigningSecretMissing) return [];
    throw error;
  }
}

const whichWords = "Several commands match. Which one do you mean?";

function look(all: BoundCommand[], typed: string): Promise<Candidate[]> {
  const [names] = all.flatMap(({ invocation: { several } }) => (several && "names" in several ? [several.names] : []));
  return firstFound(waysToFind(typed, names), (entriesOf) =>
    each(all, entriesOf, (entries) => entriesMeant(entries, typed, names)),
  );
}

function near(all: BoundCommand[], typed: string): Promise<Candidate[]> {
  return each(
    all,
    async (bound) => (await bound.listing()).entries,
    (entries) => nearEntries(entries, typed),
  );
}

/** A resource of two kinds counts as the more specific one. */
async function each(
  all: BoundCommand[],
  entriesOf: EntriesOf,
  pick: (entries: readonly Entry[]) => Entry[],
): Promise<Candidate[]> {
  const listed = await Promise.all(all.map(async (one) => ({ one, entries: await entriesOf(one.bound) })));
  const found = listed.flatMap(({ one, entries }) => pick(entries).map((entry) => ({ ...one, entry })));
  const special = [...found].sort((a, b) => generality(a) - generality(b));
  const byId = new Map<string, Candidate>();
  for (const each of special) if (!byId.has(each.entry.id)) byId.set(each.entry.id, each);
  return [...byId.values()];
}

function synonymWords(synonym: string): string {
  return `Rackbell calls ${code(synonym)} by another name. Press the button to go on. Nothing was done yet.`;
}

/** A button for each command, with all that was typed behind it. */
function commandPicks(registry: Registry, invocations: Invocation[]) {
  return invocations.flatMap((invocation) => {
    const operation = registry.find(invocation.command);
    if (!operation) return [];
    const { target, several, input } = invocation;
    const targets = several && "names" in several ? several.names : target === undefined ? [] : [target];
    const label = clip(commandLine(operation, { targets, input }), limits.button.text);
    return [{ label, operation, invocation }];
  });
}

function thingPicks(meant: Candidate[]) {
  const labels = labelledApart(
    meant.map(({ entry, operation }) => ({ ...entry, detail: dotted([operation.target?.label, entry.detail]) })),
  );
  return meant.map(({ invocation: { several: _, ...invocation }, operation, entry }, at) => {
    return { label: labels[at]?.label ?? entry.name, operation, invocation: { ...invocation, target: entry.id } };
  });
}
