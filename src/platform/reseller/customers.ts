import * as z from "zod";
import type { Page } from "../http/pages.ts";
import type { ResellerClient } from "./client.ts";
import { resellerPage } from "./pages.ts";

/** A record of one of the partner's customers; it is no login. `service_count` is absent for a key that is bound to one. Reseller spec section 2.5. */
const Customer = z.object({
  id: z.string().min(1),
  external_customer_id: z.string(),
  external_customer_email: z.string().nullish(),
  external_customer_name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: z.string().nullish(),
  service_count: z.number().nullish(),
});
type Customer = z.infer<typeof Customer>;

/** GET /customers: a page, 100 rows at most, filtered by external id, email or name. Reseller spec sections 2.1, 4 and 8. */
function listCustomers(
  client: ResellerClient,
  query: { page?: number; limit?: number; search?: string } = {},
): Promise<Page<Customer>> {
  return client.get("/customers", resellerPage("customers", Customer), { ...query });
}

/** The customer that the key is bound to: one row, and no count of services; null where that cannot be said. Reseller spec sections 2.5 and 5. */
export async function readBoundCustomer(client: ResellerClient): Promise<{ id: string; name: string } | null> {
  const { rows, pagination } = await listCustomers(client, { limit: 2 });
  const [only] = rows;
  if (!only || rows.length > 1 || pagination.total > 1 || typeof only.service_count === "number") return null;
  return { id: only.id, name: only.external_customer_name ?? only.external_customer_id };
}
