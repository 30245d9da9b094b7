import * as z from "zod";
import { data } from "../http/data.ts";
import { type PageWithStats, pageWithStats } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { CustomerClient } from "./client.ts";
import { Document } from "./documents.ts";

/** Each kind of document has routes of its own. */
export const documentTypes = ["invoice", "proforma"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** A document with what has been paid of it and what is left. */
const Detail = z.object({ document: Document, paid_amount: Amount, remaining_amount: Amount, settled: z.boolean() });
export type DocumentDetail = z.infer<typeof Detail>;

/** The sums stand beside the document; whether that is an object of its own, the spec does not say. */
function detailOf(type: DocumentType) {
  return z.preprocess((sent) => {
    if (typeof sent !== "object" || sent === null) return sent;
    const own = new Map(Object.entries(sent)).get(type);
    return { ...sent, document: typeof own === "object" && own !== null && !("total" in sent) ? own : sent };
  }, Detail);
}

export const InvoicePayment = z.object({
  payment: z.unknown().optional(),
  newBalance: Amount,
  remainingAmount: Amount,
  invoicePaid: z.boolean(),
});
export type InvoicePayment = z.infer<typeof InvoicePayment>;

/** `invoice` is what the proforma became, once it is fully paid. */
export const ProformaPayment = z.object({
  creditApplied: Amount,
  newBalance: Amount,
  remainingAmount: Amount,
  proformaPaid: z.boolean(),
  invoice: z.looseObject({ id: z.string() }).nullish(),
});
export type ProformaPayment = z.infer<typeof ProformaPayment>;

export interface DocumentQuery {
  page?: number;
  limit?: number;
  status?: string;
}

/** GET /invoices: a page, 20 rows unless told, 200 at most, with totals. Spec sections 2.4, 4.6 and 8. */
export function listInvoices(client: CustomerClient, query: DocumentQuery = {}): Promise<PageWithStats<Document>> {
  return client.get("/invoices", pageWithStats("invoices", Document), { ...query });
}

/** GET /proformas: a page, as of invoices. Spec sections 4.6 and 8. */
export function listProformas(client: CustomerClient, query: DocumentQuery = {}): Promise<PageWithStats<Document>> {
  return client.get("/proformas", pageWithStats("proformas", Document), { ...query });
}

/** GET /invoices/{id}. Spec sections 2.6 and 4.6. */
export async function readInvoice(client: CustomerClient, id: string): Promise<DocumentDetail> {
  return (await client.get(path("/invoices/{id}", { id }), data(detailOf("invoice")))).data;
}

/** GET /proformas/{id}. Spec sections 2.6 and 4.6. */
export async function readProforma(client: CustomerClient, id: string): Promise<DocumentDetail> {
  return (await client.get(path("/proformas/{id}", { id }), data(detailOf("proforma")))).data;
}

/** A page of either kind, and one document of it, by the kind. Spec section 4.6. */
export const documentLists = { invoice: listInvoices, proforma: listProformas } as const;
export const documentReads = { invoice: readInvoice, proforma: readProforma } as const;

/** POST /invoices/{id}/pay from the credit of the key's own user. After an unknown outcome re-read the document. Spec sections 2.6 and 4.6. */
export async function payInvoice(client: CustomerClient, id: string, amount: Amount): Promise<InvoicePayment> {
  const route = path("/invoices/{id}/pay", { id });
  return (await client.send("POST", route, data(InvoicePayment), { amount: Number(amount) })).data;
}

/** POST /proformas/{id}/pay from the credit of the key's own user. After an unknown outcome re-read the document. Spec sections 2.6 and 4.6. */
export async function payProforma(client: CustomerClient, id: string, amount: Amount): Promise<ProformaPayment> {
  const route = path("/proformas/{id}/pay", { id });
  return (await client.send("POST", route, data(ProformaPayment), { amount: Number(amount) })).data;
}
