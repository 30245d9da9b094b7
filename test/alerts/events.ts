import { EventFacts, type LoggedEvent } from "../../src/alerts/events.ts";

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
