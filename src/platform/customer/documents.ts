import * as z from "#zod";
import { Amount } from "../amounts.ts";

/** The states of an invoice or a proforma. Section 3.3 names four; 3.1 says that an unpaid one can be cancelled. */
export const DocumentStatus = z.enum(["unpaid", "pending", "paid", "converted", "cancelled"]);
export type DocumentStatus = z.infer<typeof DocumentStatus>;

/** The statuses of documents that are not fully paid. */
export const openStatuses = ["unpaid", "pending"] as const satisfies DocumentStatus[];

/** The state of a document. Callers branch on this and on `settled`. Spec section 2.6. */
export const DocumentState = z.object({
  type: z.enum(["invoice", "proforma"]),
  id: z.string().min(1),
  status: DocumentStatus,
  total: Amount,
  settled: z.boolean(),
});
export type DocumentState = z.infer<typeof DocumentState>;

/** An invoice or a proforma; fields that the spec does not name pass through unchanged. A proforma's `invoice_id` may stay null for good. */
export const Document = z.looseObject({
  id: z.string().min(1),
  status: DocumentStatus,
  total: Amount,
  invoice_id: z.string().nullish(),
});
export type Document = z.infer<typeof Document>;

/** The likely names of the number of a row, beside "number" itself. */
const ownNumbers = {
  order: ["order"],
  invoice: ["invoice", "document"],
  proforma: ["proforma", "document"],
} as const;

/** Numbers in a row that are not its own: of its customer, or of another row. */
const otherNumbers = /customer|client|account|company|vat|tax|phone|fax|purchase|order|invoice|proforma/i;

/** The number of a row, or null. The spec does not name its field, so any field ending in "number" counts; its likely names come first. */
export function numberOf(row: Record<string, unknown>, kind: keyof typeof ownNumbers): string | null {
  const numbers = Object.entries(row).flatMap(([key, value]) =>
    typeof value === "string" && value !== "" && /number$/i.test(key)
      ? [{ of: key.slice(0, -"number".length).replace(/_$/, "").toLowerCase(), value }]
      : [],
  );
  const likely = ["", ...ownNumbers[kind]].map((name) => numbers.find(({ of }) => of === name));
  return (likely.find((one) => one) ?? numbers.find(({ of }) => !otherNumbers.test(of)))?.value ?? null;
}

/** `Date.parse` alone takes an amount such as "12.10" for a date. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text));
}

/**
 * The due date of a row, or null. The spec does not name its field, so any field with "due" in its name counts: its likely names come first,
 * and a date of a reminder that it is overdue is another.
 */
export function dueOf(row: Record<string, unknown>): string | null {
  const dates = Object.entries(row).flatMap(([key, value]) =>
    typeof value === "string" && /due/i.test(key) && !/overdue|past|remind/i.test(key) && isDate(value)
      ? [{ key, value }]
      : [],
  );
  return (dates.find(({ key }) => /^due(_?(date|at|on))?$/i.test(key)) ?? dates[0])?.value ?? null;
}
