import * as z from "zod";
import { EventData, type EventName as ToldName, eventNames as toldNames } from "../../platform/reseller/events.ts";

/** What no event tells of: the customer API sends none, so it is found by reading; and that an event which must come has not come. */
export const foundNames = [
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

/** Every event that a channel can be told of: the supplier's own, and what is found by reading. One that comes to be later rings by its own name. */
export const eventNames = [...toldNames, ...foundNames];
export type EventName = ToldName | (typeof foundNames)[number];

/** How it is known: the supplier sent it; it was found by reading one's own account, or by reading what is sold on, with no event of the supplier's; or it was waited for. */
export const EventSource = z.enum(["told", "found", "missed", "awaited"]);
export type EventSource = z.infer<typeof EventSource>;

const text = z.string().nullish().catch(null);

/** What is known of an event: what the supplier's carry, and what only reading tells. */
export const EventFacts = EventData.extend({
  /** Of a service or an image. */
  name: text,
  /** The word that the platform's own commands have for it: "vps", "dedicated", "game". */
  kind: text,
  documentId: text,
  documentNumber: text,
  /** When it is to be paid, or renewed. */
  dueAt: text,
  imageId: text,
  /** The events of which one had to come, of what is missing. */
  expected: z.array(z.string()).nullish().catch(null),
  /** The channel that the request says it in by itself. */
  saidIn: text,
});
export type EventFacts = z.infer<typeof EventFacts>;
