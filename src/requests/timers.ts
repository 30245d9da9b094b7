import { responsibilityTimer } from "../policy/responsibility/responsibility.ts";
import { repeat } from "../process/clock.ts";
import { scanIndex } from "../storage/create.ts";
import type { RequestsApp } from "./app.ts";
import { followBackup } from "./facets/backup-first/run.ts";
import { workOnBulk } from "./facets/bulk/run.ts";
import { isDeferred } from "./facets/defer/record.ts";
import { resume } from "./facets/defer/steps.ts";
import { checkOutcome } from "./reconcile.ts";
import { isBackingUp, isBulkWorking, type Request } from "./request.ts";
import { firstStepEnd, possibleSteps } from "./run.ts";
import { expire } from "./state-answers.ts";
import { type Phase, states } from "./states.ts";
import { step } from "./step.ts";
import { amend, claimedIndex, partsTimer, readRequest, requestSubject, requestTimer } from "./store.ts";

/** The timer of a request, see `lookAt` of its steps. A new phase does not compile until it is known what its timer does. */
export async function onRequestTimer(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const request = await readRequest(app, timerId.slice(requestTimer.length));
  return request && onTimerIn[states[request.state].phase](app, request);
}

/** The timer of a request whose parts are requests of their own. Each step of a part sets it. */
export async function onPartsTimer(app: RequestsApp, timerId: string): Promise<number | undefined> {
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
  const { store, clock } = app;
  if (clock.now() >= request.expiresAt) return void (await expire(app, request));
  if (isDeferred(request) && request.deferred) {
    if (clock.now() < request.deferred.until) return request.deferred.until;
    await resume(app, request.id);
    return request.expiresAt;
  }
  // A version before this one stored the reminder of a waiting request here.
  await store.timers.set(responsibilityTimer({ kind: requestSubject, id: request.id }), clock.now());
  return request.expiresAt;
}

/** Removes next steps that are no longer possible. */
async function removeEndedSteps(app: RequestsApp, request: Request): Promise<number | undefined> {
  const now = app.clock.now();
  const next = possibleSteps(request.next, now);
  if (next.length < request.next.length && !(await amend(app, request, { next }))) return now;
  return firstStepEnd(next, now);
}

/** Milliseconds between searches for requests of dead processes. */
const recoverEvery = 3_000;

/** Looks for requests of dead processes, now and every few seconds; the returned function stops that. */
export function keepRecovering(app: RequestsApp): () => void {
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
