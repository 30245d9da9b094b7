import * as z from "zod";
import { ifReadable } from "../http/data.ts";
import { type PageWithStats, pageWithStats } from "../http/pages.ts";
import { Amount } from "../money.ts";
import { Document } from "./documents.ts";
import { endpoint } from "./endpoint.ts";

/** The document kinds of the customer API; each has its own routes. */
export const documentTypes = ["invoice", "proforma"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** A document with the amount that was paid and the amount that is left. */
const Detail = z.object({ document: Document, paid_amount: Amount, remaining_amount: Amount, settled: z.boolean() });
export type DocumentDetail = z.infer<typeof Detail>;

/** The sums are beside the document. The spec leaves open whether the document is an object of its own or the whole of `data`. */
function detailOf(type: DocumentType) {
  return z.preprocess((raw) => {
    if (typeof raw !== "object" || raw === null) return raw;
    const own = new Map(Object.entries(raw)).get(type);
    return { ...raw, document: typeof own === "object" && own !== null && !("total" in raw) ? own : raw };
  }, Detail);
}

/** The sums of a payment only inform: it ran, and must not count as unknown because one is missing. */
export const InvoicePayment = z.object({ remainingAmount: ifReadable(Amount), invoicePaid: z.boolean() });
export type InvoicePayment = z.infer<typeof InvoicePayment>;

/** `invoice` is the invoice that a proforma became, once it was paid in full. */
export const ProformaPayment = z.object({
  creditApplied: ifReadable(Amount),
  remainingAmount: ifReadable(Amount),
  proformaPaid: z.boolean(),
  invoice: ifReadable(z.object({ id: z.string() })),
});
export type ProformaPayment = z.infer<typeof ProformaPayment>;

export interface DocumentQuery {
  page?: number;
  limit?: number;
  status?: string;
}

/** GET /invoices: a page of 20 rows by default, 200 at most, with totals. Spec sections 2.4, 4.6 and 8. */
export const listInvoices = endpoint(
  "GET /invoices",
  (call, query: DocumentQuery = {}): Promise<PageWithStats<Document>> =>
    call.envelope({}, pageWithStats("invoices", Document), { query: { ...query } }),
);

/** GET /proformas: a page of 20 rows by default, 200 at most, with totals. Spec sections 4.6 and 8. */
export const listProformas = endpoint(
  "GET /proformas",
  (call, query: DocumentQuery = {}): Promise<PageWithStats<Document>> =>
    call.envelope({}, pageWithStats("proformas", Document), { query: { ...query } }),
);

/** GET /invoices/{id}. Spec sections 2.6 and 4.6. */
export const readInvoice = endpoint(
  "GET /invoices/{id}",
  (call, id: string): Promise<DocumentDetail> => call.data({ id }, detailOf("invoice")),
);

/** GET /proformas/{id}. Spec sections 2.6 and 4.6. */
export const readProforma = endpoint(
  "GET /proformas/{id}",
  (call, id: string): Promise<DocumentDetail> => call.data({ id }, detailOf("proforma")),
);

/** The endpoints that list and read documents, by kind. Spec section 4.6. */
export const documentLists = { invoice: listInvoices, proforma: listProformas } as const;
export const documentReads = { invoice: readInvoice, proforma: readProforma } as const;

/** POST /invoices/{id}/pay from the credit of the key's own user. After an unknown outcome re-read the document. Spec sections 2.6 and 4.6. */
export const payInvoice = endpoint(
  "POST /invoices/{id}/pay",
  (call, id: string, amount: Amount): Promise<InvoicePayment> =>
    call.data({ id }, InvoicePayment, { body: { amount: Number(amount) } }),
  { charges: true, refusals: [] },
);

/** POST /proformas/{id}/pay from the credit of the key's own user. After an unknown outcome re-read the document. Spec sections 2.6 and 4.6. */
export const payProforma = endpoint(
  "POST /proformas/{id}/pay",
  (call, id: string, amount: Amount): Promise<ProformaPayment> =>
    call.data({ id }, ProformaPayment, { body: { amount: Number(amount) } }),
  { charges: true, refusals: [] },
);
