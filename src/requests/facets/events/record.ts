import * as z from "#zod";
import { webhookEventsAbout } from "../../../alerts/events.ts";
import type { StoredEffect } from "../../../operation/effects.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";

/** A webhook event that this request caused. */
const ReceivedEvent = z.object({
  id: z.string(),
  event: z.string(),
  at: z.number(),
  /** mrkdwn. */
  line: z.string(),
});
export type ReceivedEvent = z.infer<typeof ReceivedEvent>;

/** The facet of a request that causes webhook events, by their names. */
export const ExpectedEventsFacet = z.object({
  /** One of these must arrive in time; otherwise the app posts an alert. */
  first: z.array(z.string()),
  /** These may arrive as well, now or in days. */
  later: z.array(z.string()),
  /** These report a failure of the act: nobody expects them, but the requester is known. */
  failing: z.array(z.string()),
  /** The texts of a message that waits for the first event. */
  awaited: z.object({ waits: z.string(), came: z.string(), missing: z.string() }).nullable(),
  /** No more are expected. */
  over: z.boolean(),
  received: z.array(ReceivedEvent),
  /** When the requester was notified that none came in time. */
  overdueAt: z.number().nullable(),
});
export type ExpectedEventsFacet = z.infer<typeof ExpectedEventsFacet>;

const minute = 60_000;
/** Milliseconds. The supplier sends once a minute, and retries after 1, 2 and 4 minutes if we did not answer. */
const eventTimeout = 10 * minute;
/** Milliseconds, for an event that somebody waits for. */
const awaitedEventTimeout = 5 * minute;

/** A request with the facet, or without it. */
interface Expecting {
  events: ExpectedEventsFacet | null;
}

/** Milliseconds in which an expected event must arrive. */
export function eventTimeoutOf({ events }: Expecting): number {
  return events?.awaited ? awaitedEventTimeout : eventTimeout;
}

/** True if an expected event has arrived, or one that reports a failure. */
export function eventArrived({ events }: Expecting): boolean {
  if (!events) return false;
  return events.received.some(({ event }) => events.first.includes(event) || events.failing.includes(event));
}

/**
 * The supplier's events that an act with these effects causes; null where it causes none, as in the customer API, which sends no webhooks.
 * Reseller spec section 6.
 */
export function expectedEvents(
  { api, awaits }: Pick<PlatformOperation, "api" | "awaits">,
  effects: readonly StoredEffect[],
): ExpectedEventsFacet | null {
  if (api !== "reseller") return null;
  const soon = effects.filter(({ later }) => !later);
  const later = effects.filter((effect) => effect.later);
  const names = {
    first: awaits ? [awaits.event] : eventsOf(soon, "to"),
    later: eventsOf(later, "to"),
    failing: eventsOf(effects, "failing"),
  };
  if (Object.values(names).every((events) => events.length === 0)) return null;
  return { ...names, awaited: awaits?.texts ?? null, over: false, received: [], overdueAt: null };
}

function eventsOf(effects: readonly StoredEffect[], part: "to" | "failing"): string[] {
  return [...new Set(effects.flatMap((effect) => webhookEventsAbout(effect, effect[part])))];
}
