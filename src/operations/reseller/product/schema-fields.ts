import * as z from "zod";
import { Amount } from "../../../platform/money.ts";
import type { ProductSchema } from "../../../platform/reseller/products.ts";
import { namesSecret } from "../../../secret-parts.ts";

/** A field in a plugin's form. */
export interface FormField {
  name: string;
  label: string;
  required: boolean;
  /** The allowed values; empty for any value. */
  options: { value: string; label: string }[];
  kind: "text" | "number" | "toggle" | "password";
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

/**
 * The fields of a plugin's form. The spec names only the list, so usual field names are tried. Null where a field is unreadable.
 * Reseller spec section 2.2.
 */
export function formFieldsOf({ orderSchema, requiredFields, pluginDefaults }: ProductSchema): FormField[] | null {
  const raw = orderSchema?.fields;
  if (raw === undefined || raw === null) return [];
  const rows = Array.isArray(raw)
    ? raw
    : Object.entries(raw).map(([name, field]: [string, unknown]) =>
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
        kind: kindOf(field.type ?? "", name),
        preset: field.default ?? presets[name] ?? null,
        hint: field.description ?? field.help ?? null,
      },
    ];
  });
  return fields.length === read.data.length ? fields : null;
}

function kindOf(type: string, name: string): FormField["kind"] {
  if (/^(password|secret)$/i.test(type) || namesSecret(name)) return "password";
  if (/^(number|int|integer|float|range)$/i.test(type)) return "number";
  return /^(bool|boolean|checkbox|toggle|switch)$/i.test(type) ? "toggle" : "text";
}

/** A datacentre of a product. `prices` is its surcharge, in the catalogue's words; empty where it is unreadable. */
export interface ProductPlace {
  value: string;
  label: string;
  /** Its other names and codes in the platform's row: a member may type any of them. */
  aliases: string[];
  prices: Record<string, string>;
  /** True where some figure is not in `prices`: a sum without it would be too small. */
  partly: boolean;
}

const PlaceRow = z.looseObject({
  location: text.nullish(),
  value: text.nullish(),
  code: text.nullish(),
  id: plain.nullish(),
  name: text.nullish(),
  label: text.nullish(),
});

/** The readable datacentres of a product, from a list or from an object with their names. Reseller spec section 2.2. */
export function placesOf({ locationPricing: raw }: ProductSchema): ProductPlace[] {
  if (Array.isArray(raw)) return raw.flatMap((row: unknown) => placeOf(row, null));
  if (typeof raw !== "object" || raw === null) return [];
  return Object.entries(raw).flatMap(([name, row]: [string, unknown]) => placeOf(row, name));
}

function placeOf(row: unknown, key: string | null): ProductPlace[] {
  if (typeof row === "string" && key === null)
    return [{ value: row, label: row, aliases: [], prices: {}, partly: false }];
  const amount = Amount.safeParse(row);
  if (key !== null && amount.success)
    return [{ value: key, label: key, aliases: [], prices: { monthly: amount.data }, partly: false }];
  const read = PlaceRow.safeParse(row).data;
  const value = key ?? read?.location ?? read?.value ?? read?.code ?? read?.id;
  if (value === undefined || value === null) return [];
  const names = [read?.location, read?.value, read?.code, read?.id, read?.name, read?.label];
  const aliases = names.filter((name) => typeof name === "string");
  return [{ value, label: read?.name ?? read?.label ?? value, aliases, ...surchargeIn(row) }];
}

/** The catalogue's words for the cycles and the setup; `setup` maps other spellings in a datacentre's row. */
const priced = ["monthly", "quarterly", "semiAnnual", "semi-annually", "annual", "annually", "hourly", "setupFee"];
const setup: Record<string, string> = { setup: "setupFee", setup_fee: "setupFee" };

const aboutMoney = /price|pricing|fee|setup|surcharge|amount|charge|cost|month|quarter|annual|hour|year/i;

function surchargeIn(row: unknown): Pick<ProductPlace, "prices" | "partly"> {
  if (typeof row !== "object" || row === null) return { prices: {}, partly: false };
  const nested = "pricing" in row ? row.pricing : "surcharge" in row ? row.surcharge : row;
  if (nested === null) return { prices: { monthly: "0" }, partly: false };
  const amount = Amount.safeParse(nested);
  if (amount.success) return { prices: { monthly: amount.data }, partly: false };
  if (typeof nested !== "object") return { prices: {}, partly: true };
  const prices: Record<string, string> = {};
  let partly = false;
  for (const [raw, value] of Object.entries(nested)) {
    const name = setup[raw] ?? raw;
    const figure = Amount.safeParse(value);
    if (priced.includes(name) && figure.success) prices[name] = figure.data;
    else if (aboutMoney.test(name) && !isNothing(value)) partly = true;
  }
  return { prices, partly };
}

function isNothing(value: unknown): boolean {
  return value === null || typeof value === "boolean" || Number(Amount.safeParse(value).data ?? 1) === 0;
}
