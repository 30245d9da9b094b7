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

/** Why an event with the right signature is stored and begins no alert. */
export const SetAsideReason = z.enum(["too old", "ahead of our clock"]);
export type SetAsideReason = z.infer<typeof SetAsideReason>;

/** An event of the log; `at` is when it arrived, in milliseconds since the epoch. */
export interface LoggedEvent {
  id: string;
  at: number;
  event: string;
  timestamp: string;
  data: EventFacts;
  aside: SetAsideReason | null;
  source: EventSource;
  /** Slack user id of the member who caused it through Rackbell, if known when it was detected. */
  askedBy: string | null;
  /** Id of the request that caused it, if known when it was detected. */
  request: string | null;
  /** It was derived from the outcome of that request, not from a read of the platform. */
  acted: boolean;
}

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
