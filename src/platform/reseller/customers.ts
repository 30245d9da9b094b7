import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, dataWithStatus, done } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import type { Page } from "../http/pages.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { resellerPage } from "./pages.ts";

/** A record of one of the partner's customers; it is no login. `service_count` is absent for a key that is bound to one. Reseller spec section 2.5. */
export const Customer = z.object({
  id: z.string().min(1),
  external_customer_id: z.string(),
  external_customer_email: z.string().nullish(),
  external_customer_name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: DateTime.nullish(),
  service_count: z.number().nullish(),
});
export type Customer = z.infer<typeof Customer>;

/** What of a record can be changed; what is not sent stays, and `metadata` replaces all that was stored. Reseller spec section 4. */
export interface CustomerChanges {
  externalCustomerEmail?: string;
  externalCustomerName?: string;
  metadata?: Record<string, unknown>;
}

const customerPage = resellerPage("customers", Customer);

/** GET /customers: a page, 100 rows at most, filtered by external id, email or name. Reseller spec sections 2.1, 4 and 8. */
export function listCustomers(
  client: ResellerClient,
  query: { page?: number; limit?: number; search?: string } = {},
): Promise<Page<Customer>> {
  return client.get("/customers", customerPage, query);
}

/** The customer that the key is bound to: one row, and no count of services; null where that cannot be said. Reseller spec sections 2.5 and 5. */
export async function readBoundCustomer(client: ResellerClient): Promise<{ id: string; name: string } | null> {
  const { rows, pagination } = await listCustomers(client, { limit: 2 });
  const [only] = rows;
  if (!only || rows.length > 1 || pagination.total > 1 || typeof only.service_count === "number") return null;
  return { id: only.id, name: only.external_customer_name ?? only.external_customer_id };
}

/** POST /customers: 200 with the record unchanged where that external id is known. The id has 100 characters at most, the name 255. Reseller spec sections 4, 4.3 and 8. */
export function createCustomer(
  client: ResellerClient,
  body: { externalCustomerId: string; externalCustomerEmail?: string; externalCustomerName?: string },
): Promise<Success<Customer>> {
  return dataWithStatus(client.sendWithStatus("POST", "/customers", dataOf("customer", Customer), body));
}

/** PUT /customers/{customerId}. Reseller spec section 4. */
export async function changeCustomer(
  client: ResellerClient,
  customerId: string,
  changes: CustomerChanges,
): Promise<void> {
  await client.send("PUT", path("/customers/{customerId}", { customerId }), done, changes);
}

/** DELETE /customers/{customerId}: 400 while a service of theirs lives. What is over stays, detached; keys bound to them are revoked. Reseller spec sections 4 and 4.3. */
export async function deleteCustomer(client: ResellerClient, customerId: string): Promise<void> {
  await client.send("DELETE", path("/customers/{customerId}", { customerId }), done);
}
