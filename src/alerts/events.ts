import * as z from "zod";
import {
  EventData,
  type EventName as SupplierEventName,
  eventNames as supplierEventNames,
} from "../platform/reseller/events.ts";

/** Events that Rackbell detects itself. The customer API sends no webhooks, so polling finds them; `event.missing` reports a webhook that did not arrive. */
export const detectedNames = [
  "order.completed",
  "order.failed",
  "service.due_soon",
  "service.overdue",
  "machine.running",
  "machine.stopped",
  "machine.paused",
  "machine.error",
  "machine.orphaned",
  "invoice.new",
  "invoice.due_soon",
  "invoice.overdue",
  "invoice.paid",
  "invoice.cancelled",
  "proforma.new",
  "proforma.due_soon",
  "proforma.overdue",
  "proforma.paid",
  "proforma.cancelled",
  "image.ready",
  "image.failed",
  "event.missing",
] as const;

/** Every event that a channel can subscribe to by name. An unknown event that the supplier adds later is alerted under its own name. */
export const eventNames = [...supplierEventNames, ...detectedNames];
export type EventName = SupplierEventName | (typeof detectedNames)[number];

/**
 * How Rackbell knows of an event. `told`: by the supplier's webhook. `found`: by polling the own account.
 * `missed`: by polling resold services, without a webhook. `awaited`: a webhook did not arrive in its time.
 */
export const EventSource = z.enum(["told", "found", "missed", "awaited"]);
export type EventSource = z.infer<typeof EventSource>;

const text = z.string().nullish().catch(null);

/** The data of an event: the fields of the supplier's webhooks, and those that only a read gives. */
export const EventFacts = EventData.extend({
  /** The name of a service or an image. */
  name: text,
  /** The service type: "vps", "dedicated", "game". */
  kind: text,
  documentId: text,
  documentNumber: text,
  /** The amount that is left to pay of a document's total. */
  remaining: text,
  /** The date by which it must be paid or renewed. */
  dueAt: text,
  imageId: text,
  /** For `event.missing`: the events of which one had to arrive. */
  expected: z.array(z.string()).nullish().catch(null),
  /** The channel in which the request's own message says the same, so that it gets no alert. */
  saidIn: text,
});
export type EventFacts = z.infer<typeof EventFacts>;
