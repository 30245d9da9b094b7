import type { Causes } from "../alerts/app.ts";
import type { Outbox } from "../messages/outbox.ts";
import { repeat } from "../process/clock.ts";
import { inRequest } from "../process/trace.ts";
import { scanIndex } from "../storage/create.ts";
import type { LaneHandlers, TimerHandler } from "../storage/store.ts";
import { duration } from "../views/format.ts";
import type { RequestsApp } from "./app.ts";
import { followBackup } from "./facets/backup-first/run.ts";
import { withWayBack } from "./facets/bulk/progress.ts";
import { workOnBulk } from "./facets/bulk/run.ts";
import { isDeferred } from "./facets/defer/record.ts";
import { resume } from "./facets/defer/steps.ts";
import { requestCauses } from "./facets/events/causes.ts";
import { onJobTimer } from "./facets/job/track.ts";
import { latestStart } from "./facets/schedule/record.ts";
import { requestMessages } from "./messages.ts";
import { checkOutcome } from "./reconcile.ts";
import { isBackingUp, isBulkWorking, type Request, unsentOutcome } from "./request.ts";
import { firstStepEnd, possibleSteps } from "./run.ts";
import { startWhenPossible } from "./start.ts";
import { expire } from "./state-answers.ts";
import { type Phase, states } from "./states.ts";
import { step } from "./step.ts";
import {
  amend,
  claimedIndex,
  jobTimer,
  partsTimer,
  readRequest,
  requestSubject,
  requestTimer,
  scheduleTimer,
} from "./store.ts";

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

/** The timer of a request, see `lookAt` of its steps. A new phase does not compile until it is known what its timer does. */
async function onRequestTimer(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(requestTimer.length));
  return request && onTimerIn[states[request.state].phase](app, request);
}

/** The timer of a request whose parts are requests of their own. Each step of a part sets it. */
async function onPartsTimer(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(partsTimer.length));
  if (!request) return undefined;
  if (isBackingUp(request)) return followBackup(app, request);
  return isBulkWorking(request) ? workOnBulk(app, request) : undefined;
}

const onTimerIn: Record<Phase, (app: RequestsApp, request: Request) => Promise<number | undefined>> = {
  pending: expireWhenDue,
  // The timer was for the wait for a decision.
  scheduled: async () => undefined,
  claimed: async () => undefined,
  unknown: checkOutcome,
  working: removeEndedSteps,
  ended: removeEndedSteps,
};

async function expireWhenDue(app: RequestsApp, request: Request): Promise<number | undefined> {
  const { clock } = app;
  if (clock.now() >= request.expiresAt) return void (await expire(app, request));
  if (isDeferred(request) && request.deferred) {
    if (clock.now() < request.deferred.until) return request.deferred.until;
    await resume(app, request.id);
  }
  return request.expiresAt;
}

/** Removes next steps that are no longer possible. */
async function removeEndedSteps(app: RequestsApp, request: Request): Promise<number | undefined> {
  const now = app.clock.now();
  const { bulk } = request;
  const possible = possibleSteps(request.next, now);
  const isOver = possible.length < request.next.length;
  const left = bulk ? withWayBack(bulk, request.next, (_, until) => until === null || until > now) : { next: possible };
  if (isOver && !(await amend(app, request, left, { aside: true }))) return now;
  return firstStepEnd(left.next, now);
}

/** Milliseconds between searches for requests of dead processes. */
const recoverEvery = 3_000;

/** Looks for requests of dead processes, now and every few seconds; the returned function stops that. */
function keepRecovering(app: RequestsApp): () => void {
  const { clock, log } = app;
  return repeat(
    clock,
    recoverEvery,
    () => recoverAll(app),
    (error) => log.error({ err: error }, "Rackbell could not search for interrupted requests"),
  );
}

/** Checks the outcome of each act that no process works on. */
export async function recoverAll(app: RequestsApp): Promise<void> {
  for await (const { member: id } of scanIndex(app.store.index(claimedIndex))) {
    const request = await readRequest(app, id);
    if (request?.state === "claimed") await recover(app, request);
  }
}

/** A claimed request that no process works on is checked for its outcome. It is never run again. */
async function recover(app: RequestsApp, request: Request): Promise<void> {
  const { store, clock, inProcess } = app;
  if (inProcess.running.has(request.id)) return;
  const own = request.instance === store.instance;
  if (!own && request.instance !== null && (await store.alive(request.instance))) return;
  const outcome = "Rackbell was interrupted during this act. I am checking the outcome, and do not send it again.";
  // Nobody knows when the call was made, so the wait for a late effect starts over.
  const part = request.part && { ...request.part, interrupted: true };
  const now = clock.now();
  await step(app, request, "loseAnswer", { outcome, attemptedAt: now, looks: 0, part }, { lookAt: now });
}

/**
 * Runs a scheduled request when its time comes, or voids it if something changed since its decision. Resolves to the time of the next try.
 */
export async function runScheduled(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(scheduleTimer.length));
  if (request?.state !== "scheduled" || !request.schedule) return undefined;
  const due = request.schedule.at;
  const late = app.clock.now() - due;
  // The request was rescheduled, or the clock was set back.
  if (late < 0) return due;
  const end = async (why: string): Promise<void> => {
    const fact = `Its time came, but it did not start. ${why}`;
    const outcome = unsentOutcome(request, fact, "Schedule it again if you still need it.");
    await step(app, request, "void", { outcome });
  };
  if (late <= latestStart) return startWhenPossible(app, request, { due, end });
  await end(
    `Rackbell was ${duration(late)} late, because it was not running or its clock was wrong. No request starts more than ${duration(latestStart)} late.`,
  );
  return undefined;
}
