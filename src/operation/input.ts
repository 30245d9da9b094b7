import * as z from "#zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { UnreadRow } from "../platform/http/unread.ts";
import { ownValue } from "../process/own-value.ts";
import { characters, type PlainText, plainly } from "../process/plain-text.ts";
import { bytes } from "../views/format.ts";
import { asShown, code, dotted, listing } from "../views/text.ts";
import type { Fact } from "./answer.ts";
import type { CallContext, Choice } from "./call-context.ts";
import { InputError, type WrongInput, wrongInput } from "./errors.ts";
import { type Field, fieldsOf, isSecret } from "./fields.ts";
import { idMark, lookingAlike, matching, sameName, uuid } from "./matching.ts";
import { choosingClient } from "./reading.ts";
import { isScheduleInput } from "./schedule-input.ts";

/** Parses an accepted input. Throws an InputError with a sentence for every wrong field. */
export function parseInput<I extends z.ZodObject>(input: I, accepted: Record<string, unknown>): z.output<I> {
  const parsed = input.safeParse(accepted);
  if (parsed.success) return parsed.data;
  throw new InputError(parsed.error.issues.map((issue) => wrongInputOf(input, issue)));
}

/** The typed or submitted values in the schema's types, or the error to show. Unknown names are an error, too. */
export type Accepted = { input: Record<string, unknown> } | { error: InputError };

/** Converts text to values. Commands, forms and buttons all come through here. */
export function acceptInput(input: z.ZodObject, raw: Record<string, unknown>): Accepted {
  const fields = fieldsOf(input);
  const unknown = unknownNames(input, raw);
  if (unknown.length > 0) {
    const names = fields.map((field) => `${field.name}=`).join(", ");
    const timed = hasTime(unknown) ? " This cannot be scheduled." : "";
    const sentence = `I don't know ${unknown.map((name) => `${name}=`).join(", ")} here.${timed} ${names ? `You can give ${names}.` : "This command takes no values."}`;
    return { error: new InputError(sentence) };
  }
  const coerced = coerce(input, raw);
  const parsed = input.safeParse(coerced);
  if (parsed.success) return { input: coerced };
  return { error: new InputError(parsed.error.issues.map((issue) => wrongInputOf(input, issue))) };
}

/** The names of values that the input does not have. */
export function unknownNames(input: z.ZodObject, raw: Record<string, unknown>): string[] {
  return Object.keys(raw).filter((name) => !Object.hasOwn(input.shape, name));
}

/** True if a time is among the values that an input does not have: whoever gives it expects the act then. */
function hasTime(unknown: readonly string[]): boolean {
  return unknown.some(isScheduleInput);
}

/** Says which values the input does not have, as mrkdwn, before a form opens without them; null if it has all. */
export function unknownWords(input: z.ZodObject, raw: Record<string, unknown>): string | null {
  const unknown = unknownNames(input, raw);
  if (unknown.length === 0) return null;
  const values = unknown.map((name) => `${code(`${name}=`)} with ${code(String(raw[name]), 100)}`);
  const timed = hasTime(unknown) ? " This cannot be scheduled: the form is for now." : "";
  return `This form has no ${listing(values, "or")}, so it was left out.${timed}`;
}

/** Command text and form fields are strings. By the schema, "yes" becomes a boolean, "2" a number and "a, b" two texts. */
export function coerce(input: z.ZodObject, raw: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fieldsOf(input)) {
    const value = raw[field.name] ?? undefined;
    const read = typeof value === "string" ? readTyped(value, field) : value;
    if (read !== undefined) out[field.name] = read;
  }
  return out;
}

function readTyped(value: string, field: Field): unknown {
  if (value === "") return undefined;
  if (field.kind === "toggle") return readToggle(value);
  if (field.kind === "select") return readSelected(value, field);
  if (field.kind === "number") return Number(value);
  if (field.kind !== "several") return value;
  // Skip commas without text: an empty list would be sent as an absolute set of nothing.
  const several = readSeveral(value);
  return several.length > 0 ? several : undefined;
}

function readSelected(value: string, { options, synonyms }: Field): string {
  const typed = value.trim().toLowerCase();
  return ownValue(synonyms, typed) ?? options.find((option) => option.toLowerCase() === typed) ?? value;
}

