import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf } from "../http/data.ts";
import type { Page } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { ResellerClient } from "./client.ts";
import { resellerPage } from "./pages.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/** A service that is sold on; `wholesaleAmount` is per cycle, in the base currency. Where it is and its port only on its own page. Reseller spec section 2.4. */
export const Service = z.object({
  serviceId: z.string().min(1),
  externalServiceId: text,
  externalCustomerId: text,
  productName: text,
  status: ServiceStatus,
  serverIp: text,
  hostname: text,
  billingCycle: text,
  wholesaleAmount: Amount.nullish(),
  nextDueDate: DateTime.nullish(),
  createdAt: DateTime.nullish(),
  serverLocation: text,
  serverPort: z.union([z.number(), z.string()]).nullish(),
});
export type Service = z.infer<typeof Service>;

const servicePage = resellerPage("services", Service);

/** GET /services: a page, 20 rows unless told; how many it may have at most is not said. Reseller spec sections 2.1, 2.4, 4 and 8. */
export function listServices(
  client: ResellerClient,
  query: { page?: number; limit?: number; status?: ServiceStatus; externalCustomerId?: string } = {},
): Promise<Page<Service>> {
  return client.get("/services", servicePage, query);
}

/** GET /services/{serviceId}. Reseller spec section 2.4. */
export async function readService(client: ResellerClient, serviceId: string): Promise<Service> {
  const route = path("/services/{serviceId}", { serviceId });
  return (await client.get(route, dataOf("service", Service))).data;
}
