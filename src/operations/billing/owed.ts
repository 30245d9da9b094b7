import { unitsOf } from "../../platform/amounts.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { money } from "../../views/format.ts";
import { type Bill, readBill } from "./bill.ts";

/** True while money is still expected for it. */
export function isOpen({ status, detail }: Bill): boolean {
  return (status === "unpaid" || status === "pending") && detail?.settled !== true;
}

/**
 * What is left to pay on a document, the one place that says it: nothing once it is settled, else what its own page tells. Null where
 * only a row of a list is known, which carries the total alone (spec section 2.6).
 */
export function leftOf(bill: Bill): string | null {
  if (!isOpen(bill)) return "0";
  return bill.detail?.remaining_amount ?? null;
}

/** "12.10 EUR left to pay", "56.80 EUR left to pay of 96.80 EUR", or the total where nothing is open or nothing more is known. */
export function owedWords(bill: Bill, currency: string | null): string {
  const own = bill.currency ?? currency;
  const total = money(bill.total, own);
  const left = leftOf(bill);
  if (!isOpen(bill) || left === null) return total;
  const part = unitsOf(left) !== unitsOf(bill.total);
  return `${money(left, own)} left to pay${part ? ` of ${total}` : ""}`;
}

/** Rows of a list that are read one by one: a page of the list has no more. */
const mostRead = 20;

/** The same documents, the open ones with their own pages, where the member may read those. */
export async function withDetails(client: CustomerClient, bills: Bill[]): Promise<Bill[]> {
  const open = bills.filter(isOpen).slice(0, mostRead);
  const read = await Promise.all(
    // What the list told stays true where a page of its own cannot be read.
    open.map((bill) => readBill(client, bill.id, bill.type).catch(() => bill)),
  );
  const byId = new Map(read.map((bill) => [bill.id, bill]));
  return bills.map((bill) => byId.get(bill.id) ?? bill);
}