function readSeveral(value: string): string[] {
  return value
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function readToggle(value: string): boolean | string {
  if (/^(yes|true|on|1|now)$/i.test(value)) return true;
  if (/^(no|false|off|0)$/i.test(value)) return false;
  return value;
}

function wrongInputOf(input: z.ZodObject, issue: z.core.$ZodIssue): WrongInput {
  const name = String(issue.path[0] ?? "");
  const field = fieldsOf(input).find((candidate) => candidate.name === name);
  return { field: name, label: field?.label, message: wording(issue, field?.options ?? []) };
}

function wording(issue: z.core.$ZodIssue, options: string[]): string {
  if (issue.code === "too_small" && issue.origin === "string")
    return `at least ${issue.minimum} characters are needed.`;
  if (issue.code === "too_big" && issue.origin === "string") return `at most ${issue.maximum} characters are allowed.`;
  if (issue.code === "too_small") return `it must be at least ${issue.minimum}.`;
  if (issue.code === "too_big") return `it must be at most ${issue.maximum}.`;
  if (issue.code === "invalid_value") return `it must be one of ${options.join(", ")}.`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "this is needed.";
  if (issue.code === "invalid_type" && issue.expected === "boolean") return "answer yes or no.";
  if (issue.code === "invalid_type") return `this must be a ${issue.expected}.`;
  if (issue.code === "invalid_format" && /^Invalid /.test(issue.message))
    return formatWords[issue.format] ?? "its format is wrong.";
  // A schema's own message is written as the end of a sentence.
  return issue.message;
}

/** Sentences for formats whose schema has no message of its own. */
const idWords = "this is no id. An id has 36 characters, in five groups of digits and letters a to f.";
const formatWords: Record<string, string> = {
  guid: idWords,
  uuid: idWords,
  email: "this is no e-mail address.",
  url: "this is no address.",
};

/** The other values of a form so far; those that are choices are ids. */
export type Given = Readonly<Record<string, unknown>>;

/** Reads the live list that a member chooses an input from. It may depend on the inputs before it. */
export type Chooser<A extends ApiName, T> = (call: CallContext<A> & { target: T; given: Given }) => Promise<Choice[]>;

/** By the names of inputs. */
export type Choosers<A extends ApiName, T> = Readonly<Record<string, Chooser<A, T> | undefined>>;

/** The choices of an input, and the rows of its list that cannot be read and so are not offered. */
export async function readChoices<A extends ApiName, T>(
  chooser: Chooser<A, T>,
  call: CallContext<A> & { target: T; given: Given },
): Promise<{ choices: Choice[]; unread: UnreadRow[] }> {
  const unread: UnreadRow[] = [];
  const client = choosingClient(call.client, (row) => unread.push(row));
  return { choices: toldApart(await chooser({ ...call, client })), unread };
}

/** Adds the id to choices that otherwise look the same: nobody can choose between two equal lines. */
function toldApart(choices: readonly Choice[]): Choice[] {
  const alike = lookingAlike(choices, ({ label, at = "", description = "" }) => [label, at, description]);
  return choices.map((one) =>
    alike.has(one) ? { ...one, description: dotted([idMark(one.value), one.description]) } : one,
  );
}

/** The list for names, or for ids alone: then it only supplies labels, and a key that may not read it may still send the id. */
async function readList<A extends ApiName, T>(
  chooser: Chooser<A, T>,
  call: CallContext<A> & { target: T; given: Given },
  names: readonly string[],
): ReturnType<typeof readChoices<A, T>> {
  const read = readChoices(chooser, call);
  return names.length > 0 ? read : read.catch(() => ({ choices: [], unread: [] }));
}

/** Throws where a typed name may mean a row that cannot be read: choosing among the others would be a guess. */
function refuseUnread(typed: string, choices: readonly Choice[], unread: readonly UnreadRow[]): void {
  const isKnown = matchingChoices(typed, choices).length > 0;
  const meant = unread.find(({ name }) => !isKnown || name === null || sameName(name, typed));
  if (meant) throw meant.error;
}

/** True for the text of an id. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuid.test(value);
}

/** The input with the names of choices replaced by ids, and the label of each chosen value whose list was read. */
export interface MatchedInput {
  input: Record<string, unknown>;
  labels: ReadonlyMap<string, PlainText>;
}

/**
 * Replaces typed names of choices by their values. An id passes unchanged: the platform checks it. With `nameIds`, the list is
 * read for the label of an id, too.
 */
export async function matchChoices<A extends ApiName, T>(
  raw: Record<string, unknown>,
  choosers: Choosers<A, T>,
  call: CallContext<A> & { target: T },
  {
    typable = [],
    open = [],
    nameIds,
  }: { typable: readonly string[] | undefined; open?: readonly string[] | undefined; nameIds: boolean },
): Promise<MatchedInput> {
  const input = { ...raw };
  const labels = new Map<string, PlainText>();
  for (const [field, chooser] of Object.entries(choosers)) {
    if (!chooser) continue;
    const typed = raw[field];
    const given = textsIn(typed);
    const names = given.filter((one) => !uuid.test(one));
    if (given.length === 0 || (names.length === 0 && !nameIds)) continue;
    const { choices, unread } = await readList(chooser, { ...call, given: input }, names);
    for (const { value, label } of choices) labels.set(value, label);
    // If the list could not be read, send the typed text: the platform checks it.
    if (names.length === 0 || (choices.length === 0 && typable.includes(field))) continue;
    const list = { choices, unread, open: open.includes(field) };
    const resolve = (name: string) => (names.includes(name) ? matchChoice(field, name, list) : name);
    input[field] = Array.isArray(typed) ? given.map(resolve) : resolve(String(typed));
  }
  return { input, labels };
}

/** The texts of a value, or of a list of values. */
function textsIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (typeof one === "string" && one !== "" ? [one] : []));
}

