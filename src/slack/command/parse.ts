// slack/command/: parses typed commands, by the text and the declarations alone.

import { fieldsOf, isTypable } from "../../operation/fields.ts";
import { nearest } from "../../operation/matching.ts";
import type { Invocation, PlatformOperation, Synonym } from "../../operation/operation.ts";
import { type Meaning, type Registry, verbWordsOf } from "../../operation/registry.ts";
import { usageOf } from "../../operation/usage.ts";
import { ownValue } from "../../process/own-value.ts";
import { count, listing } from "../../views/text.ts";
import { parseBulk } from "./bulk.ts";
import { type Command, readCommand } from "./language.ts";
import type { SecretKind } from "./secrets.ts";
import { type CommandReading, nearVerbs, readingsOf } from "./without-noun.ts";

/**
 * The result of parsing: an invocation, or an error sentence. It depends on the text and the declarations alone, before any call.
 * `readings`: the noun is missing, or the verb is a synonym, and each of these may be meant.
 */
export type ParsedCommand = { invocation: Invocation } | Readings | WrongCommand;

/**
 * `verb`: as it was typed; empty for a name alone. `confirmed`: the commands among the readings that the member confirms: those that have it
 * as a synonym and are no reads, or all. `unknown`: a sentence that no command has these words, where the readings are near ones.
 */
export interface Readings {
  readings: Invocation[];
  verb: string;
  confirmed: string[];
  unknown?: string;
}

/** `leaked`: the text contains a secret that others can read. */
export interface WrongCommand {
  error: string;
  leaked?: boolean;
}

const app = "rackbell";
/** The most characters of a command, as sent by Slack. */
const longestText = 4_000;
/** In words; the longest command has four. */
const longestCommand = 8;
/** A verb that this many nouns have is never taken for a name. */
const commonIn = 5;

/** Parses a typed command. `command`: the slash command without its slash. `text`: the words after it. */
export function parseCommand(registry: Registry, command: string, text: string): ParsedCommand {
  // Never cut the text: half a list of machines would run. Check this first, since parsing a long text delays everybody.
  if (text.length > longestText) return { error: tooLong(text.length) };
  const read = readFor(registry, command, command === app ? unquoted(text) : text);
  if (read.secrets.length > 0) return leakedSecrets(read.secrets);
  const typed = withoutApp(command, read.words);
  const words = withNoun(registry, command, typed);
  const known = longestIn(words, registry.find);
  // "watch stop web-1" is no watch of "stop web-1": the longer words come first.
  const synonym = synonymIn(registry, words, { longerThan: known?.count ?? 0 });
  const match = synonym ? null : known;
  // The operation parses its verbatim text itself, and reports the errors in it.
  const isVerbatim =
    match?.found.verbatim === true || synonym?.found.every(({ operation }) => operation.verbatim === true);
  if (read.problems.length > 0 && !isVerbatim) return { error: read.problems.join(" ") };
  const help = helpAsked(registry, words);
  if (help) return { invocation: help };
  const meant = synonym && bySynonym(synonym, words, read);
  if (meant) return meant;
  const other = () => withoutNoun(registry, command, typed, read);
  if (!match) return parseUnknown(registry, words, read, other);
  const parsed = invocationOf({ operation: match.found, rest: words.slice(match.count) }, read);
  const mayMeanOther = "error" in parsed && match.found.api === "app";
  return mayMeanOther ? (other() ?? parsed) : parsed;
}

/** Words with which no command begins: `/vps web-1` shows it, and `stop web-1` finds its noun by the name. */
function parseUnknown(
  registry: Registry,
  words: string[],
  read: Command,
  withoutNoun: () => ParsedCommand | null,
): ParsedCommand {
  const shown = showOf(registry, words);
  if (shown) return invocationOf({ operation: shown, rest: words.slice(-1) }, read);
  return withoutNoun() ?? nearCommands(registry, words, read);
}

/** A command that was pasted whole in the code marks in which the app's messages show it. */
function unquoted(text: string): string {
  return /^(`{1,3})([^`]+)\1$/.exec(text.trim())?.[2] ?? text;
}

