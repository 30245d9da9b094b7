import * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import { bytes } from "../views/format.ts";
import { code, listing } from "../views/text.ts";
import type { Fact } from "./answer.ts";
import type { Asking, Choice } from "./asking.ts";
import { InputError } from "./errors.ts";
import { fieldsOf, isSecret } from "./fields.ts";
import { meant } from "./meant.ts";

/** Parses an accepted input, or throws an InputError that names every field at fault in a sentence. */
export function parseInput<I extends z.ZodObject>(input: I, accepted: Record<string, unknown>): z.output<I> {
  const parsed = input.safeParse(accepted);
  if (parsed.success) return parsed.data;
  throw new InputError(parsed.error.issues.map((issue) => sentenceOf(input, issue)));
}

/** What was typed or filled in, as the schema means it, or the error that says what is wrong; unknown names are an error, too. */
export type Accepted = { input: Record<string, unknown> } | { error: InputError };

/** The one place where text becomes values: a command, a form and a button all come through here. */
export function acceptInput(input: z.ZodObject, raw: Record<string, unknown>): Accepted {
  const fields = fieldsOf(input);
  const unknown = Object.keys(raw).filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) {
    const names = fields.map((field) => `${field.name}=`).join(", ");
    const sentence = `I don't know ${unknown.map((name) => `${name}=`).join(", ")} here. ${names ? `You can give ${names}.` : "This command takes no values."}`;
    return { error: new InputError(sentence) };
  }
  const coerced = coerce(input, raw);
  const parsed = input.safeParse(coerced);
  if (parsed.success) return { input: coerced };
  return { error: new InputError(parsed.error.issues.map((issue) => sentenceOf(input, issue))) };
}

/** Command text and form fields are strings: "yes" is a boolean, "2" a number and "a, b" two texts where the schema wants such. */
function coerce(input: z.ZodObject, raw: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fieldsOf(input)) {
    const value = raw[field.name];
    if (value === undefined || value === null || value === "") continue;
    if (typeof value === "string" && field.kind === "toggle") out[field.name] = readToggle(value);
    else if (typeof value === "string" && field.kind === "select") out[field.name] = readSelected(value, field.options);
    else if (typeof value === "string" && field.kind === "number") out[field.name] = Number(value);
    else if (typeof value === "string" && field.kind === "several") out[field.name] = readSeveral(value);
    else out[field.name] = value;
  }
  return out;
}

