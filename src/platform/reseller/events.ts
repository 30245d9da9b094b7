import * as z from "#zod";
import { parseJson } from "../../process/json.ts";
import { AnyTime, Id } from "../fields.ts";
import { ifReadable } from "../http/data.ts";
import { openChargeFailure } from "./refusals.ts";

/** The events in the spec. An event with another name is kept and shown under its own name. Reseller spec section 6. */
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
export type WebhookEventName = (typeof eventNames)[number];

// One malformed field must not suppress an alert: such a field becomes null, and the rest of the event is used.
const id = ifReadable(Id);
const text = ifReadable(z.string().min(1));
const figure = ifReadable(z.union([z.string().min(1), z.number()]));

const EventService = z.looseObject({ serviceId: id, hostname: text, status: text }).catch(() => ({}));

/** The data of an order or service event; each field may be absent. Reseller spec section 6. */
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
  invoiceId: id,
  paymentError: ifReadable(z.string().min(1).transform(openChargeFailure)),
  provisioningError: text,
  stage: text,
  serviceId: id,
  services: ifReadable(z.array(EventService)),
  serverIp: text,
  hostname: text,
  reason: text,
});
export type EventData = z.infer<typeof EventData>;

/**
 * The body of a delivery. Parse it only after its signature was verified. The spec gives its time no type: ISO text, or a unix time as in
 * section 5.1. Only a body without `event` is no event; a time that cannot be read is null. Reseller spec section 6.
 */
export const SupplierEvent = z.object({
  event: z.string().min(1).max(100),
  timestamp: ifReadable(AnyTime).transform((time) => time ?? null),
  data: z.record(z.string(), z.unknown()).catch(() => ({})),
});
export type SupplierEvent = z.infer<typeof SupplierEvent>;

/** Parses the event in a signed body; null where the body is not an event. */
export function parseDelivery(body: Buffer): SupplierEvent | null {
  try {
    return SupplierEvent.safeParse(parseJson(body.toString(), { digits: true })).data ?? null;
  } catch {
    return null;
  }
}
