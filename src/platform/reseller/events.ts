import * as z from "zod";
import { DateTime } from "../dates.ts";
import { Id } from "../ids.ts";

/** What the supplier tells of; one that comes to be later is kept and shown by its own name. Reseller spec section 6. */
export const eventNames = [
  "order.paid",
  "order.invoiced",
  "order.payment_failed",
  "service.provisioned",
  "service.provisioning_failed",
  "service.suspended",
  "service.unsuspended",
  "service.terminated",
  "webhook.test",
] as const;
export type EventName = (typeof eventNames)[number];

// One odd field must not silence an event: what cannot be read is left out, and the rest rings.
const id = Id.nullish().catch(null);
const text = z.string().nullish().catch(null);
const figure = z.union([z.string(), z.number()]).nullish().catch(null);

/** What an order or a service event carries, each where it is known. Reseller spec section 6. */
export const EventData = z.looseObject({
  orderId: id,
  orderNumber: id,
  externalOrderId: id,
  externalCustomerId: id,
  status: text,
  paymentMode: text,
  total: figure,
  amount: figure,
  currency: text,
  paymentError: text,
  provisioningError: text,
  stage: text,
  serviceId: id,
  services: z
    .array(z.looseObject({ serviceId: id, hostname: text }))
    .nullish()
    .catch(null),
  serverIp: text,
  hostname: text,
  reason: text,
});
export type EventData = z.infer<typeof EventData>;

/** The body of a delivery, once its signature is known to be right. Reseller spec section 6. */
export const SupplierEvent = z.object({
  event: z.string().min(1).max(100),
  timestamp: DateTime,
  data: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? {}),
});
export type SupplierEvent = z.infer<typeof SupplierEvent>;

/** The event that a signed body tells of; null where it is none. */
export function readEvent(body: Buffer): SupplierEvent | null {
  try {
    return SupplierEvent.safeParse(JSON.parse(body.toString())).data ?? null;
  } catch {
    return null;
  }
}
