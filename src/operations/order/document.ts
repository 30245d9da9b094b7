import { type DocumentType, documentLists, documentReads, documentTypes } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import type { Order } from "../../platform/customer/orders.ts";
import { mentions } from "../service/traces.ts";

/** The identity of a document, as a tracked order stores it. */
export interface DocumentRef {
  type: DocumentType;
  id: string;
}

/** The platform's largest page (spec section 8). */
const limit = 200;
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

/**
 * The document of an order whose answer was lost. It is the only unpaid document that is not among those `before` the order, or
 * else the only new one that names the order. Null if that is not certain. Spec sections 2.6 and 3.1.
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
  // A service that waits for its payment has exactly one unpaid document.
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
