import { randomInt } from "node:crypto";
import * as z from "#zod";
import { oncePer } from "../process/once-per.ts";
import { capital } from "../views/text.ts";
import type { Secret } from "./answer.ts";

/** One input as a member sees it in a form, the usage line and the reference. Derived from the schema alone. */
export interface Field {
  name: string;
  kind:
    | "moment"
    | "text"
    | "lines"
    | "number"
    | "toggle"
    | "select"
    | "several"
    | "channel"
    | "channels"
    | "person"
    | "people"
    | "group"
    | "password"
    | "secret"
    | "file"
    | "rows"
    | "record";
  label: string;
  hint: string | null;
  required: boolean;
  /** All values that it takes; of a field with several values those that the form lists, and a command may name others. */
  options: string[];
  /** Other words for the options, which a command takes as well. */
  synonyms: Readonly<Record<string, string>>;
  /** The words of the options in a form; an option without words stands for itself. */
  labels: Readonly<Record<string, string>>;
  preset: string | number | boolean | null;
  /** The least and the greatest number. */
  minimum: number | null;
  maximum: number | null;
  minLength: number | null;
  maxLength: number | null;
  /**
   * The value is a SHA-256 in hex. It looks like a signing secret, and is none, so the check for pasted secrets must let it pass.
   */
  digest: boolean;
  /** It changes how the answer reaches a person in Slack, so that no agent has it. */
  people: boolean;
  /** The word `none` clears the stored value, and so does a form whose field was emptied. */
  clearable: boolean;
  /** A button or a command gives it. A form shows it only if it was given. */
  byButton: boolean;
  /** Inputs that a button gives, each with the values with which alone a form shows this field. */
  only: Readonly<Record<string, readonly string[]>>;
  /** An amount, which those who decide may lower. */
  amount: boolean;
  /** A text of several lines. */
  long: boolean;
  /** Its names at the platform, if they are not its own: the platform's complaints are shown at it. */
  named: string[];
  /** A form asks for it, and a command may leave it out. */
  asked: boolean;
  /** The spec names none of the values that it takes, so the member cannot know them from the form. */
  unnamed: boolean;
}

// A JSON Schema property with its standard keywords: title, description, format, writeOnly.
const Property = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().nullable().default(null),
  format: z.string().optional(),
  writeOnly: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  options: z.array(z.string()).default([]),
  labels: z.record(z.string(), z.string()).default({}),
  clearable: z.boolean().default(false),
  people: z.boolean().default(false),
  byButton: z.boolean().default(false),
  only: z.record(z.string(), z.array(z.string())).default({}),
  unnamed: z.boolean().default(false),
  amount: z.boolean().default(false),
  asked: z.boolean().default(false),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable().default(null),
  minimum: z.number().nullable().default(null),
  maximum: z.number().nullable().default(null),
  minLength: z.number().nullable().default(null),
  maxLength: z.number().nullable().default(null),
});
const ObjectSchema = z.object({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
});

/** Other words for the values of a choice. They are typed, and shown nowhere: a schema's metadata would name them in the catalogue. */
export const valueSynonyms = z.registry<Field["synonyms"]>();

/** The names of inputs at the platform, if they differ. */
export const platformNames = z.registry<{ named: string[] }>();
/** A field without anything special. */
export const plainField: Field = {
  name: "",
  kind: "text",
  label: "",
  hint: null,
  required: false,
  options: [],
  synonyms: {},
  labels: {},
  preset: null,
  minimum: null,
  maximum: null,
  minLength: null,
  maxLength: null,
  digest: false,
  people: false,
  byButton: false,
  only: {},
  clearable: false,
  amount: false,
  long: false,
  named: [],
  unnamed: false,
  asked: false,
};

/** The fields of an input schema, in schema order. Reading them takes 0.2 ms, and a command needs them several times. */
export const fieldsOf = oncePer((input: z.ZodObject): Field[] => {
  const schema = ObjectSchema.parse(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    label: property.title ?? sentenceCase(name),
    hint: property.description,
    required: schema.required.includes(name),
    options: property.enum ?? property.options,
    synonyms: valueSynonyms.get(input.shape[name]) ?? {},
    labels: property.labels,
    preset: property.default,
    minimum: property.minimum,
    maximum: property.maximum,
    minLength: property.minLength,
    maxLength: property.maxLength,
    digest: property.format === "sha256",
    clearable: property.clearable,
    people: property.people,
    byButton: property.byButton,
    only: property.only,
    named: platformNames.get(input.shape[name])?.named ?? [],
    unnamed: property.unnamed,
    amount: property.amount,
    asked: property.asked,
    long: property.format === "lines" || property.format === "record",
  }));
});