/**
 * The choices that match a typed text, by label, value or alias. The exact value, which a form gives, is that choice alone, unless another
 * one is called the same.
 */
export function matchingChoices(typed: string, choices: readonly Choice[]): Choice[] {
  const chosen = choices.find(({ value }) => value === typed);
  const isName = (text: PlainText) => characters(text) === typed;
  const isOther = choices.some(({ value, label, aliases = [] }) => value !== typed && [label, ...aliases].some(isName));
  if (chosen && !isOther) return [chosen];
  return matching(typed, choices, ({ value, label, aliases = [] }) => [value, label, ...aliases]);
}

/** The choices that a text typed into a search means: it is in the label, the description, an alias or the value, or is the whole id. */
export function searchChoices(choices: readonly Choice[], query: string): Choice[] {
  const wanted = asShown(query, "").toLowerCase();
  return choices.filter(
    ({ value, label, description = "", aliases = [], closed }) =>
      !closed &&
      ([label, description, ...aliases, ...(uuid.test(value) ? [] : [value])].some((text) =>
        asShown(text, "").toLowerCase().includes(wanted),
      ) ||
        value.toLowerCase() === wanted),
  );
}

/** The question which of several matching choices is meant, with the descriptions that distinguish them. */
export function ambiguityMessage(typed: string, found: readonly Choice[]): PlainText {
  const names = toldApart(found.slice(0, 10)).map(({ label, description }) =>
    description ? plainly`${label} (${description})` : label,
  );
  const more = found.length > names.length ? ["others"] : [];
  return plainly`“${typed}” could be ${listing([...names, ...more], "or")}: choose one.`;
}

/** The value that the typed text names. An `open` list takes other texts, too. */
function matchChoice(
  field: string,
  typed: string,
  { choices, unread, open }: { choices: Choice[]; unread: UnreadRow[]; open: boolean },
): string {
  refuseUnread(typed, choices, unread);
  const found = matchingChoices(typed, choices);
  const [only] = found;
  if (!only && open) return typed;
  if (only && found.length === 1) return only.value;
  if (found.length > 1) throw wrongInput(field, ambiguityMessage(typed, found));
  const names = choices.map((choice) => choice.label);
  const listed =
    names.length > 0
      ? `There is ${names.slice(0, 10).join(", ")}${names.length > 10 ? " and more" : ""}.`
      : "There is none to choose from.";
  throw wrongInput(field, `There is no “${typed}” to choose here. ${listed}`);
}

/** The schema of an uploaded file: its name and its content in base64. At most `mostBytes`. */
export function uploadSchema(mostBytes: number) {
  return z.object({ name: z.string().min(1).max(255), content: z.base64().max(Math.ceil(mostBytes / 3) * 4) }).meta({
    format: "file",
    title: "File",
    description: `At most ${bytes(mostBytes)}`,
  });
}

function describeFile(label: string, value: unknown): Fact[] {
  const { success, data } = uploadSchema(Number.MAX_SAFE_INTEGER).safeParse(value);
  if (!success) return [];
  return [{ label, value: `${code(data.name)}, ${bytes(Buffer.byteLength(data.content, "base64"))}` }];
}

/**
 * Describes every value of an input in words, for a request, its confirmation and its result. Secrets are only named, and chosen
 * ids appear by label. A value that replaces another (`current`) follows it.
 */
export function describeInput(
  input: z.ZodObject,
  values: Record<string, unknown>,
  { labels, current = {} }: { labels?: ReadonlyMap<string, PlainText>; current?: CurrentValues } = {},
): Fact[] {
  const words = (value: unknown): string =>
    typeof value === "boolean" ? (value ? "yes" : "no") : code(labels?.get(String(value)) ?? String(value), 300);
  return fieldsOf(input).flatMap((field) => {
    const value = values[field.name];
    if (value === undefined || value === null || field.kind === "rows") return [];
    if (field.kind === "file") return describeFile(field.label, value);
    if (isSecret(field)) return [{ label: field.label, value: "(secret)" }];
    return [{ label: field.label, value: changeWords(value, current[field.name], words) }];
  });
}

function changeWords(value: unknown, now: CurrentValues[string], words: (value: unknown) => string): string {
  const next = Array.isArray(value) ? value.map(words).join(", ") || "none" : words(value);
  if (now === undefined) return next;
  const before = now === null || now === "" ? "none" : words(now);
  return before === next ? next : `${before} → ${next}`;
}

/** The current values of inputs that replace one: null or empty if the target has none, absent if unknown. */
export type CurrentValues = Readonly<Record<string, string | number | boolean | null | undefined>>;
