import { type Block, facts, paragraphs } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import { renderJson } from "../../views/json.ts";
import { capital, count, dotted, prose } from "../../views/text.ts";

/** Rows whose fields the contract does not name. A line has the order in which a person reads: name, price, time, the rest. */

interface NamedValue {
  key: string;
  value: unknown;
}

const nameKeys = ["description", "name", "title", "label", "product_name", "productName", "product", "method", "type"];
const moneyKey =
  /amount|price|total|subtotal|tax|vat|fee|setup|hourly|monthly|quarterly|annually|net|gross|balance|credit|cost|paid|discount/i;
const timeKey = /(^|_)(at|on|date|time|timestamp|until|due)$|[a-z](At|On|Date|Time|Until)$/;
const decimal = /^-?\d{1,15}(\.\d{1,8})?$/;

/** One row as a line: "2 × Backup · 6.00 EUR · monthly · Nov 20". `currency` applies if the row names none. */
export function rowLine(row: unknown, currency: string | null): string {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return renderJson(row).join(" · ") || "nothing";
  const own = currencyIn(row) ?? currency;
  const rest = shownFields(row);
  const name = takeFirst(rest, nameKeys);
  const quantity = takeFirst(rest, ["quantity", "qty"]);
  const many = typeof quantity?.value === "number" ? `${quantity.value.toLocaleString("en")} × ` : "";
  const lead = name ? `${many}${valueWords(name, own)}` : many.replace(" × ", "");
  const amount = takeFirst(rest, ["amount", "total", "price"]);
  return dotted([
    lead,
    amount ? valueWords(amount, own) : null,
    ...rest.map((field) =>
      needsNoLabel(field) ? valueWords(field, own) : `${labelOf(field.key)} ${valueWords(field, own)}`,
    ),
  ]);
}

/** The remaining fields of an object, without those in `known`: single values in two columns, rows as a list under their name. */
export function restBlocks(row: object, known: readonly string[], currency: string | null): Block[] {
  const field = shownFields(row).filter(({ key }) => !known.includes(key));
  const single = field.filter(({ value }) => !Array.isArray(value));
  const lists = field.filter(({ value }) => Array.isArray(value));
  return [
    ...facts(single.map((one) => ({ label: capital(labelOf(one.key)), value: valueWords(one, currency) }))),
    ...lists.flatMap(({ key, value }) => paragraphs(listLines(capital(labelOf(key)), [value].flat(), currency))),
  ];
}

/** A heading with the number of rows, and a line for each. */
export function listLines(heading: string, rows: unknown[], currency: string | null): string[] {
  return [`*${heading}* (${rows.length})`, ...rows.map((row) => `• ${rowLine(row, currency)}`)];
}

/** The label of a key: "next_due_date" and "nextDueDate" become "next due date". */
function labelOf(key: string): string {
  const known = words[key.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase()];
  if (known) return known;
  return prose(
    key
      .replaceAll(/[_-]+/g, " ")
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase(),
    60,
  );
}

const words: Record<string, string> = {
  created_at: "made",
  updated_at: "changed",
  paid_at: "paid",
  due_date: "due",
  due_at: "due",
  subtotal: "before tax",
  vat: "VAT",
  balance_after: "balance after",
  hostname: "host name",
  billing_cycle: "billed",
  order_number: "number",
  order_type: "kind",
  idempotency_key: "idempotency key",
  next_step: "next",
};

function valueWords(field: NamedValue, currency: string | null): string {
  const { key, value } = field;
  if (Array.isArray(value)) return value.length === 0 ? "none" : count(value.length, "entry", "entries");
  if (typeof value === "object" && value !== null) {
    const name = shownFields(value).find((one) => one.key === "name");
    return name
      ? prose(String(name.value), 120)
      : shownFields(value)
          .map((one) => `${labelOf(one.key)} ${valueWords(one, currency)}`)
          .join(", ");
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  const at = timeKey.test(key) ? timeOf(value) : null;
  if (at !== null) return moment(at);
  if (moneyKey.test(key) && (typeof value === "number" || (typeof value === "string" && decimal.test(value))))
    return money(value, currency);
  return typeof value === "string" ? prose(value.replaceAll("_", " "), 300) : String(value);
}

/** A time, or one word such as "monthly" or "credit", needs no label. */
function needsNoLabel({ key, value }: NamedValue): boolean {
  if (key === "created_at" || key === "createdAt" || key === "date") return true;
  return (
    ["type", "status", "method", "billing_cycle", "billingCycle", "cycle"].includes(key) && typeof value === "string"
  );
}

function timeOf(value: unknown): number | string | null {
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))) return value;
  if (typeof value !== "number") return null;
  // Seconds since the epoch have ten digits, milliseconds thirteen.
  if (value > 1e12) return value;
  return value > 1e9 ? value * 1000 : null;
}

/** The fields worth showing: without ids, empty values, and the currency, which the amounts show. */
function shownFields(row: object): NamedValue[] {
  return Object.entries(row)
    .filter(([key, value]) => !/^id$|_id$|[a-z]Id$/.test(key) && value !== null && value !== undefined && value !== "")
    .filter(([key]) => key !== "currency")
    .map(([key, value]) => ({ key, value }));
}

function currencyIn(row: object): string | null {
  const found = Object.entries(row).find(([key]) => key === "currency")?.[1];
  return typeof found === "string" ? found : null;
}

/** Removes and returns the first of these fields that `rest` has. */
function takeFirst(rest: NamedValue[], keys: readonly string[]): NamedValue | undefined {
  for (const key of keys) {
    const at = rest.findIndex((field) => field.key === key);
    if (at >= 0) return rest.splice(at, 1)[0];
  }
  return undefined;
}
