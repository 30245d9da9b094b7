import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type PeopleList, peopleWords } from "../../members/people/people-list.ts";
import { userNames } from "../../members/slack-user.ts";
import { InputError } from "../../operation/errors.ts";
import { acceptInput, parseInput } from "../../operation/input.ts";
import { mostRules, type Rule, usersNamedIn } from "../../policy/rule.ts";
import { ruleWords } from "../../policy/words.ts";
import { characters } from "../../process/plain-text.ts";
import { clip, count, prose, unmarked } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { readRule, ruleInput, valuesOf } from "./rule-input.ts";
import { findLockouts } from "./rule-lockout.ts";

// All approval rules as one text, both ways, so that a team reviews them in Git. Each value is a line of its own: a diff then shows the
// value that changed, where one long line per rule would show the whole rule. A comment has the sentence that people read.

const heading = [
  "# The approval rules of Rackbell. A rule begins with its id, and has one value a line, as /rackbell policy set takes it.",
  "# Lines with # are comments. A rule that is left out is removed; one without an id is added.",
];

/** Bytes. More than the export of the largest set of rules has. */
export const longestText = 4 * 1024 * 1024;

/** The names of the people and channels of rules, for the comments. */
export interface Names {
  user: (id: string) => string;
  channel: (id: string) => string;
}

export function rulesText(rules: readonly Rule[], { user, channel }: Names): string {
  const people = (list: PeopleList) => peopleWords(list, user);
  const blocks = rules.map((rule) => {
    const sentence = clip(oneLine(unmarked(ruleWords(rule, { people, channelWords: channel }))), longestComment);
    const values = [...valuesByName(rule)].map(([name, value]) => `  ${name} = ${value}`);
    return [`rule ${rule.id}`, `  # ${sentence}`, ...values].join("\n");
  });
  return `${[heading.join("\n"), ...blocks].join("\n\n")}\n`;
}

/** Characters. A list of many people has long names, and the largest set of rules must fit into one file. */
const longestComment = 500;

