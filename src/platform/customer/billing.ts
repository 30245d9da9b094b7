import * as z from "#zod";
import { Amount } from "../amounts.ts";
import { ifReadable, inData } from "../http/data.ts";
import { type PageQuery, pageWithStats } from "../http/pages.ts";
import { endpoint } from "./client.ts";
import { Document } from "./documents.ts";

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
const InvoicePayment = z.object({ remainingAmount: ifReadable(Amount), invoicePaid: z.boolean() });

/** `invoice` is the invoice that a proforma became, once it was paid in full. */
const ProformaPayment = z.object({
  creditApplied: ifReadable(Amount),
  remainingAmount: ifReadable(Amount),
  proformaPaid: z.boolean(),
  invoice: ifReadable(z.object({ id: z.string() })),
});

export interface DocumentQuery extends PageQuery {
  status?: string;
}

/** A page of 20 rows by default, 200 at most, with totals. */
export const listInvoices = endpoint("GET /invoices", "read", "2.4, 4.6, 8", pageWithStats("invoices", Document), {
  sends: (query?: DocumentQuery) => ({ query }),
});

/** A page of 20 rows by default, 200 at most, with totals. */
export const listProformas = endpoint("GET /proformas", "read", "4.6, 8", pageWithStats("proformas", Document), {
  sends: (query?: DocumentQuery) => ({ query }),
});

export const readInvoice = endpoint("GET /invoices/{id}", "read", "2.6, 4.6", inData(detailOf("invoice")));

export const readProforma = endpoint("GET /proformas/{id}", "read", "2.6, 4.6", inData(detailOf("proforma")));

/** The endpoints that list and read documents, by kind. Spec section 4.6. */
export const documentLists = { invoice: listInvoices, proforma: listProformas } as const;
export const documentReads = { invoice: readInvoice, proforma: readProforma } as const;

/**
 * The body of a payment from the credit of the key's own user. After an unknown outcome re-read the document. A paid change of a service
 * begins, and may take something away. Section 3.3.
 */
const payment = {
  sends: (amount: Amount) => ({ body: { amount: Number(amount) } }),
  charges: true,
  removes: true,
  refusals: [
    {
      status: 400,
      code: "BAD_REQUEST",
      says: /insufficient|credit/i,
      means: "Add credit in the panel, or let a colleague with enough credit pay.",
      states: "balance",
      spec: "7",
    },
  ],
} as const;

export const payInvoice = endpoint("POST /invoices/{id}/pay", "billing", "2.6, 4.6", inData(InvoicePayment), payment);

export const payProforma = endpoint(
  "POST /proformas/{id}/pay",
  "billing",
  "2.6, 4.6",
  inData(ProformaPayment),
  payment,
);
