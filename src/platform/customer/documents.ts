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

/** A customer's number may be in the same row. */
const ownNumbers = ["number", "invoice_number", "proforma_number"];

/** The document number of a row, or null. The spec does not name its field, so any field ending in "number" counts; its likely names come first. */
export function numberOf(row: Record<string, unknown>): string | null {
  const isNumber = (value: unknown) => typeof value === "string" && value !== "";
  const own = ownNumbers.find((key) => isNumber(row[key]));
  const found = own ?? Object.keys(row).find((key) => /number$/i.test(key) && isNumber(row[key]));
  return found === undefined ? null : String(row[found]);
}

/** `Date.parse` alone takes an amount such as "12.10" for a date. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The due date of a row, or null. The spec does not name its field, so any field with "due" in its name counts. */
export function dueOf(row: Record<string, unknown>): string | null {
  const found = Object.entries(row).find(
    ([key, value]) => /due/i.test(key) && typeof value === "string" && isDate(value),
  );
  return found ? String(found[1]) : null;
}
