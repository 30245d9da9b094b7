import * as z from "zod";
import { capital } from "../views/text.ts";

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
    | "password"
    | "secret"
    | "wizard"
    | "file";
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
  /** The spec names none of the values that it takes, so the member cannot know them from the form. */
  unnamed: boolean;
}

// A JSON Schema property with its standard keywords: title, description, format, writeOnly.
const Property = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  writeOnly: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  options: z.array(z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  clearable: z.boolean().optional(),
  people: z.boolean().optional(),
  byButton: z.boolean().optional(),
  unnamed: z.boolean().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});
const ObjectSchema = z.object({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
});

/** Other words for the values of a choice. They are typed, and shown nowhere: a schema's metadata would name them in the catalogue. */
export const valueSynonyms = z.registry<Field["synonyms"]>();

/** Reading the fields of a schema takes 0.2 ms, and a command needs them several times. */
const fieldCache = new WeakMap<z.ZodObject, Field[]>();

/** The fields of an input schema, in schema order. */
export function fieldsOf(input: z.ZodObject): Field[] {
  const cached = fieldCache.get(input);
  if (cached) return cached;
  const schema = ObjectSchema.parse(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    label: property.title ?? sentenceCase(name),
    hint: property.description ?? null,
    required: schema.required.includes(name),
    options: property.enum ?? property.options ?? [],
    synonyms: valueSynonyms.get(input.shape[name]) ?? {},
    labels: property.labels ?? {},
    preset: property.default ?? null,
    minLength: property.minLength ?? null,
    maxLength: property.maxLength ?? null,
    digest: property.format === "sha256",
    clearable: property.clearable ?? false,
    people: property.people ?? false,
    byButton: property.byButton ?? false,
    unnamed: property.unnamed ?? false,
  }));
  fieldCache.set(input, fields);
  return fields;
}

/** True for inputs that command text may never carry. */
export function isSecret(field: Field): boolean {
  return ["password", "secret", "wizard", "file"].includes(field.kind);
}

/** The input without passwords and files: the app never stores those to offer them again. */
export function withoutSecrets(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const secret = new Set(fieldsOf(schema).flatMap((field) => (isSecret(field) ? [field.name] : [])));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !secret.has(name)));
}

/** Formats that are text in a command, and a special element in a form: lines, a date picker, or Slack's own list. */
const textFormats = ["lines", "moment", "channel", "channels", "person"] as const;

function kindOf(property: z.infer<typeof Property>): Field["kind"] {
  if (property.format === "password") return "password";
  if (property.format === "file") return "file";
  if (property.type === "object") return "wizard";
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
