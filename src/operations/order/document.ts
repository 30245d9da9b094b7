import { type DocumentType, documentLists, documentReads, documentTypes } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import type { Order } from "../../platform/customer/orders.ts";
import { mentions } from "../service/traces.ts";

/** A document as a follow-up knows it. */
export interface DocumentRef {
  type: DocumentType;
  id: string;
}

/** The platform's largest page (spec section 8). */
const limit = 200;
/** Each is a call of its own. */
const mostRead = 10;

/** Ids of the account's documents that wait for money; null where not all of them can be read. Never throws: an order needs them only to be paid. */
export async function openDocumentIds(client: CustomerClient): Promise<string[] | null> {
  const { documents, whole } = await openDocuments(client).catch(() => ({ documents: [], whole: false }));
  return whole ? documents.map(({ id }) => id) : null;
}

/**
 * The document that an order waits for, though the answer that named it was lost: the only one that waits for money now and did not
 * `before` the order was sent, or else the only one of those that names it. Null where that is not certain. Spec sections 2.6 and 3.1.
 */
export async function documentOf(
  client: CustomerClient,
  order: Order,
  before: string[] | null,
): Promise<DocumentRef | null> {
  if (!before) return null;
  const { documents, whole } = await openDocuments(client);
  const fresh = documents.filter(({ id }) => !before.includes(id));
  const { services = [] } = order;
  const [only, ...others] = fresh;
  // What waits for its payment has one document that does.
  const waits = services.some(({ status }) => status === "pending_payment");
  if (whole && waits && only && others.length === 0) return only;
  const words = [order.id, numberOf(order), order.hostname, ...services.flatMap(wordsOf)].filter(isText);
  const read = await Promise.all(
    fresh.slice(0, mostRead).map(async (ref) => ({ ref, detail: await documentReads[ref.type](client, ref.id) })),
  );
  const [its, other] = read.filter(({ detail }) => mentions(detail, words));
  return its && !other ? its.ref : null;
}

async function openDocuments(client: CustomerClient): Promise<{ documents: DocumentRef[]; whole: boolean }> {
  const pages = await Promise.all(
    documentTypes.flatMap((type) =>
      (["unpaid", "pending"] as const).map(async (status) => {
        const { rows, pagination } = await documentLists[type](client, { limit, status });
        const open = rows.filter((row) => row.status === status);
        return { whole: pagination.pages <= 1, documents: open.map(({ id }) => ({ type, id })) };
      }),
    ),
  );
  return { documents: pages.flatMap(({ documents }) => documents), whole: pages.every(({ whole }) => whole) };
}

function wordsOf({ id, hostname }: NonNullable<Order["services"]>[number]): unknown[] {
  return [id, hostname];
}

function isText(word: unknown): word is string {
  return typeof word === "string";
}
