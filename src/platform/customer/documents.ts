import * as z from "zod";
import { Amount } from "../money.ts";

/** The states of an invoice or a proforma. Section 3.3 names four; 3.1 says that an unpaid one can be cancelled. */
export const DocumentStatus = z.enum(["unpaid", "pending", "paid", "converted", "cancelled"]);
export type DocumentStatus = z.infer<typeof DocumentStatus>;

/** Where a document stands: this and `settled` are what to branch on. Spec section 2.6. */
export const DocumentState = z.object({
  type: z.enum(["invoice", "proforma"]),
  id: z.string().min(1),
  status: DocumentStatus,
  total: Amount,
  settled: z.boolean(),
});
export type DocumentState = z.infer<typeof DocumentState>;

/** An invoice or a proforma; the spec names little of it, the rest is kept as it comes. A proforma's `invoice_id` may stay null for good. */
export const Document = z.looseObject({
  id: z.string().min(1),
  status: DocumentStatus,
  total: Amount,
  invoice_id: z.string().nullish(),
});
export type Document = z.infer<typeof Document>;

/** The number that a row carries, under whatever name: the contract names none. */
export function numberOf(row: Record<string, unknown>): string | null {
  const found = Object.entries(row).find(([key, value]) => /number$/i.test(key) && typeof value === "string" && value);
  return found ? String(found[1]) : null;
}

/** When it is to be paid, under whatever name: the contract names none. */
export function dueOf(row: Record<string, unknown>): string | null {
  const found = Object.entries(row).find(
    ([key, value]) => /due/i.test(key) && typeof value === "string" && !Number.isNaN(Date.parse(value)),
  );
  return found ? String(found[1]) : null;
}
