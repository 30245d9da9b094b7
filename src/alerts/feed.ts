import type { Logger } from "pino";
import * as z from "#zod";
import { type Clock, sleep } from "../process/clock.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Timers } from "../storage/store.ts";
import type { AlertsApp, CausedEvent } from "./app.ts";
import { askCrossCheck, resourceToCheck } from "./cross-check.ts";
import { eventsAfter } from "./event-log.ts";
import { noteOutcome, routeEvent, updateEarlier } from "./event-router.ts";
import { eventResource, isServiceEnd, type LoggedEvent, reportedState } from "./events.ts";
import { notifySetAside } from "./notices.ts";
import { eventSentence } from "./view.ts";

export const feedTimer = "events:";
const feedRun = `${feedTimer}feed`;
const runEveryMs = 60_000;
/** The pause between two pages, so that new deliveries are accepted in between. */
const pauseMs = 100;
/** Events that arrive within this time are processed in one run of the feed. */
const togetherMs = 100;
/** The id of the last event that the feed has processed. */
export const feedCursor = defineKind({ name: "place of the feed", namespace: "alert-feed", schema: z.string() });

/**
 * Returns a function to call when an event is on disk: it starts the feed, the first time at once. It never blocks and never throws,
 * so that the supplier's delivery is answered without delay. If the process dies, the next start or the feed's timer finds the event.
 */
export function createFeedTrigger(
  timers: Pick<Timers, "set">,
  { clock, log }: { clock: Clock; log: Logger },
): () => void {
  let arrived = false;
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    try {
      while (arrived) {
        arrived = false;
        await timers.set(feedRun, clock.now());
        await sleep(clock, togetherMs);
      }
    } catch (error) {
      log.error({ err: error }, "Stored events are not handled yet");
    } finally {
      asking = false;
    }
  }

  return () => {
    arrived = true;
    if (!asking) void ask();
  };
}

/**
 * The feed's run: takes a page of stored events in order of arrival, and updates their requests and alerts. Resolves to the time of the
 * next run: each minute, because a crash may lose the timer of an event that was just stored.
 */
export async function runFeed(app: AlertsApp): Promise<number> {
  const { store, clock } = app;
  const stored = await store.read(feedCursor, "last");
  const from = stored.value ?? "";
  const { events: page, last, more } = await eventsAfter(app, from);
  // After a crash the same page is processed again, which changes nothing.
  for (const event of page) if (event.aside === null) await processEvent(app, event);
  await notifySetAside(
    app,
    page.filter(({ aside }) => aside !== null),
  );
  // Replace only the cursor that was read: an instance that was paused must not set back the others.
  if (last !== from) await store.transact({ records: [replacing(stored, last)] });
  return clock.now() + (more ? pauseMs : runEveryMs);
}

async function processEvent(app: AlertsApp, event: LoggedEvent): Promise<void> {
  // An event that Rackbell derived from a request must not count as the supplier's answer to that request.
  const cause = event.acted ? null : await app.causes.attach(eventForRequests(event));
  const gone = isServiceEnd(event) ? eventResource(event) : null;
  if (gone) await app.onGone(gone, `The platform ${reportedState(event.event)?.state} it.`);
  const { repeat, over, channels: routed } = await routeEvent(app, event, cause);
  const channels = [...routed, ...(await updateEarlier(app, event, { cause, channels: routed }))];
  const request = cause && { id: cause.request.id, slackUser: cause.request.slackUser, expected: cause.expected };
  const alertIds = channels.flatMap(({ alert }) => alert ?? []);
  const resource = resourceToCheck(event);
  // No alert shows a webhook that seemed late, so that only a read can find that it was not.
  if (resource !== null && (over || alertIds.length > 0)) await askCrossCheck(app, resource, alertIds);
  // Before the next event: its recovery may be in the same page, and finds the alert by this.
  await noteOutcome(app, event.id, { request, repeat, channels });
}

function eventForRequests(event: LoggedEvent): CausedEvent {
  const { orderId, serviceId, externalOrderId, services } = event.data;
  const about = [serviceId, ...(services ?? []).map((service) => service.serviceId), orderId];
  return {
    id: event.id,
    event: event.event,
    at: event.at,
    line: eventSentence(event),
    // A test event names no resource, so a request for one is found by the event's name.
    about: [...about.filter((id) => typeof id === "string"), event.event],
    ownOrder: externalOrderId ?? null,
  };
}
