import type * as z from "#zod";
import type { PlatformOffContract } from "./errors.ts";

/** A row of a list that the contract does not allow. The other rows of its list can be read. */
export interface UnreadRow {
  /** Null where the row has none that can be read. */
  id: string | null;
  name: string | null;
  /** The type of a service, where its row names one. */
  type: string | null;
  /** Its place in its list, from 1. */
  place: number;
  /** The fields that are off the contract: "status", "billing.amount". Empty where the whole row is. */
  fields: string[];
  /** The number of rows of its list that can be read. */
  others: number;
  /** The error of a read that needs every row. */
  error: PlatformOffContract;
}

/** The fault of one row: its list, its place in it, and the field. */
interface RowFault {
  list: PropertyKey[];
  at: number;
  field: string;
}

/**
 * The envelope without the rows that have the faults, and these rows. Null where a fault is not within a row: the answer is then
 * unreadable.
 */
export function withoutRows(
  envelope: object,
  issues: readonly Pick<z.core.$ZodIssue, "path">[],
): { envelope: object; unread: Omit<UnreadRow, "error">[] } | null {
  const faults = issues.flatMap(({ path }) => faultAt(path) ?? []);
  if (faults.length < issues.length) return null;
  const copy: object = structuredClone(envelope);
  const unread: Omit<UnreadRow, "error">[] = [];
  for (const [, ofList] of Map.groupBy(faults, ({ list }) => JSON.stringify(list))) {
    const rows = valueAt(copy, ofList[0]?.list ?? []);
    if (!Array.isArray(rows)) return null;
    const byRow = Map.groupBy(ofList, ({ at }) => at);
    const others = rows.length - byRow.size;
    for (const [at, ofRow] of byRow) {
      const fields = [...new Set(ofRow.map(({ field }) => field))].filter((field) => field !== "");
      const [id, name, type] = [idFields, nameFields, ["serviceType"]].map((names) => textIn(rows[at], names));
      unread.push({ id: id ?? null, name: name ?? null, type: type ?? null, place: at + 1, fields, others });
    }
    rows.splice(0, rows.length, ...rows.filter((_, at) => !byRow.has(at)));
  }
  reduced.add(copy);
  return { envelope: copy, unread };
}

/** Envelopes out of which unreadable rows were taken. */
const reduced = new WeakSet<object>();

/** True for an envelope without the rows that cannot be read: it counts more rows than it has. */
export function lacksRows(envelope: unknown): boolean {
  return typeof envelope === "object" && envelope !== null && reduced.has(envelope);
}

function faultAt(path: PropertyKey[]): RowFault | null {
  const index = path.findIndex((part) => typeof part === "number");
  const at = path[index];
  return typeof at === "number" ? { list: path.slice(0, index), at, field: path.slice(index + 1).join(".") } : null;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => entriesOf(inner).find(([name]) => name === key)?.[1], value);
}

const idFields = ["id", "serviceId", "value"];
const nameFields = [
  ...["name", "hostname", "label", "number", "order_number", "invoice_number", "proforma_number"],
  ...["external_customer_id", "toProductName", "address"],
];

/** The first of the fields that is a text or a number. */
function textIn(row: unknown, names: readonly string[]): string | null {
  const fields = new Map(entriesOf(row));
  const found = names.map((name) => fields.get(name)).find((value) => isText(value));
  return found === undefined ? null : String(found);
}

function isText(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
