import * as z from "#zod";
import type { CallContext } from "../../operation/call-context.ts";
import {
  type DocumentDetail,
  type DocumentType,
  documentLists,
  documentReads,
  documentTypes,
} from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import type { Service } from "../../platform/customer/services.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { type DocumentRef, openDocuments } from "../billing/open-documents.ts";
import { naming } from "./own-names.ts";

/** The ids that a purchase may add to: documents, and orders with the service's host name. Null if they cannot be read. */
export const Traces = z.object({ documents: z.array(z.string()).nullable(), orders: z.array(z.string()).nullable() });

export type Traces = z.infer<typeof Traces>;

export interface FreshTraces {
  documents: { type: DocumentType; detail: DocumentDetail }[];
  orders: Order[];
  /** True if every document could be read: no new document then means that none was made. */
  whole: boolean;
}

/** Reads the ids before a purchase. `hostname` finds its orders; null if it makes none, or there is no host name. */
export async function readTraces(client: CustomerClient, hostname: PlainText | null): Promise<Traces> {
  const documents = await listDocuments(client);
  const orders = await findOrders(client, hostname);
  return { documents: documents?.rows.map(({ id }) => id) ?? null, orders: orders?.map(({ id }) => id) ?? null };
}

/** The documents and orders that are new since `before`. */
export async function freshTraces(
  client: CustomerClient,
  hostname: PlainText | null,
  before: Traces,
): Promise<FreshTraces> {
  const documents = await listDocuments(client);
  const orders = await findOrders(client, hostname);
  const fresh: FreshTraces = { documents: [], orders: [], whole: false };
  if (documents && before.documents) {
    fresh.whole = documents.whole;
    for (const { type, id } of documents.rows) {
      if (before.documents.includes(id)) continue;
      const detail = await documentReads[type](client, id);
      fresh.documents.push({ type, detail });
    }
  }
  for (const { id } of orders ?? []) {
    if (before.orders && !before.orders.includes(id)) fresh.orders.push(await readOrder(client, id));
  }
  return fresh;
}

/** An open document that surely names the service. Null if there is none, or documents may not be read. */
export async function findOpenDocument(
  call: Pick<CallContext<"customer">, "client" | "confinedTo">,
  row: Service,
): Promise<FreshTraces["documents"][number] | null> {
  const { client } = call;
  return unlessForbidden(async () => {
    const open: FreshTraces["documents"] = [];
    for (const { type, id } of (await openDocuments(client, mostOpen)).documents) {
      const detail = await documentReads[type](client, id);
      if (!detail.settled) open.push({ type, detail });
    }
    const [its = null] = await naming(call, row, open, { fresh: false });
    return its;
  });
}

/** Each document is one call. Beyond this number of a type and status the search stops, and the platform itself refuses the renewal. */
const mostOpen = 20;

async function listDocuments(client: CustomerClient) {
  return unlessForbidden(async () => {
    const rows: DocumentRef[] = [];
    let whole = true;
    for (const type of documentTypes) {
      const all = await documentLists[type](client, { limit: largestPage });
      if (all.pagination.pages > 1) whole = false;
      rows.push(...all.rows.map(({ id }) => ({ type, id })));
    }
    // The order of a long list is unknown, so read at least the open documents.
    const open = whole ? [] : (await openDocuments(client)).documents;
    return { rows: [...new Map([...rows, ...open].map((row) => [row.id, row])).values()], whole };
  });
}

async function findOrders(client: CustomerClient, hostname: PlainText | null): Promise<Order[] | null> {
  if (!hostname) return null;
  return unlessForbidden(
    async () => (await listOrders(client, { hostname: characters(hostname), limit: largestPage })).rows,
  );
}

/** A member may buy without permission to see the account's documents. */
function unlessForbidden<T>(read: () => Promise<T>): Promise<T | null> {
  return read().catch(nullIfRefused(403));
}
