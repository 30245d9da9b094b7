import type { LoggedEvent } from "./event-log.ts";
import type { EventName } from "./events.ts";

/**
 * How far each event is in the life of its resource: a delayed event of a lower rank must not replace a newer state.
 * Suspending and unsuspending alternate, so both have the same rank.
 */
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

/**
 * The line of an alert that an event updates: the order, a document or an image, or one of a service's three lines:
 * the service itself, its machine, and its renewal.
 */
export function partOf({ event: name, data }: Pick<LoggedEvent, "event" | "data">): string {
  const event = isMissing(name) ? (data.expected?.[0] ?? name) : name;
  if (data.documentId) return `document:${data.documentId}`;
  if (data.imageId) return `image:${data.imageId}`;
  if (!data.serviceId || event.startsWith("order.")) return "order";
  if (event.startsWith("machine.")) return `machine:${data.serviceId}`;
  return isDue(event) ? `due:${data.serviceId}` : `service:${data.serviceId}`;
}

/** True for the event that reports a webhook which did not arrive. */
export function isMissing(event: string): boolean {
  return event === ("event.missing" satisfies EventName);
}

/** Failures of a member's own action, which the requester did not intend. */
const failures = new Set<string>([
  "event.missing",
  "order.failed",
  "service.provisioning_failed",
  "image.failed",
] satisfies EventName[]);

/** True where channels get an alert of it. A member's own successful action needs none: its requester already sees it. */
export function isWorthAlerting({ event, askedBy }: Pick<LoggedEvent, "event" | "askedBy">): boolean {
  return askedBy === null || failures.has(event);
}

/** True for an event about a date by which something must be paid or renewed. */
export function isDue(event: string): boolean {
  return event.endsWith(".due_soon") || event.endsWith(".overdue");
}

/** For each line of an alert (`partOf`) the event with its present state, in order of first appearance. Delayed events do not win. */
export function latestOf(events: LoggedEvent[]): LoggedEvent[] {
  const latest = new Map<string, LoggedEvent>();
  for (const event of events) {
    const before = latest.get(partOf(event));
    // Any event ends the report that an event is missing, whatever its rank.
    const isOver = before && (isMissing(before.event) || isMissing(event.event));
    if (!before || isOver || rankOf(event) >= rankOf(before)) latest.set(partOf(event), event);
  }
  return [...latest.values()];
}

/** Milliseconds. The supplier sends a failed delivery again after an hour at most, and newer events go out meanwhile. */
const disorderedMs = 60 * 60_000;

/**
 * True where an event of the same rank came shortly before or after: the supplier promises no order, and its events name no time of
 * their own, so that the last one to come may be the older.
 */
export function mayBeOlder(event: LoggedEvent, events: readonly LoggedEvent[]): boolean {
  const isTold = event.source === "told" && event.askedBy === null;
  const rivals = events.filter(
    (one) => one.source === "told" && one.event !== event.event && partOf(one) === partOf(event),
  );
  return isTold && rivals.some((one) => rankOf(one) === rankOf(event) && Math.abs(one.at - event.at) < disorderedMs);
}

function rankOf({ event }: LoggedEvent): number {
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

/** True where the alert needs a notification of its own: a failure, a suspension, an end, or something that needs action. */
export function isLoud({ event }: LoggedEvent): boolean {
  return loud.has(event);
}

/** True for a loud event that stays a problem until somebody acts. A terminated service does not. */
export function isUrgent(event: LoggedEvent): boolean {
  return isLoud(event) && event.event !== ("service.terminated" satisfies EventName);
}
