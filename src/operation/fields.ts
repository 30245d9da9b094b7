import * as z from "zod";

/** One input as a person meets it: in a form, in the usage line, in the reference. Derived from the schema alone. */
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
  options: string[];
  preset: string | number | boolean | null;
  minLength: number | null;
  maxLength: number | null;
  /** Its value is a SHA-256 in hex: what it asks for looks like a signing secret, and is none. */
  digest: boolean;
}

// A JSON Schema property, read with the words that JSON Schema itself gives: title, description, format, writeOnly.
const Property = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  writeOnly: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});
const ObjectSchema = z.object({
  properties: z.record(z.string(), Property).default({}),
  required: z.array(z.string()).default([]),
});

const known = new WeakMap<z.ZodObject, Field[]>();

/** The fields of an input schema, in its order. */
export function fieldsOf(input: z.ZodObject): Field[] {
  const before = known.get(input);
  if (before) return before;
  const schema = ObjectSchema.parse(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    label: property.title ?? sentenceCase(name),
    hint: property.description ?? null,
    required: schema.required.includes(name),
    options: property.enum ?? [],
    preset: property.default ?? null,
    minLength: property.minLength ?? null,
    maxLength: property.maxLength ?? null,
    digest: property.format === "sha256",
  }));
  known.set(input, fields);
  return fields;
}

/** Inputs that command text may never carry. */
export function isSecret(field: Field): boolean {
  return ["password", "secret", "wizard", "file"].includes(field.kind);
}

/** What is text in a command, and something else in a form: lines, a time that is picked, or what is chosen from Slack's own list. */
const written = ["lines", "moment", "channel", "channels", "person"] as const;

function kindOf(property: z.infer<typeof Property>): Field["kind"] {
  if (property.format === "password") return "password";
  if (property.format === "file") return "file";
  if (property.type === "object") return "wizard";
  if (property.writeOnly) return "secret";
  if (property.enum) return "select";
  if (property.type === "array") return "several";
  if (property.type === "boolean") return "toggle";
  if (property.type === "integer" || property.type === "number") return "number";
  return written.find((kind) => kind === property.format) ?? "text";
}

function sentenceCase(name: string): string {
  const words = name
    .replaceAll(/[_-]/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a person calls an input. */
export function labelOf(input: z.ZodObject, name: string): string {
  return fieldsOf(input).find((field) => field.name === name)?.label ?? name;
}
