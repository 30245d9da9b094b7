import { type Cost, priceIn, type Step } from "../../operation/answer.ts";
import type { Entry, TargetKind } from "../../operation/target.ts";
import { unitsOf } from "../../platform/amounts.ts";
import {
  type DocumentDetail,
  type DocumentType,
  documentLists,
  documentReads,
  documentTypes,
} from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type Document,
  type DocumentState,
  type DocumentStatus,
  dueOf,
  numberOf,
} from "../../platform/customer/documents.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { money } from "../../views/format.ts";
import { readOwnBalance } from "../kits/balance.ts";

/** An invoice or a proforma. `detail` is null for a row of a list, which has the status and the total alone. */
export interface Bill {
  type: DocumentType;
  id: string;
  name: PlainText;
  status: DocumentStatus;
  total: string;
  currency: string | null;
  row: Document;
  detail: DocumentDetail | null;
}

/** Invoices and proformas are one kind: a lock on a document with an unknown outcome must stop a second payment of either. */
export const bill: TargetKind<"customer", Bill> = {
  noun: "document",
  label: "invoice or proforma",
  plural: "invoices and proformas",
  foundBy: "number",
  card: "billing show",
  async list(client, query) {
    const lists = await bothLists(client, query);
    const total = lists.reduce((sum, { pagination }) => sum + pagination.total, 0);
    const pages = Math.max(...lists.map(({ pagination }) => pagination.pages));
    return {
      rows: lists.flatMap(({ bills }) => bills),
      pagination: { page: query.page, limit: query.limit, total, pages },
    };
  },
  read: readBill,
  entry: (row) => ({
    id: row.id,
    name: row.name,
    nameless: numberOf(row.row, row.type) === null,
    aliases: searchWords(row.row),
    state: row.status,
    detail: [row.type, statusWords[row.status], `${money(row.total, row.currency)} in all`].join(" · "),
    ...dueIn(row),
  }),
  identity: {
    project: "Documents are of the whole account.",
    address: "A document has no address.",
    hostname: "A document has no host name.",
    location: "A document is in no place.",
    apart: "No two documents of one kind have one number, and each card names the kind.",
  },
};

/** The due date, while the document is not paid. */
function dueIn({ status, row }: Bill): Pick<Entry, "due"> {
  const at = status === "unpaid" || status === "pending" ? dueOf(row) : null;
  return at === null ? {} : { due: { at, what: "due for payment" } };
}

/** A page of the invoices, and the same page of the proformas. */
export function bothLists(client: CustomerClient, query: { page?: number; limit: number; status?: DocumentStatus }) {
  return Promise.all(
    documentTypes.map(async (type) => {
      const { rows, pagination } = await documentLists[type](client, query);
      return { pagination, bills: rows.map((row) => billOf(type, row)) };
    }),
  );
}

/** Reads a document by its id, which does not reveal its type: an invoice first, then a proforma. Spec section 4.6. */
async function readBill(client: CustomerClient, id: string): Promise<Bill> {
  return (await readAs("invoice", client, id).catch(nullIfRefused(404))) ?? readAs("proforma", client, id);
}

async function readAs(type: DocumentType, client: CustomerClient, id: string): Promise<Bill> {
  return detailed(type, await documentReads[type](client, id));
}

export function detailed(type: DocumentType, detail: DocumentDetail): Bill {
  return { ...billOf(type, detail.document), detail };
}

export function billOf(type: DocumentType, row: Document): Bill {
  return {
    type,
    id: row.id,
    name: numberOf(row, type) ?? `${type} ${row.id.slice(0, 8)}`,
    status: row.status,
    total: row.total,
    currency: typeof row.currency === "string" ? row.currency : null,
    row,
    detail: null,
  };
}

/** Short texts of a row that a member might type to find it. */
export function searchWords(row: Record<string, unknown>): string[] {
  return Object.entries(row).flatMap(([key, value]) =>
    typeof value === "string" && /number|reference|hostname/i.test(key) && value.length <= 253 ? [value] : [],
  );
}

/** The label of each status (spec section 3.3). */
export const statusWords: Record<DocumentStatus, string> = {
  unpaid: "unpaid",
  pending: "pending",
  paid: "paid",
  converted: "paid and converted into an invoice",
  cancelled: "cancelled",
};

/** The currency of a document: its own, otherwise the account's. */
export async function currencyFor(client: CustomerClient, own: string | null): Promise<string | null> {
  return own ?? (await readOwnBalance(client))?.currency ?? null;
}

/**
 * The cost of a purchase, by the answer to it: the total of its document, or nothing if it is settled without one. Undefined if the answer
 * does not say. Spec section 2.6.
 */
export function costOf(
  { document, settled }: { document?: DocumentState | null | undefined; settled?: boolean | undefined },
  currency: string | null,
): Cost | undefined {
  if (document) return { price: priceIn(document.total, currency), document: document.id };
  return document === null && settled ? { price: null } : undefined;
}

/** The button that pays a document. */
export function payStep(target: string): Step {
  return { label: "Pay…", command: "billing pay", target, style: "primary" };
}

/** The buttons to the documents of which one is meant, where it is not sure which. */
export const unpaidSteps: Step[] = [
  { label: "Unpaid invoices", command: "billing invoices", input: { status: "unpaid" } },
  { label: "Unpaid proformas", command: "billing proformas", input: { status: "unpaid" } },
];

/** True while the document still waits for money. */
export function waitsForMoney({ status, detail }: Bill): boolean {
  return (status === "unpaid" || status === "pending") && detail?.settled !== true;
}

/**
 * The unpaid rest of a document; every price and balance check uses this function. "0" if it is settled, null for a row of a
 * list, which has the total alone (spec section 2.6).
 */
export function leftOf(bill: Bill): string | null {
  if (!waitsForMoney(bill)) return "0";
  return bill.detail?.remaining_amount ?? null;
}

/** "12.10 EUR left to pay", "56.80 EUR left to pay of 96.80 EUR", or the total if nothing is left or the rest is unknown. */
export function owedWords(bill: Bill, currency: string | null): string {
  const own = bill.currency ?? currency;
  const total = money(bill.total, own);
  const left = leftOf(bill);
  if (!waitsForMoney(bill) || left === null) return total;
  const part = unitsOf(left) !== unitsOf(bill.total);
  return `${money(left, own)} left to pay${part ? ` of ${total}` : ""}`;
}

/** Documents of a list that are read one by one: a page of the list has no more. */
const mostRead = 20;

/** The same documents; the open ones are read one by one, if the member may read them. */
export async function withDetails(client: CustomerClient, bills: Bill[]): Promise<Bill[]> {
  const open = bills.filter(waitsForMoney).slice(0, mostRead);
  const read = await Promise.all(
    // If a document cannot be read by itself, its row in the list is still right.
    open.map((bill) => readAs(bill.type, client, bill.id).catch(() => bill)),
  );
  const byId = new Map(read.map((bill) => [bill.id, bill]));
  return bills.map((bill) => byId.get(bill.id) ?? bill);
}
