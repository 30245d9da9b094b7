import * as z from "#zod";
import { Amount, Currency } from "../../platform/amounts.ts";
import { partSecrets } from "../../process/secret-parts.ts";
import { type Block, facts, paragraphs } from "../../views/blocks.ts";
import { jsonLines, leftWords, mostRows } from "../../views/json.ts";
import { labelled, withinLine } from "../../views/labels.ts";
import { capital, count, dotted, prose } from "../../views/text.ts";
import { currencyIn, isNothing, isObject, isScalar, knownWords } from "../../views/values.ts";

/** Rows whose fields the contract does not name. A line has the order in which a person reads: name, price, time, the rest. */

interface NamedValue {
  key: string;
  value: unknown;
}

const nameKeys = ["description", "name", "title", "label", "product_name", "productName", "product", "method", "type"];

/** One row as a line: "2 × Backup · 6.00 EUR · monthly · Nov 20". `currency` applies if the row names none. */
export function rowLine(row: unknown, currency: string | null): string {
  if (!isObject(row)) return jsonLines(row).join(" · ") || "nothing";
  const own = currencyIn(Object.entries(row)) ?? currency;
  const rest = shownFields(row);
  const name = takeFirst(rest, nameKeys);
  const quantity = takeFirst(rest, ["quantity", "qty"]);
  const many = typeof quantity?.value === "number" ? `${quantity.value.toLocaleString("en")} × ` : "";
  const lead = name ? `${many}${fieldWords(name, own)}` : many.replace(" × ", "");
  const amount = takeFirst(rest, ["amount", "total", "price"]);
  return dotted([
    lead,
    amount ? fieldWords(amount, own) : null,
    ...rest.map((field) =>
      needsNoLabel(field) ? fieldWords(field, own) : `${labelOf(field.key)} ${fieldWords(field, own)}`,
    ),
  ]);
}

/** The remaining fields of an object, without those in `known`: single values in two columns, rows as a list under their name. */
export function restBlocks(row: object, known: readonly string[], currency: string | null): Block[] {
  // A list that is shown above may be long, and each of its texts would be looked at for secrets again.
  const others = Object.entries(row).filter(([key, value]) => !(Array.isArray(value) && known.includes(key)));
  const field = shownFields(Object.fromEntries(others)).filter(({ key }) => !known.includes(key));
  const single = field.filter(({ value }) => !Array.isArray(value));
  const lists = field.filter(({ value }) => Array.isArray(value));
  return [
    ...facts(single.map((one) => ({ label: capital(labelOf(one.key)), value: fieldWords(one, currency) }))),
    ...lists.flatMap(({ key, value }) => paragraphs(listLines(capital(labelOf(key)), [value].flat(), currency))),
  ];
}

/** A heading with the number of rows, and a line for each row of `page`; without that, for the first 2,000. */
export function listLines(heading: string, rows: unknown[], currency: string | null, page?: unknown[]): string[] {
  const shown = page ?? rows.slice(0, mostRows);
  return [
    `*${heading}* (${rows.length})`,
    ...shown.map((row) => itemLine(row, currency)),
    ...(page ? [] : leftWords(rows.length - shown.length)),
  ];
}

/** A row as an item of a list. */
export function itemLine(row: unknown, currency: string | null): string {
  return `• ${rowLine(row, currency)}`;
}

/** The label of a key: "next_due_date" and "nextDueDate" become "next due date". */
function labelOf(key: string): string {
  const { label } = labelled(key);
  return words.get(label.toLowerCase()) ?? prose(withinLine(label), 60);
}

const words = new Map([
  ["created at", "made"],
  ["updated at", "changed"],
  ["paid at", "paid"],
  ["due date", "due"],
  ["due at", "due"],
  ["subtotal", "before tax"],
  ["hostname", "host name"],
  ["billing cycle", "billed"],
  ["order number", "number"],
  ["order type", "kind"],
  ["next step", "next"],
]);

function fieldWords({ key, value }: NamedValue, currency: string | null): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : count(value.length, "entry", "entries");
  if (isScalar(value)) return knownWords(key, value, currency) ?? prose(String(value).replaceAll("_", " "), 300);
  const fields = shownFields(value);
  const name = fields.find((one) => one.key === "name" && isScalar(one.value));
  if (name) return prose(String(name.value), 120);
  const own = currencyIn(Object.entries(value)) ?? currency;
  return fields.map((one) => `${labelOf(one.key)} ${fieldWords(one, own)}`).join(", ");
}

/** A time, or one word such as "monthly" or "credit", needs no label. */
function needsNoLabel({ key, value }: NamedValue): boolean {
  if (key === "created_at" || key === "createdAt" || key === "date") return true;
  return (
    ["type", "status", "method", "billing_cycle", "billingCycle", "cycle"].includes(key) && typeof value === "string"
  );
}

/** The fields worth showing: without secrets, ids, empty values, and the currency, which the amounts show. */
function shownFields(row: object): NamedValue[] {
  return Object.entries(partSecrets(row).rest ?? {})
    .filter(([key, value]) => !/^id$|_id$|[a-z]Id$/.test(key) && !isNothing(value) && value !== "")
    .filter(([key]) => key !== "currency")
    .map(([key, value]) => ({ key, value }));
}

/** Removes and returns the first of these fields that `rest` has. */
function takeFirst(rest: NamedValue[], keys: readonly string[]): NamedValue | undefined {
  for (const key of keys) {
    const at = rest.findIndex((field) => field.key === key);
    if (at >= 0) return rest.splice(at, 1)[0];
  }
  return undefined;
}

const text = z.string().min(1);
/** The spec has this for a VPS, and shows no price of other kinds: a row that names one does so in one of these two ways. */
const Billed = z.object({ billing: z.object({ amount: Amount, cycle: text, currency: Currency.nullish() }) });
const Flat = z
  .object({
    amount: Amount,
    billingCycle: text.optional(),
    billing_cycle: text.optional(),
    currency: Currency.nullish(),
  })
  .transform(({ amount, billingCycle, billing_cycle, currency }) => ({
    amount,
    cycle: billingCycle ?? billing_cycle,
    currency,
  }));

/** The price of a service for each cycle, if its row names it plainly; null if not. Its currency may be missing. */
export function priceInRow(row: unknown): { amount: string; cycle: string; currency: string | null } | null {
  const billed = Billed.safeParse(row).data?.billing ?? Flat.safeParse(row).data;
  if (!billed?.cycle) return null;
  return { amount: billed.amount, cycle: billed.cycle, currency: billed.currency ?? null };
}