function tooLong(characters: number): string {
  return `As Slack sends it, your command has ${count(characters, "character")}. I read commands of at most ${count(longestText, "character")}. Nothing was done. Send it in several shorter commands.`;
}

export function leakedSecrets(secrets: SecretKind[]): WrongCommand {
  const kinds = listing(secrets.map((kind) => `a ${kind}`));
  return {
    error: `That looks like a secret (${kinds}), and everybody who can read your Slack history could read it. I did not use it. Revoke or change it. Secrets are asked for in a form: leave them out of commands.`,
    leaked: true,
  };
}

/** Text that looks like a secret is refused, unless the argument expects a digest. The words tell which argument that is. */
function readFor(registry: Registry, command: string, text: string): Command {
  const read = readCommand(text);
  if (read.secrets.length === 0) return read;
  const operation = longestIn(withNoun(registry, command, withoutApp(command, read.words)), registry.find)?.found;
  const digests = operation ? fieldsOf(operation.input).filter(({ digest }) => digest) : [];
  return readCommand(
    text,
    digests.map(({ name }) => name),
  );
}

/** The app's messages name each command with its slash, and so it is pasted: `@Rackbell /rackbell approvals`. */
function withoutApp(command: string, words: string[]): string[] {
  if (command !== app || words.length === 0) return words;
  const [first = "", ...rest] = words;
  const bare = first.replace(/^\//, "");
  return bare.toLowerCase() === app ? rest : [bare, ...rest];
}

/** Another app may own the short slash command, so every command works behind `/rackbell`, too. */
function withNoun(registry: Registry, command: string, typed: string[]): string[] {
  const first = typed[0]?.toLowerCase() ?? "";
  const words = command === app && registry.nouns.includes(first) ? typed : [command, ...typed];
  return words.map((word, at) => (at === 0 ? word.toLowerCase() : word));
}

/** Reads a command without a noun: the named resource decides the noun. Null if no noun has such a verb. */
function withoutNoun(registry: Registry, command: string, typed: string[], read: Command): ParsedCommand | null {
  if (command !== app) return null;
  const readings = readingsOf(registry, typed);
  // All leave the same words after the verb.
  const verb = typed.slice(0, typed.length - (readings[0]?.rest.length ?? 0)).join(" ");
  return oneOrSeveral(readings, verb, read);
}

/** The operations whose synonym begins the words, by the longest: "vps restart web-1". Null if there is none of more words. */
function synonymIn(
  registry: Registry,
  words: string[],
  { longerThan }: { longerThan: number },
): Match<readonly Meaning[]> | null {
  const match = longestIn(words, (command) => {
    const found = registry.meantBy(command);
    return found.length > 0 ? found : undefined;
  });
  return match && match.count > longerThan ? match : null;
}

function bySynonym({ found, count }: Match<readonly Meaning[]>, words: string[], read: Command) {
  const typed = words.slice(1, count).join(" ");
  return oneOrSeveral(
    found.map(({ operation, synonym }) => ({
      operation,
      rest: words.slice(count),
      synonym,
    })),
    typed,
    read,
  );
}

/**
 * The invocation of the only reading, or all readings, among which the member chooses. A synonym of a read, and of any command of the app's
 * own, runs like the verb itself. Of an act on the platform, the member confirms the real verb: others may mean something else by the word.
 */
function oneOrSeveral(readings: CommandReading[], verb: string, typed: Command): ParsedCommand | null {
  const read = readings.map((reading) => invocationOf(reading, typed));
  const invocations = read.flatMap((each) => ("invocation" in each ? [each.invocation] : []));
  const confirmed = readings
    .filter(({ operation, synonym }) => synonym && !synonym.exact && operation.risk !== "read")
    .map(({ operation }) => operation.command);
  const [only, second] = invocations;
  if (!only) return read[0] ?? null;
  return second || confirmed.length > 0 ? { readings: invocations, verb, confirmed } : { invocation: only };
}

/** The first words of somebody who does not know a command yet. */
const greeting = /^((hi|hello|hey)( there)?[!.?]*|(help me|(what can|how (do|can)) (i|you|we))\b.*)$/i;

/** The help for a noun alone, a noun with its sub-noun alone, or "help" after either; else null. */
function helpAsked(registry: Registry, words: string[]): Invocation | null {
  const [noun = "", second, third] = words.map((word) => word.toLowerCase());
  const topic = second === undefined ? noun : `${noun} ${second}`;
  const isTopic = registry.topics.includes(topic);
  const helpOn = (about: string): Invocation => ({
    command: `${app} help`,
    input: about === "" ? {} : { noun: about },
  });
  if (noun === app && greeting.test(words.slice(1).join(" "))) return helpOn("");
  if (noun === app && second === "help") return helpOn(words.slice(2).join(" "));
  if (second === undefined || second === "help") return helpOn(noun === app ? "" : noun);
  return isTopic && (third === undefined || third === "help") ? helpOn(topic) : null;
}

interface Match<T> {
  found: T;
  count: number;
}

/**
 * The longest beginning of the words that `look` knows, and its number of words: "vps snapshot delete x" is the deletion, not a snapshot
 * of a machine called "delete x". A quoted word with a blank is a name, never part of it.
 */
function longestIn<T>(words: string[], look: (command: string) => T | undefined): Match<T> | null {
  const quoted = words.findIndex((word) => word.includes(" "));
  const spoken = (quoted < 0 ? words : words.slice(0, quoted)).slice(0, longestCommand);
  for (let count = spoken.length; count > 0; count -= 1) {
    const found = look(spoken.slice(0, count).join(" ").toLowerCase());
    if (found !== undefined) return { found, count };
  }
  return null;
}

/** The operation that shows a resource, for a name alone that is close to no verb: `/vps web-1`. */
function showOf(registry: Registry, words: string[]): PlatformOperation | null {
  const topic = words.slice(0, -1).join(" ").toLowerCase();
  const name = words.at(-1) ?? "";
  if (!registry.topics.includes(topic)) return null;
  const show = registry.find(`${topic} show`);
  const isVerb = nearest(name, registry.under(topic).map(verbWordsOf)).length > 0 || isCommonVerb(registry, name);
  return show?.target && !isVerb ? show : null;
}

/** True for a verb of many nouns, as "list": such a word is no name. */
function isCommonVerb(registry: Registry, word: string): boolean {
  const topics = registry.topics.filter((topic) => registry.find(`${topic} ${word.toLowerCase()}`));
  return topics.length >= commonIn;
}

/** The commands with a near word in place of the wrong one, which the member confirms; an error sentence where none is near. */
function nearCommands(registry: Registry, words: string[], read: Command): ParsedCommand {
  const { at, near } = wrongWord(registry, words);
  const typed = words[at] ?? "";
  const topic = words.slice(0, at).join(" ").toLowerCase();
  const names = near.map((word) => `/${topic} ${word}`);
  const meant = names.length > 0 ? ` Did you mean ${listing(names, "or")}?` : "";
  const unknown = `I don't know “${typed}” for /${topic}.${meant} /${topic} help shows all there is. Nothing was done.`;
  const readings = near
    .flatMap((word) => readingsWith(registry, [...words.slice(0, at), ...word.split(" "), ...words.slice(at + 1)]))
    .map((reading) => invocationOf(reading, read))
    .flatMap((parsed) => ("invocation" in parsed ? [parsed.invocation] : []));
  if (readings.length === 0) return { error: unknown };
  return { readings, verb: typed, confirmed: readings.map(({ command }) => command), unknown };
}

function readingsWith(registry: Registry, words: string[]): CommandReading[] {
  const match = longestIn(words, registry.find);
  if (match) return [{ operation: match.found, rest: words.slice(match.count) }];
  return words[0] === app ? readingsOf(registry, words.slice(1)) : [];
}

/** The word that no command has there, a sub-noun or a verb, and the nearest at its level. */
function wrongWord(registry: Registry, words: string[]): { at: number; near: string[] } {
  const [noun = "", second = "", third = ""] = words.map((word) => word.toLowerCase());
  const topic = `${noun} ${second}`;
  const hasSubNouns = !registry.topics.includes(noun);
  if (hasSubNouns && !registry.topics.includes(topic)) {
    const subNouns = registry.topicsOf(noun).map((known) => known.slice(noun.length + 1));
    return { at: 1, near: nearest(second, subNouns) };
  }
  const typed = hasSubNouns ? third : second;
  const own = nearest(typed, registry.under(hasSubNouns ? topic : noun).map(verbWordsOf));
  const near = noun === app ? [...new Set([...own, ...nearVerbs(registry, typed)])].slice(0, 3) : own;
  return { at: hasSubNouns ? 2 : 1, near };
}

/** All that was typed, or its words alone, from the words of `rest` on and with the values before them. */
function verbatimOf({ parts, words }: Command, rest: readonly string[], verbatim: true | "words"): string {
  const first = words.length - rest.length;
  return parts
    .filter(({ word }) => (word === null ? verbatim === true : word >= first))
    .map(({ typed }) => typed)
    .join(" ");
}

/** The typed values, with those that a synonym says beside them. */
function valuesOf({ values }: Command, { input = {}, renamed = {} }: Partial<Synonym> = {}): Record<string, string> {
  const named = Object.entries(values).map(([name, value]) => [ownValue(renamed, name) ?? name, value]);
  return { ...input, ...Object.fromEntries(named) };
}

function invocationOf({ operation, rest, synonym }: CommandReading, read: Command): ParsedCommand {
  const positional = synonym?.positional ?? operation.positional;
  const verbatim = positional === operation.positional && operation.verbatim;
  if (verbatim === true && positional) {
    const typed = verbatimOf(read, rest, true);
    const input = { ...synonym?.input, ...(typed ? { [positional]: typed } : {}) };
    return { invocation: { command: operation.command, input } };
  }
  const bulk = parseBulk(operation, rest, valuesOf(read, synonym));
  if ("error" in bulk) return bulk;
  const force = forceIn(operation, bulk.values);
  if ("error" in force) return force;
  const typed = rest.join(" ");
  const placed = placeTyped(operation, typed, { positional, input: bulk.values });
  if ("error" in placed) return placed;
  const value = verbatim === "words" ? verbatimOf(read, rest, "words") : typed;
  const input: Record<string, string> = {
    ...force.values,
    ...(placed.input === undefined ? {} : { [placed.input]: value }),
  };
  const secret = fieldsOf(operation.input).find((field) => !isTypable(field) && input[field.name] !== undefined);
  if (secret)
    return {
      error: `${secret.label} is a secret: it is asked for in a form, never in a command. Change it if it was a real one.`,
    };
  return {
    invocation: {
      command: operation.command,
      input,
      ...bulk.selection,
      ...(force.confirmed ? { confirmed: true } : {}),
      ...(placed.target ? { target: typed } : {}),
    },
  };
}

/** The values without `force`, which answers beforehand what an act asks first. */
function forceIn(
  { asksFirst }: CommandReading["operation"],
  values: Readonly<Record<string, string>>,
): { values: Readonly<Record<string, string>>; confirmed: boolean } | WrongCommand {
  const { force, ...others } = values;
  if (!asksFirst || force === undefined) return { values, confirmed: false };
  // Requires the whole word, so that nothing is interrupted by mistake.
  if (force.toLowerCase() === "yes") return { values: others, confirmed: true };
  return { error: "Write force=yes to be asked nothing, or leave it out." };
}

/** The words after the verb name the target, else fill the positional input. */
function placeTyped(
  operation: CommandReading["operation"],
  typed: string,
  { positional, input }: { positional: string | undefined; input: Readonly<Record<string, string>> },
): { target?: true; input?: string } | WrongCommand {
  if (typed === "") return {};
  if (operation.target) return { target: true };
  if (!positional)
    return {
      error: `/${operation.command} takes no name, so I don't know what to do with “${typed}”. Nothing was done. Type \`${usageOf(operation)}\`.`,
    };
  if (input[positional] !== undefined)
    return { error: `“${typed}” and ${positional}= both say the ${positional}. Give it once. Nothing was done.` };
  return { input: positional };
}
