import type { EventName } from "../../platform/reseller/events.ts";
import type { KeptEvent } from "./event-log.ts";

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
};
const ranked = new Map<string, number>(Object.entries(ranks));

/** What an event is about on its card: the order itself, or one of its services. */
function partOf({ event, data }: KeptEvent): string {
  return data.serviceId && !event.startsWith("order.") ? `service:${data.serviceId}` : "order";
}

/** The event that tells the present state of the order and of each service, in the order in which they came up; whatever order the events came in. */
export function latestOf(events: KeptEvent[]): KeptEvent[] {
  const latest = new Map<string, KeptEvent>();
  for (const event of events) {
    const before = latest.get(partOf(event));
    if (!before || rankOf(event) >= rankOf(before)) latest.set(partOf(event), event);
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
] satisfies EventName[]);

/** A failure, a suspension or an end. */
export function isLoud({ event }: KeptEvent): boolean {
  return loud.has(event);
}
