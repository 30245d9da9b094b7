import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../fields.ts";
import { inData, objectOrField } from "../http/data.ts";
import type { PageQuery } from "../http/pages.ts";
import { Amount } from "../money.ts";
import { endpoint } from "./client.ts";
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

/** A page of 20 rows by default; the spec gives no maximum. */
export const listServices = endpoint("GET /services", "read", "2.1, 2.4, 4, 8", resellerPage("services", Service), {
  sends: (query?: PageQuery & { status?: ServiceStatus; externalCustomerId?: string }) => ({ query }),
});

export const readService = endpoint(
  "GET /services/{serviceId}",
  "read",
  "2.4",
  inData(objectOrField("service", Service)),
);
