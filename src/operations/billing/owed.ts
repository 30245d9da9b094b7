import { unitsOf } from "../../platform/amounts.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { money } from "../../views/format.ts";
import { type Bill, readBill } from "./bill.ts";

/** True while the document still waits for money. */
export function isOpen({ status, detail }: Bill): boolean {
  return (status === "unpaid" || status === "pending") && detail?.settled !== true;
}

/**
 * The unpaid rest of a document; every price and balance check uses this function. "0" if it is settled, null for a row of a
 * list, which has the total alone (spec section 2.6).
 */
export function leftOf(bill: Bill): string | null {
  if (!isOpen(bill)) return "0";
  return bill.detail?.remaining_amount ?? null;
}

/** "12.10 EUR left to pay", "56.80 EUR left to pay of 96.80 EUR", or the total if nothing is left or the rest is unknown. */
export function owedWords(bill: Bill, currency: string | null): string {
  const own = bill.currency ?? currency;
  const total = money(bill.total, own);
  const left = leftOf(bill);
  if (!isOpen(bill) || left === null) return total;
  const part = unitsOf(left) !== unitsOf(bill.total);
  return `${money(left, own)} left to pay${part ? ` of ${total}` : ""}`;
}

/** Documents of a list that are read one by one: a page of the list has no more. */
const mostRead = 20;

/** The same documents; the open ones are read one by one, if the member may read them. */
export async function withDetails(client: CustomerClient, bills: Bill[]): Promise<Bill[]> {
  const open = bills.filter(isOpen).slice(0, mostRead);
  const read = await Promise.all(
    // If a document cannot be read by itself, its row in the list is still right.
    open.map((bill) => readBill(client, bill.id, bill.type).catch(() => bill)),
  );
  const byId = new Map(read.map((bill) => [bill.id, bill]));
  return bills.map((bill) => byId.get(bill.id) ?? bill);
}
