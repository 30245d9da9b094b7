import * as z from "zod";
import type { Json } from "../../operation/answer.ts";
import {
  type DocumentDetail,
  type DocumentType,
  documentLists,
  documentReads,
  documentTypes,
} from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";

/** What a purchase leaves behind, by id: documents, and orders of the service's host name. Null where they cannot be read. */
export const Traces = z.object({ documents: z.array(z.string()).nullable(), orders: z.array(z.string()).nullable() });
export type Traces = z.infer<typeof Traces>;

export interface FreshTraces {
  documents: { type: DocumentType; detail: DocumentDetail }[];
  orders: Order[];
  /** True where every document could be seen, so that nothing fresh means that nothing was made. */
  whole: boolean;
}

/** The platform's largest page (spec section 8). */
const limit = 200;

/** `hostname` is by whose orders a purchase is found; null where it makes none, or there is no host name. */
export async function readTraces(client: CustomerClient, hostname: string | null): Promise<Traces> {
  const documents = await listDocuments(client);
  const orders = await listOrdersOf(client, hostname);
  return { documents: documents?.rows.map(({ id }) => id) ?? null, orders: orders?.map(({ id }) => id) ?? null };
}

/** What is there now and was not before. */
export async function freshTraces(
  client: CustomerClient,
  hostname: string | null,
  before: Traces,
): Promise<FreshTraces> {
  const documents = await listDocuments(client);
  const orders = await listOrdersOf(client, hostname);
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

/** An open document that names one of these, or null: where documents cannot be read, too. */
export async function openDocumentOf(
  client: CustomerClient,
  words: (string | null | undefined)[],
): Promise<FreshTraces["documents"][number] | null> {
  const found = await unlessForbidden(async () => {
    for (const type of documentTypes) {
      const { rows } = await documentLists[type](client, { limit: mostOpen, status: "unpaid" });
      for (const { id } of rows) {
        const detail = await documentReads[type](client, id);
        if (!detail.settled && mentions(detail, words)) return { type, detail };
      }
    }
    return null;
  });
  return found;
}

/** Each is a call of its own; who has more of them open is told by the platform. */
const mostOpen = 20;

async function listDocuments(client: CustomerClient) {
  return unlessForbidden(async () => {
    const rows: { type: DocumentType; id: string }[] = [];
    let whole = true;
    for (const type of documentTypes) {
      const list = documentLists[type];
      const all = await list(client, { limit });
      // The order of a list is not told: of a long one at least what is open is seen.
      const open = all.pagination.pages > 1 ? await list(client, { limit, status: "unpaid" }) : null;
      if (open) whole = false;
      const ids = new Set([...all.rows, ...(open?.rows ?? [])].map(({ id }) => id));
      rows.push(...[...ids].map((id) => ({ type, id })));
    }
    return { rows, whole };
  });
}

async function listOrdersOf(client: CustomerClient, hostname: string | null): Promise<Order[] | null> {
  if (!hostname) return null;
  return unlessForbidden(async () => (await listOrders(client, { hostname, limit })).rows);
}

/** A member may be allowed to buy and not to see the account's documents. */
async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PlatformRefused && error.status === 403) return null;
    throw error;
  }
}

/** True where a text in it holds one of the words as a whole word; a part of a host name is no whole word. */
export function mentions(value: unknown, words: (string | null | undefined)[]): boolean {
  const patterns = words.flatMap((word) => {
    if (!word) return [];
    const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return [new RegExp(`(?<![\\p{L}\\p{N}_.-])${escaped}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, "u")];
  });
  return textsIn(value).some((text) => patterns.some((pattern) => pattern.test(text)));
}

/** Its texts, and not what its fields are called: a service may well be called "invoice". */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Traces as a request keeps them. */
export function kept(traces: Traces): Json {
  return { documents: traces.documents, orders: traces.orders };
}
