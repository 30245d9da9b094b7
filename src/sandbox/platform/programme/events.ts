import type { Partner } from "./partner.ts";

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

/** The destination of events: they are queued while an address is on file, and dropped while there is none (spec 6). */
export interface EventSink {
  raise(partner: Partner, event: EventName, data: object): void;
}
