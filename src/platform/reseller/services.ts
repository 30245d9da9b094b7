import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { objectOrField } from "../http/data.ts";
import type { ListPage } from "../http/pages.ts";
import { Amount } from "../money.ts";
import { endpoint } from "./endpoint.ts";
import { resellerPage } from "./pages.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/**
 * A resold service. `wholesaleAmount` is per cycle, in the base currency. Its location and port are only on its own page. Reseller spec
 * section 2.4.
 */
export const Service = z.object({
  serviceId: z.string().min(1),
  externalServiceId: text,
  externalCustomerId: text,
  productName: text,
  status: ServiceStatus,
  serverIp: text,
  hostname: PlainText.nullish(),
  billingCycle: text,
  wholesaleAmount: Amount.nullish(),
  nextDueDate: DateTime.nullish(),
  createdAt: DateTime.nullish(),
  serverLocation: text,
  serverPort: z.union([z.number(), z.string()]).nullish(),
});
export type Service = z.infer<typeof Service>;

const servicePage = resellerPage("services", Service);

/** GET /services: a page of 20 rows by default; the spec gives no maximum. Reseller spec sections 2.1, 2.4, 4 and 8. */
export const listServices = endpoint(
  "GET /services",
  (
    call,
    query: { page?: number; limit?: number; status?: ServiceStatus; externalCustomerId?: string } = {},
  ): Promise<ListPage<Service>> => call.envelope({}, servicePage, { query }),
);

/** GET /services/{serviceId}. Reseller spec section 2.4. */
export const readService = endpoint(
  "GET /services/{serviceId}",
  (call, serviceId: string): Promise<Service> => call.data({ serviceId }, objectOrField("service", Service)),
);