/** True for inputs that command text may never carry. */
export function isSecret(field: Field): boolean {
  return ["password", "secret", "file"].includes(field.kind);
}

/** The fields that take people, groups and rotations, or one user group. */
export function peopleFields(input: z.ZodObject): Field[] {
  return fieldsOf(input).filter(isOfPeople);
}

/** True for a field whose choices are people, or groups of them. */
export function isOfPeople({ kind }: Pick<Field, "kind">): boolean {
  return kind === "people" || kind === "group";
}

/** True for inputs that a member can type. The others of an order of several products are chosen in its form. */
export function isTypable(field: Field): boolean {
  return !isSecret(field) && field.kind !== "rows";
}

/** The input without passwords and files: the app never stores those to offer them again. */
export function withoutSecrets(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const kinds = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = kinds.get(name);
      if (field && isSecret(field)) return [];
      const isRows = field?.kind === "rows" && Array.isArray(value);
      return [[name, isRows ? value.map((row) => rowWithoutSecrets(schema, row)) : value]];
    }),
  );
}

/** `left`: it had a secret, so that its name can say that it lacks it now. */
function rowWithoutSecrets(schema: z.ZodObject, row: Record<string, unknown>): Record<string, unknown> {
  return { ...withoutSecrets(schema, row), ...(secretNames(schema, row).length > 0 ? { left: true } : {}) };
}

/** The names of the secrets in an input. */
export function secretNames(schema: z.ZodObject, input: Record<string, unknown>): string[] {
  return fieldsOf(schema).flatMap((field) => (isSecret(field) && input[field.name] !== undefined ? [field.name] : []));
}

/** Formats that are text in a command, and a special element in a form: lines, a date picker, or Slack's own list. */
const textFormats = ["lines", "moment", "channel", "channels", "person", "people", "group"] as const;

function kindOf(property: z.infer<typeof Property>): Field["kind"] {
  if (property.format === "password") return "password";
  if (property.format === "file") return "file";
  if (property.format === "rows" || property.format === "record")
    return property.writeOnly ? "secret" : property.format;
  if (property.writeOnly) return "secret";
  if (property.enum) return "select";
  if (property.type === "array") return "several";
  if (property.type === "boolean") return "toggle";
  if (property.type === "integer" || property.type === "number") return "number";
  return textFormats.find((kind) => kind === property.format) ?? "text";
}

function sentenceCase(name: string): string {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return capital(words);
}

/** The label of an input, as members see it. */
export function labelOf(input: z.ZodObject, name: string): string {
  return fieldsOf(input).find((field) => field.name === name)?.label ?? name;
}

// No look-alikes: a member may have to type the password from a phone's screen.
const alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const length = 20;

export function generatePassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Generates the passwords that the member left empty. `generated` lists their input names. */
export function fillPasswords(
  input: z.ZodObject,
  values: Record<string, unknown>,
): { values: Record<string, unknown>; generated: string[] } {
  const generated = fieldsOf(input)
    .filter((field) => field.kind === "password" && (values[field.name] === undefined || values[field.name] === ""))
    .map((field) => field.name);
  const made = Object.fromEntries(generated.map((name) => [name, generatePassword()]));
  return { values: { ...values, ...made }, generated };
}

/** The name of a generated value that lies deeper in the input, as those of a form in pages do. */
export function generatedAt(...path: string[]): string {
  return path.map(encodeURIComponent).join("/");
}

/** The generated values that are in the input, with labels for their requester. */
export function generatedSecrets(
  schema: z.ZodObject,
  input: Record<string, unknown>,
  generated: readonly string[],
): Secret[] {
  return generated.flatMap((name) => {
    const path = name.split("/").map(decodeURIComponent);
    let value: unknown = input;
    for (const part of path) value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
    const label = path.length > 1 ? (path.at(-1) ?? name) : labelOf(schema, name);
    return typeof value === "string" ? [{ label, value }] : [];
  });
}
