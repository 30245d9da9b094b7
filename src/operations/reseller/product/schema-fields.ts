import * as z from "#zod";
import { Amount } from "../../../platform/amounts.ts";
import { fieldOf, ifReadable } from "../../../platform/http/data.ts";
import type { ProductSchema } from "../../../platform/reseller/products.ts";
import { ownValue } from "../../../process/own-value.ts";
import { namesSecret } from "../../../process/secret-parts.ts";

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

// The platform may send null, an empty text or another type for a field that only describes. That must not hide the whole form.
const text = ifReadable(z.string().regex(/\S/));
const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Option = z.union([
  plain.transform((value) => ({ value, label: value })),
  z
    .looseObject({ value: plain, label: text, name: text, title: text })
    .transform(({ value, label, name, title }) => ({ value, label: label ?? name ?? title ?? value })),
]);
const options = ifReadable(z.array(Option).min(1));
const Field = z.looseObject({
  name: text,
  key: text,
  id: text,
  label: text,
  title: text,
  type: text,
  required: ifReadable(z.boolean()),
  options,
  choices: options,
  enum: options,
  default: ifReadable(plain),
  description: text,
  help: text,
});

/**
 * The fields of a plugin's form. The spec names only the list, so usual field names are tried. Null where a row is unreadable, or a needed
 * one has no name. Headings and the like have none, and are left out. Reseller spec section 2.2.
 */
export function formFieldsOf(schema: ProductSchema): FormField[] | null {
  const rows = formRows(schema);
  const fields = rows.map(({ key, row }) => formField(schema, key, row));
  const isMissing = fields.some((field, index) => field === null && !isHeading(rows[index]?.row));
  return isMissing ? null : oncePerName(fields.filter((field) => field !== null));
}

/** The platform takes one value for a name. Of two rows with one name, the first stays, and is needed or secret if one of them is. */
function oncePerName(fields: FormField[]): FormField[] {
  const found = new Map<string, FormField>();
  for (const field of fields) {
    const first = found.get(field.name) ?? field;
    const kind = field.kind === "password" ? field.kind : first.kind;
    found.set(field.name, { ...first, kind, required: first.required || field.required });
  }
  return [...found.values()];
}

/** The names of the form's fields with a secret, of those rows that can be read: a form with one unreadable row has secrets too. */
export function secretFieldsOf(schema: ProductSchema): Set<string> {
  const fields = formRows(schema).map(({ key, row }) => formField(schema, key, row));
  return new Set(fields.flatMap((field) => (field?.kind === "password" ? [field.name] : [])));
}

/** The form's rows, from a list or from an object with their names. */
function formRows({ orderSchema }: ProductSchema): { key: string | null; row: unknown }[] {
  const raw = orderSchema?.fields;
  if (raw === undefined || raw === null) return [];
  if (Array.isArray(raw)) return raw.map((row: unknown) => ({ key: null, row }));
  if (typeof raw !== "object") return [{ key: null, row: raw }];
  return Object.entries(raw).map(([key, row]: [string, unknown]) => ({ key, row }));
}

/** True for a row that no order needs, and that has no name. */
function isHeading(row: unknown): boolean {
  const read = Field.safeParse(row).data;
  return read !== undefined && read.required !== true;
}

function formField(schema: ProductSchema, key: string | null, row: unknown): FormField | null {
  const field = Field.safeParse(row).data;
  const name = field?.name ?? field?.key ?? field?.id ?? key;
  if (!field || !name) return null;
  const presets = z.record(z.string(), plain).catch({}).parse(schema.pluginDefaults);
  return {
    name,
    label: field.label ?? field.title ?? name,
    required: field.required ?? schema.requiredFields.includes(name),
    options: field.options ?? field.choices ?? field.enum ?? [],
    kind: kindOf(field.type ?? "", name),
    preset: field.default ?? ownValue(presets, name) ?? null,
    hint: field.description ?? field.help ?? null,
  };
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
  location: text,
  value: text,
  code: text,
  id: ifReadable(plain),
  name: text,
  label: text,
});

/** A field that holds the datacentres of an object, and names none itself. */
const placesName = /^(locations|places|datacent(er|re)s|prices|pricing)$/i;

/**
 * The readable datacentres of a product: a list, an object with their names, or either of them in an object with facts about the choice, such
 * as `locationRequired`. Reseller spec section 2.2.
 */
export function placesOf({ locationPricing: raw }: Pick<ProductSchema, "locationPricing">): ProductPlace[] {
  if (Array.isArray(raw)) return raw.flatMap((row: unknown) => placeOf(row, null));
  if (typeof raw !== "object" || raw === null) return [];
  const entries: [string, unknown][] = Object.entries(raw);
  const inner = entries.find(([name, value]) =>
    placesName.test(name) ? isPlain(value) : Array.isArray(value) && value.some(isPlain),
  );
  if (inner) return placesOf({ locationPricing: inner[1] });
  return entries.filter(([, value]) => !isFact(value)).flatMap(([name, row]) => placeOf(row, name));
}

/** True where the platform refuses an order without a datacentre. Reseller spec sections 2.2 and 4.1. */
export function needsPlace({ locationRequired, locationPricing, requiredFields }: ProductSchema): boolean {
  const isRequired = [locationRequired, fieldOf(locationPricing, "locationRequired")].includes(true);
  return isRequired || requiredFields.includes("location");
}

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A value that is no price of a datacentre. */
function isFact(value: unknown): boolean {
  return (
    typeof value === "boolean" ||
    Array.isArray(value) ||
    (typeof value === "string" && !Amount.safeParse(value).success)
  );
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
  return typeof nested === "object" ? pricesIn(nested) : { prices: {}, partly: true };
}

function pricesIn(nested: object): Pick<ProductPlace, "prices" | "partly"> {
  const prices: Record<string, string> = {};
  let partly = false;
  for (const [raw, value] of Object.entries(nested)) {
    const name = ownValue(setup, raw) ?? raw;
    const figure = Amount.safeParse(value);
    if (priced.includes(name) && figure.success) prices[name] = figure.data;
    else if (aboutMoney.test(name) && !isNothing(value)) partly = true;
  }
  return { prices, partly };
}

function isNothing(value: unknown): boolean {
  return value === null || typeof value === "boolean" || Number(Amount.safeParse(value).data ?? 1) === 0;
}
