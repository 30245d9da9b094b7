import type { Outbox } from "../messages/outbox.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { alertSubject } from "./alert.ts";
import { alertMessages } from "./alert-messages.ts";
import { type AlertsApp, expectedEventTimer } from "./app.ts";
import { burstMessages, burstSubject } from "./burst.ts";
import { crossCheckTimer, runCrossCheck } from "./cross-check.ts";
import { digestMessages, digestSubject, digestTimer, runDigest } from "./digest.ts";
import { feedTimer, runFeed } from "./feed.ts";
import { mentionTimers } from "./mentions.ts";
import { checkExpectedEvent } from "./missing-event.ts";
import { connectionTimers } from "./slack-connections.ts";

/** The timers of the alerts. */
export function alertTimers(app: AlertsApp): LaneHandlers {
  return {
    [feedTimer]: { run: () => runFeed(app), atOnce: 1 },
    [expectedEventTimer]: (timerId) => checkExpectedEvent(app, timerId),
    [crossCheckTimer]: { run: (timerId) => runCrossCheck(app, timerId), atOnce: 2 },
    [digestTimer]: (timerId) => runDigest(app, timerId),
    ...mentionTimers(app),
    ...connectionTimers(app),
  };
}

/** Registers all messages of the alerts. */
export function registerAlertMessages(outbox: Outbox, app: AlertsApp): void {
  outbox.source(alertSubject, alertMessages(app));
  outbox.source(burstSubject, burstMessages(app));
  outbox.source(digestSubject, digestMessages(app));
}
