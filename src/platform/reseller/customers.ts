import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { AnyTime, Figure } from "../fields.ts";
import { done, inData, objectOrField } from "../http/data.ts";
import type { PageQuery } from "../http/pages.ts";
import type { UnreadRow } from "../http/unread.ts";
import { endpoint, type ResellerClient } from "./client.ts";
import { resellerPage } from "./services.ts";

/**
 * A record of one of the partner's customers; it is not a login. `service_count` is absent for a key bound to one customer. Reseller
 * spec section 2.5.
 */
export const Customer = z.object({
  id: z.string().min(1),
  external_customer_id: z.string(),
  external_customer_email: z.string().nullish(),
  external_customer_name: PlainText.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: AnyTime.nullish(),
  service_count: Figure.nullish(),
});
export type Customer = z.infer<typeof Customer>;

/** The fields of a customer to change. Fields that are not sent stay, and null clears one; `metadata` replaces all metadata. Reseller spec section 4. */
export interface CustomerChanges {
  externalCustomerEmail?: string | null;
  externalCustomerName?: string | null;
  metadata?: Record<string, unknown>;
}

/** The answer to creating a customer. */
const NewCustomer = Customer.pick({ id: true, external_customer_id: true, external_customer_name: true });
export type NewCustomer = z.infer<typeof NewCustomer>;

/** A page of 100 rows at most, filtered by external id, email or name. */
export const listCustomers = endpoint("GET /customers", "read", "2.1, 4, 8", resellerPage("customers", Customer), {
  sends: (query?: PageQuery & { search?: string }) => ({ query }),
});

/**
 * The customer that the key is bound to, or null where the list does not show it. A bound key lists one row, without a count of
 * services. Reseller spec sections 2.5 and 5.
 */
export async function readBoundCustomer(client: ResellerClient): Promise<Customer | null> {
  const unread: UnreadRow[] = [];
  const { rows, pagination } = await listCustomers(
    client.skipping((row) => unread.push(row)),
    { limit: 2 },
  );
  // A second row proves that the key is bound to none, even if that row cannot be read.
  if (rows.length + unread.length > 1 || pagination.total > 1) return null;
  if (unread[0]) throw unread[0].error;
  const [only] = rows;
  return only && typeof only.service_count !== "number" ? only : null;
}

/** It answers with the unchanged record where the external id exists already. The id has 100 characters at most, the name 255. */
export const createCustomer = endpoint(
  "POST /customers",
  "customers",
  "4, 4.3, 8",
  inData(objectOrField("customer", NewCustomer)),
  {
    sends: (body: { externalCustomerId: string; externalCustomerEmail?: string; externalCustomerName?: string }) => ({
      body,
    }),
  },
);

/** Metadata that the new set leaves out is lost. */
export const changeCustomer = endpoint("PUT /customers/{customerId}", "customers", "4", done, {
  sends: (body: CustomerChanges) => ({ body }),
  removes: true,
});

/** 400 while a service of the customer is live. Ended services stay, detached; keys bound to the customer are revoked. */
export const deleteCustomer = endpoint("DELETE /customers/{customerId}", "customers", "4, 4.3", done, {
  removes: true,
  refusals: [
    {
      status: 400,
      says: /service/i,
      means: "Terminate this customer's remaining services first; `/reseller service list customer=…` names it.",
      spec: "4.3",
    },
  ],
});
