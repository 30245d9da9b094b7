import { webhookEventsAbout } from "../../../alerts/events.ts";
import type { StoredEffect } from "../../../operation/effects.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import type { ExpectedEventsFacet } from "./record.ts";

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