function readSelected(value: string, options: string[]): string {
  return options.find((option) => option.toLowerCase() === value.trim().toLowerCase()) ?? value;
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

function sentenceOf(input: z.ZodObject, issue: z.core.$ZodIssue): { field: string; message: string } {
  const name = String(issue.path[0] ?? "");
  const field = fieldsOf(input).find((candidate) => candidate.name === name);
  const label = field?.label ?? name;
  return { field: name, message: `${label}: ${wording(issue, field?.options ?? [])}` };
}

function wording(issue: z.core.$ZodIssue, options: string[]): string {
  if (issue.code === "too_small" && issue.origin === "string")
    return `at least ${issue.minimum} characters are needed.`;
  if (issue.code === "too_big" && issue.origin === "string") return `at most ${issue.maximum} characters are allowed.`;
  if (issue.code === "too_small") return `it must be at least ${issue.minimum}.`;
  if (issue.code === "too_big") return `it must be at most ${issue.maximum}.`;
  if (issue.code === "invalid_value") return `it must be one of ${options.join(", ")}.`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "this is needed.";
  if (issue.code === "invalid_type" && issue.expected === "boolean") return "say yes or no.";
  if (issue.code === "invalid_type") return `this must be a ${issue.expected}.`;
  if (issue.code === "invalid_format" && /^Invalid /.test(issue.message))
    return formatWords[issue.format] ?? "it is not written as it must be.";
  // A schema's own message is written as the end of a sentence.
  return issue.message;
}

/** For formats whose schema says nothing of its own. */
const formatWords: Record<string, string> = {
  guid: "this is no id, which reads like 7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11.",
  email: "this is no e-mail address.",
  url: "this is no address.",
};

/** Reads the live list that an input is chosen from. */
export type Chooser<A extends ApiName, T> = (call: Asking<A> & { target: T }) => Promise<Choice[]>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Replaces typed names of choices by their values. An id is taken as it is: the platform checks it. */
export async function matchChoices<A extends ApiName, T>(
  raw: Record<string, unknown>,
  choosers: Record<string, Chooser<A, T>>,
  call: Asking<A> & { target: T },
  typable: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const resolved = { ...raw };
  for (const [field, chooser] of Object.entries(choosers)) {
    const typed = raw[field];
    const names = [typed].flat().filter((name) => typeof name === "string" && name !== "" && !uuid.test(name));
    if (names.length === 0) continue;
    const choices = await chooser(call);
    // A list that could not be read excludes nothing: the platform checks what was typed.
    if (choices.length === 0 && typable.includes(field)) continue;
    const resolve = (name: unknown) => (names.includes(name) ? matchChoice(field, String(name), choices) : name);
    resolved[field] = Array.isArray(typed) ? typed.map(resolve) : resolve(typed);
  }
  return resolved;
}

/** The choices that a typed text means: by label, value or alias. */
export function choicesMeant(typed: string, choices: readonly Choice[]): Choice[] {
  return meant(typed, choices, ({ value, label, aliases = [] }) => [value, label, ...aliases]);
}

/** The choice between several that a typed text could mean, in words; what tells them apart is named. */
export function severalMeant(typed: string, found: readonly Choice[]): string {
  const names = found.slice(0, 10).map(({ label, description }) => (description ? `${label} (${description})` : label));
  const more = found.length > names.length ? ["others"] : [];
  return `“${typed}” could be ${listing([...names, ...more], "or")}: choose one.`;
}

function matchChoice(field: string, typed: string, choices: Choice[]): string {
  const found = choicesMeant(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return only.value;
  if (found.length > 1) throw new InputError([{ field, message: severalMeant(typed, found) }]);
  const names = choices.map((choice) => choice.label);
  const listed =
    names.length > 0
      ? `There is ${names.slice(0, 10).join(", ")}${names.length > 10 ? " and more" : ""}.`
      : "There is none to choose from.";
  throw new InputError([{ field, message: `There is no “${typed}” to choose here. ${listed}` }]);
}

/** A file that was put into a form: its name and its content in base64. At most `mostBytes`. */
export function fileField(mostBytes: number) {
  return z.object({ name: z.string().min(1).max(255), content: z.base64().max(Math.ceil(mostBytes / 3) * 4) }).meta({
    format: "file",
    title: "File",
    description: `At most ${bytes(mostBytes)}`,
  });
}

function describeFile(label: string, value: unknown): Fact[] {
  const { success, data } = fileField(Number.MAX_SAFE_INTEGER).safeParse(value);
  if (!success) return [];
  return [{ label, value: `${code(data.name)}, ${bytes(Buffer.byteLength(data.content, "base64"))}` }];
}

/** What an input says, for a request and the audit; secrets are only named, and chosen ids left to the review to name. */
export function describeInput(input: z.ZodObject, values: Record<string, unknown>, chosen: string[]): Fact[] {
  return fieldsOf(input).flatMap((field) => {
    const value = values[field.name];
    if (chosen.includes(field.name) || value === undefined || value === null) return [];
    // What a wizard was filled with, the review tells.
    if (field.kind === "wizard") return [];
    if (field.kind === "file") return describeFile(field.label, value);
    if (isSecret(field)) return [{ label: field.label, value: "(secret)" }];
    return [
      { label: field.label, value: typeof value === "boolean" ? (value ? "yes" : "no") : code(String(value), 300) },
    ];
  });
}
