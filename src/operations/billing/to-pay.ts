import type { TargetKind } from "../../operation/target.ts";
import { dueOf, openStatuses } from "../../platform/customer/documents.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { type Bill, bill, bothLists, currencyFor, owedWords, waitsForMoney, withDetails } from "./bill.ts";

/** An unpaid document, and the account's currency in case the document names none. */
interface ToPay {
  bill: Bill;
  currency: string | null;
}

/** Documents that are read by themselves. For the others the total is known, and the unpaid rest is not. */
const mostRead = 8;

/** Every invoice and proforma that is not fully paid, the earliest due date first: at most one page of each status. */
export const toPay: TargetKind<"customer", ToPay> = {
  noun: "document to pay",
  label: "unpaid document",
  async list(client) {
    const lists = await Promise.all(openStatuses.map((status) => bothLists(client, { status, limit: largestPage })));
    const bills = lists
      .flat()
      .flatMap((list) => list.bills)
      .sort((a, b) => timeOf(a) - timeOf(b));
    const soonest = await withDetails(client, bills.slice(0, mostRead));
    const currency = bills.length > 0 ? await currencyFor(client, bills[0]?.currency ?? null) : null;
    const rows = [...soonest.filter(waitsForMoney), ...bills.slice(mostRead)].map((one) => ({ bill: one, currency }));
    return { rows, pagination: { page: 1, limit: largestPage, total: rows.length, pages: 1 } };
  },
  read: async (client, id) => ({ bill: await bill.read(client, id), currency: null }),
  entry: ({ bill: one, currency }) => ({ ...bill.entry(one), detail: owedWords(one, currency) }),
  identity: {
    project: "Documents are of the whole account.",
    address: "A document has no address.",
    hostname: "A document has no host name.",
    location: "A document is in no place.",
  },
};

/** Documents without a due date come last. */
function timeOf({ row }: Bill): number {
  const due = dueOf(row);
  return due === null ? Number.POSITIVE_INFINITY : Date.parse(due);
}
