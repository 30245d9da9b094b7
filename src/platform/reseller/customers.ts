import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { data, dataWithStatus, objectOrField } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import type { ListPage } from "../http/pages.ts";
import type { ResellerClient } from "./client.ts";
import { endpoint } from "./endpoint.ts";
import { resellerPage } from "./pages.ts";

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
  created_at: DateTime.nullish(),
  service_count: z.number().nullish(),
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

const customerPage = resellerPage("customers", Customer);

/** GET /customers: a page of 100 rows at most, filtered by external id, email or name. Reseller spec sections 2.1, 4 and 8. */
export const listCustomers = endpoint(
  "GET /customers",
  (call, query: { page?: number; limit?: number; search?: string } = {}): Promise<ListPage<Customer>> =>
    call.envelope({}, customerPage, { query }),
);

/**
 * The customer that the key is bound to, or null where the list does not show it. A bound key lists one row, without a count of
 * services. Reseller spec sections 2.5 and 5.
 */
export async function readBoundCustomer(client: ResellerClient): Promise<{ id: string; name: PlainText } | null> {
  const { rows, pagination } = await listCustomers(client, { limit: 2 });
  const [only] = rows;
  if (!only || rows.length > 1 || pagination.total > 1 || typeof only.service_count === "number") return null;
  return { id: only.id, name: only.external_customer_name || only.external_customer_id };
}

/**
 * POST /customers: 200 with the unchanged record where the external id exists already. The id has 100 characters at most, the name 255.
 * Reseller spec sections 4, 4.3 and 8.
 */
export const createCustomer = endpoint(
  "POST /customers",
  (
    call,
    body: { externalCustomerId: string; externalCustomerEmail?: string; externalCustomerName?: string },
  ): Promise<Success<NewCustomer>> =>
    dataWithStatus(call.withStatus({}, data(objectOrField("customer", NewCustomer)), { body })),
);

/** PUT /customers/{customerId}. Reseller spec section 4. */
export const changeCustomer = endpoint(
  "PUT /customers/{customerId}",
  (call, customerId: string, changes: CustomerChanges): Promise<void> => call.done({ customerId }, { body: changes }),
);

/**
 * DELETE /customers/{customerId}: 400 while a service of the customer is live. Ended services stay, detached; keys bound to the customer
 * are revoked. Reseller spec sections 4 and 4.3.
 */
export const deleteCustomer = endpoint(
  "DELETE /customers/{customerId}",
  (call, customerId: string): Promise<void> => call.done({ customerId }),
  {
    refusals: [
      {
        status: 400,
        says: /service/i,
        means: "Terminate this customer's remaining services first; `/reseller service list customer=…` names it.",
        spec: "4.3",
      },
    ],
  },
);
