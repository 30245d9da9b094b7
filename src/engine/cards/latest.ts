import type { KeptEvent } from "./event-log.ts";
import type { EventName } from "./events.ts";

/** How far an event takes its thing: one that arrives late does not take it back. Suspending and its end go to and fro. */
const ranks: Record<EventName, number> = {
  "order.payment_failed": 0,
  "order.invoiced": 0,
  "order.paid": 1,
  "service.provisioning_failed": 0,
  "service.provisioned": 1,
  "service.suspended": 2,
  "service.unsuspended": 2,
  "service.terminated": 3,
  "webhook.test": 0,
  "order.failed": 2,
  "order.completed": 2,
  "service.due_soon": 0,
  "service.overdue": 1,
  "machine.running": 1,
  "machine.stopped": 1,
  "machine.paused": 1,
  "machine.error": 1,
  "machine.orphaned": 1,
  "invoice.new": 0,
  "invoice.due_soon": 1,
  "invoice.overdue": 2,
  "invoice.paid": 3,
  "invoice.cancelled": 3,
  "proforma.new": 0,
  "proforma.due_soon": 1,
  "proforma.overdue": 2,
  "proforma.paid": 3,
  "proforma.cancelled": 3,
  "image.failed": 1,
  "image.ready": 1,
  "event.missing": 0,
};
const ranked = new Map<string, number>(Object.entries(ranks));

/** What an event is about on its card: the order itself, or one of its services, of which the machine and what is to be paid are told apart; a document; an image. */
export function partOf({ event: name, data }: Pick<KeptEvent, "event" | "data">): string {
  const event = isMissing(name) ? (data.expected?.[0] ?? name) : name;
  if (data.documentId) return `document:${data.documentId}`;
  if (data.imageId) return `image:${data.imageId}`;
  if (!data.serviceId || event.startsWith("order.")) return "order";
  if (event.startsWith("machine.")) return `machine:${data.serviceId}`;
  return isDue(event) ? `due:${data.serviceId}` : `service:${data.serviceId}`;
}

/** Whether it tells that an event which must come of a request has not come. */
export function isMissing(event: string): boolean {
  return event === ("event.missing" satisfies EventName);
}

/** What nobody asked for: that what a member did came to nothing. */
const failures = new Set<string>([
  "event.missing",
  "order.failed",
  "service.provisioning_failed",
  "image.failed",
] satisfies EventName[]);

/** What a member did is known to who asked for it; that it failed is news to all others. */
export function isNews({ event, askedBy }: Pick<KeptEvent, "event" | "askedBy">): boolean {
  return askedBy === null || failures.has(event);
}

/** Whether it tells when something is to be paid or renewed. */
export function isDue(event: string): boolean {
  return event.endsWith(".due_soon") || event.endsWith(".overdue");
}

/** The event that tells the present state of the order and of each service, in the order in which they came up; whatever order the events came in. */
export function latestOf(events: KeptEvent[]): KeptEvent[] {
  const latest = new Map<string, KeptEvent>();
  for (const event of events) {
    const before = latest.get(partOf(event));
    // That something is missing stands until anything comes.
    const isOver = before && (isMissing(before.event) || isMissing(event.event));
    if (!before || isOver || rankOf(event) >= rankOf(before)) latest.set(partOf(event), event);
  }
  return [...latest.values()];
}

function rankOf({ event }: KeptEvent): number {
  return ranked.get(event) ?? 2;
}

const loud = new Set<string>([
  "order.payment_failed",
  "service.provisioning_failed",
  "service.suspended",
  "service.terminated",
  "order.failed",
  "machine.stopped",
  "machine.paused",
  "machine.error",
  "machine.orphaned",
  "invoice.due_soon",
  "invoice.overdue",
  "proforma.due_soon",
  "proforma.overdue",
  "service.overdue",
  "image.failed",
  "event.missing",
] satisfies EventName[]);

/** A failure, a suspension, an end, or what somebody must act upon. */
export function isLoud({ event }: KeptEvent): boolean {
  return loud.has(event);
}

/** What stands badly until somebody acts: an end is none of that. */
export function isUrgent(event: KeptEvent): boolean {
  return isLoud(event) && event.event !== ("service.terminated" satisfies EventName);
}