function valuesByName(rule: Rule): Map<string, string> {
  const { instead: _, ...values } = valuesOf(rule);
  return new Map(
    Object.entries(values).map(([name, value]) => [name, value === true ? "yes" : oneLine(String(value))]),
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** A rule of a text, with the numbers of its lines. */
interface RuleBlock {
  id: string | null;
  line: number;
  values: Map<string, string>;
  lines: Map<string, number>;
}

/** A fault of a text. */
interface TextFault {
  line: number;
  why: string;
}

/** Reads the rules of a text, and each fault. Accepts any text and never throws. */
export function readBlocks(text: string): { blocks: RuleBlock[]; faults: TextFault[] } {
  const blocks: RuleBlock[] = [];
  const faults: TextFault[] = [];
  for (const [at, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = oneLine(raw);
    if (line === "" || line.startsWith("#")) continue;
    const why = readLine(line, at + 1, blocks);
    if (why !== null) faults.push({ line: at + 1, why });
  }
  if (blocks.length > mostRules) faults.push({ line: 1, why: `These are more than ${mostRules} rules.` });
  return { blocks, faults };
}

/** Adds the line to the blocks. Returns why it cannot be read, as a sentence; else null. */
function readLine(line: string, number: number, blocks: RuleBlock[]): string | null {
  const [, id] = /^rule(?: ([0-9a-f]{8}))?$/.exec(line) ?? [];
  if (/^rule(?: ([0-9a-f]{8}))?$/.test(line)) {
    if (id !== undefined && blocks.some((block) => block.id === id)) return `The rule ${id} is there twice.`;
    blocks.push({ id: id ?? null, line: number, values: new Map(), lines: new Map() });
    return null;
  }
  const [name, value] = splitLine(line);
  const block = blocks.at(-1);
  if (name === null) return "A line is “rule” with an id, or a name, “=” and a value.";
  if (!block) return "A value comes below the line “rule” that it belongs to.";
  if (!Object.hasOwn(ruleInput.shape, name) || name === "instead") return `A rule has no value “${name.slice(0, 40)}”.`;
  if (block.values.has(name)) return `The rule has “${name}” twice.`;
  block.values.set(name, value);
  block.lines.set(name, number);
  return null;
}

function splitLine(line: string): [string | null, string] {
  const at = line.indexOf("=");
  return at <= 0 ? [null, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** The rule of now that a block leaves as it is; undefined if it changes or adds one. */
export function keptRule({ id, values }: RuleBlock, rules: readonly Rule[]): Rule | undefined {
  const found = rules.find((rule) => rule.id === id);
  return found && isDeepStrictEqual(valuesByName(found), values) ? found : undefined;
}

/** The rules that a text means. Throws an InputError about `field` with each fault and its line; then nothing changes. */
export async function rulesOfText(
  text: string,
  rules: readonly Rule[],
  context: AppContext,
  { member, field }: { member: string; field: string },
): Promise<Rule[]> {
  const { blocks, faults } = readBlocks(text);
  const lines = new Map<Rule, number>();
  for (const block of blocks) {
    const rule = keptRule(block, rules) ?? (await readBlock(block, context, { member }, faults));
    if (rule) lines.set(rule, block.line);
  }
  const read = [...lines.keys()];
  if (blocks.length === 0 && faults.length === 0)
    faults.push({ line: 1, why: "There is no rule in this text. To take all rules away, remove each of them." });
  if (faults.length > 0) throw faultsError(field, faults);
  const fresh = read.filter((rule) => !rules.includes(rule));
  const lineWords = (rule: Rule) => `the rule in line ${lines.get(rule) ?? 0}`;
  const lockouts = await findLockouts(context, fresh, read, lineWords);
  if (lockouts.size > 0)
    throw faultsError(
      field,
      fresh.flatMap((rule) => {
        const why = lockouts.get(rule.id);
        return why === undefined ? [] : [{ line: lines.get(rule) ?? 0, why }];
      }),
    );
  return read.map((rule) => sameAs(rule, rules, read) ?? rule);
}

/** The rule of a block; null where it has faults, which join the others. */
async function readBlock(
  { id, line, values, lines }: RuleBlock,
  context: AppContext,
  actor: { member: string },
  faults: TextFault[],
): Promise<Rule | null> {
  try {
    const accepted = acceptInput(ruleInput, Object.fromEntries(values));
    if ("error" in accepted) throw accepted.error;
    const rule = await readRule(parseInput(ruleInput, accepted.input), context, actor);
    return { ...rule, id: id ?? randomUUID().slice(0, 8) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const { field, message } of error.fields)
      faults.push({ line: lines.get(field) ?? line, why: `“${field}”: ${characters(message)}` });
    if (error.fields.length === 0) faults.push({ line, why: error.message });
    return null;
  }
}

/** A rule of now that says the same as a new one without an id: it stays, with its id. */
function sameAs(rule: Rule, rules: readonly Rule[], read: readonly Rule[]): Rule | undefined {
  if (rules.some(({ id }) => id === rule.id)) return undefined;
  return rules.find(
    (one) => isDeepStrictEqual({ ...one, id: rule.id }, rule) && !read.some((other) => other.id === one.id),
  );
}

/** More faults than this are seldom one mistake each. */
const mostFaults = 10;

function faultsError(field: string, faults: readonly TextFault[]): InputError {
  const shown = faults.toSorted((a, b) => a.line - b.line).slice(0, mostFaults);
  const more = faults.length > mostFaults ? ` And ${count(faults.length - mostFaults, "more fault")}.` : "";
  const sentences = shown.map(({ line, why }) => `Line ${line}: ${why}`);
  return new InputError([{ field, message: `${sentences.join(" ")}${more} Nothing changed.` }]);
}

/** The difference between the rules of now and those of a text, as mrkdwn; null if there is none. */
export function differenceWords(before: readonly Rule[], after: readonly Rule[]): string | null {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const now = new Map(after.map((rule) => [rule.id, rule]));
  const added = after.filter(({ id }) => !was.has(id));
  const removed = before.filter(({ id }) => !now.has(id));
  const changed = after.flatMap((rule) => {
    const old = was.get(rule.id);
    return old && !isDeepStrictEqual(old, rule) ? [{ old, rule }] : [];
  });
  const amounts = [
    [added.length, "added"],
    [removed.length, "removed"],
    [changed.length, "changed"],
  ] as const;
  const changes = amounts.flatMap(([amount, what]) => (amount > 0 ? [`${amount} ${what}`] : []));
  if (changes.length === 0) return null;
  const lines = [
    ...removed.map((rule) => `Removed: ${ruleWords(rule)}`),
    ...changed.map(({ old, rule }) => `Changed: ${ruleWords(rule)} Before: ${ruleWords(old)}`),
    ...added.map((rule) => `Added: ${ruleWords(rule)}`),
  ];
  return `Rules of a text: ${changes.join(", ")}. ${withinLength(lines)}`;
}

/** Characters. The sentence is also in a message with other words, and Slack takes 3,000 there. */
const longest = 2_000;

/** As many of the lines as fit, and how many more there are. */
function withinLength(lines: readonly string[]): string {
  const shown: string[] = [];
  for (const line of lines) {
    if (shown.join(" ").length + line.length > longest) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`And ${count(rest, "more change")}.`] : [])].join(" ");
}

/** The names in the rules for the comments of an export. */
export async function namesFor(app: Pick<AppContext, "people">, rules: readonly Rule[]): Promise<Names> {
  const names = await userNames(app, rules.flatMap(usersNamedIn));
  return { user: (id) => prose(names.get(id) ?? id, 80), channel: (id) => `#${id}` };
}
