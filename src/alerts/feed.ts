import * as z from "zod";
import type { Clock } from "../clock.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Store } from "../storage/store.ts";
import type { Causes, SupplierEvent } from "./causes.ts";
import type { CrossCheck } from "./cross-check.ts";
import { resourceToCheck } from "./cross-check-result.ts";
import type { EventLog, LoggedEvent } from "./event-log.ts";
import type { RouteEvent } from "./event-router.ts";
import type { EventOutcome, EventOutcomes } from "./outcomes.ts";
import type { SetAsideMonitor } from "./set-aside-monitor.ts";
import { eventLine } from "./view.ts";

const runEveryMs = 60_000;
/** The id of the last event that the feed has processed. */
const feedCursor = defineKind({ name: "place of the feed", namespace: "alert-feed", schema: z.string() });
/** The pause between two pages, so that new deliveries are accepted in between. */
const pauseMs = 100;

/**
 * Returns a run of the feed: it takes a page of stored events in order of arrival, and updates their requests and alerts.
 * It resolves to the time of the next run: each minute, because a crash may lose the timer of an event that was just stored.
 */
export function createFeed(deps: {
  store: Store;
  clock: Clock;
  events: EventLog;
  hearing: Pick<Causes, "concerns" | "hear">;
  crossCheck: Pick<CrossCheck, "ask">;
  outcomes: Pick<EventOutcomes, "note">;
  /** Notifies the admins of events whose time keeps them from every channel. */
  setAside: SetAsideMonitor;
  /** Puts the event into its channels' alerts. */
  channels: RouteEvent;
}): () => Promise<number> {
  const { store, clock, events, hearing, crossCheck, outcomes, setAside, channels } = deps;

  async function processEvent(event: LoggedEvent, concerns: boolean): Promise<EventOutcome> {
    // An event that Rackbell derived from a request must not count as the supplier's answer to that request.
    const cause = concerns && !event.acted ? await hearing.hear(eventForRequests(event)) : null;
    const routed = await channels(event, cause);
    const request = cause && { id: cause.request.id, slackUser: cause.request.slackUser, expected: cause.expected };
    const alertIds = routed.channels.flatMap(({ card }) => card ?? []);
    const resource = resourceToCheck(event);
    if (resource !== null && alertIds.length > 0) await crossCheck.ask(resource, alertIds);
    return { ...routed, request };
  }

  /** Processes a page. After a crash the same page is processed again, which changes nothing. */
  async function processPage(page: LoggedEvent[]): Promise<void> {
    // Most events belong to no request. Looking that up for all of them at once saves a lookup per event below.
    const concerns = await Promise.all(page.map((event) => hearing.concerns(eventForRequests(event))));
    const results: [id: string, EventOutcome][] = [];
    for (const [at, event] of page.entries())
      results.push([event.id, await processEvent(event, concerns[at] === true)]);
    await Promise.all(results.map(([id, outcome]) => outcomes.note(id, outcome)));
  }

  return async () => {
    const stored = await store.read(feedCursor, "last");
    const from = stored.value ?? "";
    const { events: page, last, more } = await events.after(from);
    await processPage(page.filter(({ aside }) => aside === null));
    await setAside(page.filter(({ aside }) => aside !== null));
    // Replace only the cursor that was read: an instance that was paused must not set back the others.
    if (last !== from) await store.transact({ records: [replacing(stored, last)] });
    return clock.now() + (more ? pauseMs : runEveryMs);
  };
}

function eventForRequests(event: LoggedEvent): SupplierEvent {
  const { orderId, serviceId, externalOrderId, services } = event.data;
  const about = [serviceId, ...(services ?? []).map((service) => service.serviceId), orderId];
  return {
    ...{ id: event.id, event: event.event, at: event.at, line: eventLine(event) },
    // A test event names no resource, so a request for one is found by the event's name.
    about: [...about.filter((id) => typeof id === "string"), event.event],
    ownOrder: externalOrderId ?? null,
  };
}
