import * as z from "zod";
import { Amount } from "../../../platform/money.ts";
import type { ProductSchema } from "../../../platform/reseller/products.ts";

/** A field that the form of a plugin asks for. */
export interface FormField {
  name: string;
  label: string;
  required: boolean;
  /** What it can be; empty where it is free. */
  options: { value: string; label: string }[];
  kind: "text" | "number" | "toggle";
  preset: string | null;
  hint: string | null;
}

const text = z.string().min(1);
const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Option = z.union([
  plain.transform((value) => ({ value, label: value })),
  z
    .looseObject({ value: plain, label: text.optional(), name: text.optional(), title: text.optional() })
    .transform(({ value, label, name, title }) => ({ value, label: label ?? name ?? title ?? value })),
]);
const Field = z.looseObject({
  name: text.optional(),
  key: text.optional(),
  id: text.optional(),
  label: text.optional(),
  title: text.optional(),
  type: text.optional(),
  required: z.boolean().optional(),
  options: z.array(Option).optional(),
  choices: z.array(Option).optional(),
  enum: z.array(Option).optional(),
  default: plain.nullish(),
  description: text.nullish(),
  help: text.nullish(),
});

/** What a plugin's form asks for, as far as it can be read: the spec names its fields, and nothing within. Null where something in it cannot. Reseller spec section 2.2. */
export function formFieldsOf({ orderSchema, requiredFields, pluginDefaults }: ProductSchema): FormField[] | null {
  const sent = orderSchema?.fields;
  if (sent === undefined || sent === null) return [];
  const rows = Array.isArray(sent)
    ? sent
    : Object.entries(sent).map(([name, field]: [string, unknown]) =>
        typeof field === "object" && field !== null ? { name, ...field } : null,
      );
  const read = z.array(Field).safeParse(rows);
  if (!read.success) return null;
  const presets = z.record(z.string(), plain).catch({}).parse(pluginDefaults);
  const fields = read.data.flatMap((field): FormField[] => {
    const name = field.name ?? field.key ?? field.id;
    if (name === undefined) return [];
    return [
      {
        name,
        label: field.label ?? field.title ?? name,
        required: field.required ?? requiredFields.includes(name),
        options: field.options ?? field.choices ?? field.enum ?? [],
        kind: kindOf(field.type ?? ""),
        preset: field.default ?? presets[name] ?? null,
        hint: field.description ?? field.help ?? null,
      },
    ];
  });
  return fields.length === read.data.length ? fields : null;
}

function kindOf(type: string): FormField["kind"] {
  if (/^(number|int|integer|float|range)$/i.test(type)) return "number";
  return /^(bool|boolean|checkbox|toggle|switch)$/i.test(type) ? "toggle" : "text";
}

/** A datacentre that a product can stand in. `prices` is what it adds, by the words of the catalogue; empty where that cannot be read. */
export interface Place {
  value: string;
  label: string;
  prices: Record<string, string>;
}

const PlaceRow = z.looseObject({
  location: text.optional(),
  value: text.optional(),
  code: text.optional(),
  id: text.optional(),
  name: text.optional(),
  label: text.optional(),
});

/** The datacentres of a product, as far as they can be read: a list, or an object by their names. Reseller spec section 2.2. */
export function placesOf({ locationPricing: sent }: ProductSchema): Place[] {
  if (Array.isArray(sent)) return sent.flatMap((row: unknown) => placeOf(row, null));
  if (typeof sent !== "object" || sent === null) return [];
  return Object.entries(sent).flatMap(([name, row]: [string, unknown]) => placeOf(row, name));
}

function placeOf(row: unknown, key: string | null): Place[] {
  if (typeof row === "string" && key === null) return [{ value: row, label: row, prices: {} }];
  const amount = Amount.safeParse(row);
  if (key !== null && amount.success) return [{ value: key, label: key, prices: { monthly: amount.data } }];
  const read = PlaceRow.safeParse(row).data;
  const value = key ?? read?.location ?? read?.value ?? read?.code ?? read?.id;
  if (value === undefined) return [];
  return [{ value, label: read?.name ?? read?.label ?? value, prices: amountsIn(row) }];
}

function amountsIn(row: unknown): Record<string, string> {
  if (typeof row !== "object" || row === null) return {};
  const nested = "pricing" in row ? row.pricing : row;
  if (typeof nested !== "object" || nested === null) return {};
  return Object.fromEntries(
    Object.entries(nested).flatMap(([name, value]: [string, unknown]) => {
      const amount = Amount.safeParse(value);
      return amount.success ? [[name, amount.data]] : [];
    }),
  );
}
