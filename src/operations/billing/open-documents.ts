import type { Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import type { TargetKind } from "../../operation/target.ts";
import { type DocumentType, documentLists, documentReads, documentTypes } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { dueOf, openStatuses } from "../../platform/customer/documents.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { oncePer } from "../../process/once-per.ts";
import { mentions } from "../kits/mentions.ts";
import { ownNames } from "../service/own-names.ts";
import {
  type Bill,
  bill,
  bothLists,
  currencyFor,
  owedWords,
  payStep,
  unpaidSteps,
  waitsForMoney,
  withDetails,
} from "./bill.ts";

/** The identity of a document, as a tracked order stores it. */
export interface DocumentRef {
  type: DocumentType;
  id: string;
}

/** Each document is one call. */
const mostRead = 10;

/**
 * Ids of the account's unpaid documents; null if not all of them can be read. Never throws: an order must not fail because its
 * later payment cannot be found.
 */
export async function openDocumentIds(client: CustomerClient): Promise<string[] | null> {
  const { documents, whole } = await openDocuments(client).catch(() => ({ documents: [], whole: false }));
  return whole ? documents.map(({ id }) => id) : null;
}

interface Payable {
  /** The ids by which a document may name it, and the services that it is. */
  words: readonly unknown[];
  services: readonly string[];
  /** The names of these services. A document that names one of them counts only if no other service has that name. */
  names: readonly unknown[];
}

/**
 * The unpaid document of a service or an order, outside of those `before`; null if that is not certain. `only`: the one unpaid document of
 * the account is the one, even if it names none of the words.
 */
export async function openDocumentFor(
  call: Pick<CallContext<"customer">, "client" | "confinedTo">,
  { words, services, names }: Payable,
  { before, only }: { before?: string[]; only: boolean },
): Promise<DocumentRef | null> {
  const { client } = call;
  const { documents, whole } = await openDocuments(client);
  const fresh = documents.filter(({ id }) => !before?.includes(id));
  const [first, ...others] = fresh;
  if (whole && only && first && others.length === 0) return first;
  const search = { fresh: before !== undefined };
  const own = fresh.length > 0 ? await ownNames(call, services, names.filter(isText), search) : [];
  return documentNaming(client, fresh, [...words, ...own]);
}

/** The document that names one of the words; null if that is not certain. */
export async function documentNaming(
  client: CustomerClient,
  documents: readonly DocumentRef[],
  words: unknown[],
): Promise<DocumentRef | null> {
  const read = await Promise.all(
    documents.slice(0, mostRead).map(async (ref) => ({ ref, detail: await readDocument(ref, client) })),
  );
  const [its, other] = read.filter(({ detail }) => mentions(detail, words.filter(isText)));
  return its && !other ? its.ref : null;
}

const readDocument = oncePer(({ type, id }: DocumentRef, client: CustomerClient) => documentReads[type](client, id));

/**
 * The way to pay for a service that waits for it; none for any other. Without a document that is surely its own, the unpaid documents. Never
 * throws: documents are of the whole account, and a key that may not read them still shows the service.
 */
export async function payStepsFor(
  { client, confinedTo }: Pick<CallContext<"customer">, "client" | "confinedTo">,
  { id, name, hostname, status }: { id: string; name?: unknown; hostname?: unknown; status?: string | undefined },
): Promise<Step[]> {
  if (status !== "pending_payment") return [];
  const payable = { words: [id], services: [id], names: [name, hostname] };
  const call = { client: client.in(null), confinedTo };
  const document = await openDocumentFor(call, payable, { only: true }).catch(() => null);
  return document ? [payStep(document.id)] : unpaidSteps;
}

/** The account's unpaid documents, up to `limit` of each type and status. `whole`: there are no others. */
export async function openDocuments(
  client: CustomerClient,
  limit = largestPage,
): Promise<{ documents: DocumentRef[]; whole: boolean }> {
  const pages = await Promise.all(
    documentTypes.flatMap((type) =>
      openStatuses.map(async (status) => {
        const { rows, pagination } = await documentLists[type](client, { limit, status });
        const open = rows.filter((row) => row.status === status);
        return { whole: pagination.pages <= 1, documents: open.map(({ id }) => ({ type, id })) };
      }),
    ),
  );
  return { documents: pages.flatMap(({ documents }) => documents), whole: pages.every(({ whole }) => whole) };
}

function isText(word: unknown): word is string {
  return typeof word === "string";
}

/** An unpaid document, and the account's currency in case the document names none. */
interface ToPay {
  bill: Bill;
  currency: string | null;
}

/** Documents that are read by themselves. For the others the total is known, and the unpaid rest is not. */
const mostDetailed = 8;

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
    const soonest = await withDetails(client, bills.slice(0, mostDetailed));
    const currency = bills.length > 0 ? await currencyFor(client, bills[0]?.currency ?? null) : null;
    const rows = [...soonest.filter(waitsForMoney), ...bills.slice(mostDetailed)].map((one) => ({
      bill: one,
      currency,
    }));
    return { rows, pagination: { page: 1, limit: largestPage, total: rows.length, pages: 1 } };
  },
  read: async (client, id) => ({ bill: await bill.read(client, id), currency: null }),
  entry: ({ bill: one, currency }) => ({ ...bill.entry(one), detail: owedWords(one, currency) }),
  identity: {
    project: "Documents are of the whole account.",
    address: "A document has no address.",
    hostname: "A document has no host name.",
    location: "A document is in no place.",
    apart: "No two documents of one kind have one number, and each card names the kind.",
  },
};

/** Documents without a due date come last. */
function timeOf({ row }: Bill): number {
  const due = dueOf(row);
  return due === null ? Number.POSITIVE_INFINITY : Date.parse(due);
}
