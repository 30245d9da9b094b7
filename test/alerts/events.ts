import { EventFacts, type LoggedEvent } from "../../src/alerts/events.ts";
import type { DisplayedEvent } from "../../src/alerts/view.ts";

/** A webhook's event as the log has it. */
export function eventOf(event: string, data: object, at: number): LoggedEvent {
  return {
    id: String(at),
    at,
    event,
    timestamp: new Date(at).toISOString(),
    data: EventFacts.parse(data),
    aside: null,
    source: "webhook",
    askedBy: null,
    request: null,
    acted: false,
  };
}

/** The event as an alert displays it, with nothing beside it. */
export function displayed(event: LoggedEvent): DisplayedEvent {
  return { event, askedBy: null, mention: null, call: null, unmentioned: 0, mutedUntil: null, crossCheck: "" };
}
