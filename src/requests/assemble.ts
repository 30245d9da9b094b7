import type { Causes } from "../alerts/app.ts";
import type { Outbox } from "../messages/outbox.ts";
import { inRequest } from "../process/trace.ts";
import type { LaneHandlers, TimerHandler } from "../storage/store.ts";
import type { RequestsApp } from "./app.ts";
import { requestCauses } from "./facets/events/causes.ts";
import { onJobTimer } from "./facets/job/track.ts";
import { runScheduled } from "./facets/schedule/run.ts";
import { requestMessages } from "./messages.ts";
import { jobTimer, partsTimer, requestSubject, requestTimer, scheduleTimer } from "./store.ts";
import { keepRecovering, onPartsTimer, onRequestTimer } from "./timers.ts";

/** Connects the requests with all that calls them by itself: the outbox and the timers. */
export function assembleRequests(
  services: Omit<RequestsApp, "inProcess">,
  outbox: Outbox,
): { requests: RequestsApp; causes: Causes; timers: LaneHandlers; start(): void; stop(): void } {
  const app: RequestsApp = {
    ...services,
    inProcess: { running: new Set(), firstChecks: new Map(), polls: new Map() },
  };
  let stop = () => {};
  outbox.source(requestSubject, requestMessages(app));
  return {
    requests: app,
    causes: requestCauses(app),
    timers: {
      [requestTimer]: ofRequest((timerId) => onRequestTimer(app, timerId)),
      [scheduleTimer]: ofRequest((timerId) => runScheduled(app, timerId)),
      [jobTimer]: ofRequest((timerId) => onJobTimer(app, timerId)),
      [partsTimer]: ofRequest((timerId) => onPartsTimer(app, timerId)),
    },
    start() {
      stop = keepRecovering(app);
    },
    stop: () => stop(),
  };
}

/** A timer of a request has the request's id after its lane. */
function ofRequest(handler: TimerHandler): TimerHandler {
  return (timerId, run) => inRequest(timerId.slice(timerId.indexOf(":") + 1), () => handler(timerId, run));
}
