import type { Outbox } from "../messages/outbox.ts";
import { characters } from "../process/plain-text.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { muteTimers } from "./after-mute.ts";
import { alertSubject } from "./alert.ts";
import { alertMessages } from "./alert-messages.ts";
import { type AlertsApp, type CausingRequest, expectedEventTimer } from "./app.ts";
import { burstMessages, burstSubject } from "./burst.ts";
import { crossCheckTimer, runCrossCheck } from "./cross-check.ts";
import { digestMessages, digestSubject, digestTimer, runDigest } from "./digest.ts";
import { type DetectedEvent, findOrderAndCustomer, newestEvents, storeDetected } from "./event-log.ts";
import { type EventFacts, isOfOrder } from "./events.ts";
import { feedTimer, runFeed } from "./feed.ts";
import { mentionTimers } from "./mentions.ts";
import { connectionTimers } from "./slack-connections.ts";
import { undeliveredTimers } from "./undelivered.ts";

/** The timers of the alerts. */
export function alertTimers(app: AlertsApp): LaneHandlers {
  return {
    [feedTimer]: { run: () => runFeed(app), atOnce: 1 },
    [expectedEventTimer]: (timerId) => checkExpectedEvent(app, timerId),
    [crossCheckTimer]: { run: (timerId) => runCrossCheck(app, timerId), atOnce: 2 },
    [digestTimer]: (timerId) => runDigest(app, timerId),
    ...undeliveredTimers(app),
    ...mentionTimers(app),
    ...muteTimers(app),
    ...connectionTimers(app),
  };
}

/** Registers all messages of the alerts. */
export function registerAlertMessages(outbox: Outbox, app: AlertsApp): void {
  outbox.source(alertSubject, alertMessages(app));
  outbox.source(burstSubject, burstMessages(app));
  outbox.source(digestSubject, digestMessages(app));
}

type MissingEventApp = Pick<AlertsApp, "store" | "clock" | "causes" | "wakeFeed">;

/**
 * The timer's run that reports a webhook which had to follow a request and did not arrive in time. It updates the request's own message,
 * and stores `event.missing`. A workspace that never got a webhook misses none.
 */
export async function checkExpectedEvent(app: MissingEventApp, timerId: string): Promise<number | undefined> {
  const { causes } = app;
  const id = timerId.slice(expectedEventTimer.length);
  const request = await causes.readUnconfirmed(id);
  if (request && (await isMissed(app, request))) {
    // If a member waits in front of the message, the message alone says so.
    // Store the event before marking the request: after a crash in between it is stored again, which changes nothing.
    if (!request.expects?.awaited) await storeDetected(app, await missingEvent(app, request));
    await causes.noteOverdue(id);
  }
  return causes.close(id);
}

async function isMissed(app: MissingEventApp, { expects }: CausingRequest): Promise<boolean> {
  return Boolean(expects?.awaited) || (await newestEvents(app, { source: "webhook", limit: 1 })).length > 0;
}

async function missingEvent(app: MissingEventApp, request: CausingRequest): Promise<DetectedEvent> {
  const about = idsOf(request);
  const orderFacts = await findOrderAndCustomer(app, about.serviceId ?? about.orderId ?? request.id);
  const known = Object.fromEntries(Object.entries(orderFacts).filter(([, value]) => value));
  return {
    event: "event.missing",
    source: "awaited",
    askedBy: request.slackUser,
    request: request.id,
    unique: `missing ${request.id}`,
    data: {
      ...about,
      name: request.target ? characters(request.target.name) : null,
      externalCustomerId: request.customer,
      ...known,
      expected: [...(request.expects?.first ?? [])],
      saidIn: request.channel,
    },
  };
}

/** The ids that the missing event would have named. */
function idsOf({ id, target, order, expects }: CausingRequest): Partial<EventFacts> {
  const ofOrder = expects?.first.some(isOfOrder);
  if (!ofOrder) return { serviceId: target?.id ?? null };
  return { orderId: target?.id ?? order, externalOrderId: target ? null : id };
}
