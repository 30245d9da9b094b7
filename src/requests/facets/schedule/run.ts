import type { BoundOperation } from "../../../access/bound.ts";
import { errorText, isLasting, keyOf, sealLost } from "../../../access/error-text.ts";
import { areTwoPeople, personOf } from "../../../identities/person.ts";
import { NotYet, Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { isPlatformError, keyRejected } from "../../../platform/http/errors.ts";
import { SealBroken } from "../../../storage/errors.ts";
import { duration } from "../../../views/format.ts";
import type { RequestsApp } from "../../app.ts";
import {
  admitRequester,
  bindRequester,
  type CheckedFacts,
  operationOf,
  readFacts,
  refusalReason,
  stillApproves,
} from "../../checks.ts";
import type { Request } from "../../request.ts";
import { underWayWords, withResourceLock } from "../../resource-lock.ts";
import { lackingNow, policyFactsNow, reserve } from "../../rules.ts";
import { claimAndRun } from "../../run.ts";
import { step } from "../../step.ts";
import { readRequest, scheduleTimer } from "../../store.ts";
import { refuseWhileUnknown, sendingOf, subjectKeyOf } from "../../unknown-outcome.ts";
import { askOwner } from "../agent/ask-owner.ts";
import { agentProblem } from "../agent/right.ts";
import { prepareBackup } from "../backup-first/steps.ts";
import { removedPasskey } from "../passkey/gate.ts";
import { latestStart } from "./record.ts";

/** Milliseconds between tries of a scheduled request that cannot begin yet. The pauses grow, since each try reads everything again. */
const shortestPause = 20_000;
const longestPause = 2 * 60_000;

async function end(app: RequestsApp, request: Request, why: string): Promise<undefined> {
  const outcome = `Its time came, but it did not start. ${why} Nothing was done. Schedule it again if you still need it.`;
  await step(app, request, "void", { outcome });
}

async function runNow(app: RequestsApp, request: Request): Promise<number | undefined> {
  const subject = sendingOf(app, request);
  await refuseWhileUnknown(app, operationOf(app, request), subject, request.risk, request.id);
  const rechecked = await recheckDecision(app, request);
  if ("gone" in rechecked) return end(app, request, rechecked.gone);
  const policyFacts = policyFactsNow(request, rechecked);
  const { ruling, why } = await lackingNow(app, request, policyFacts);
  const removed = await removedPasskey(app, request);
  if (removed !== null) return end(app, request, removed);
  const problem = why ?? (await agentProblem(app, request));
  if (problem !== null) {
    const asks = await askOwner(app, request, rechecked.bound.operation, { why: problem, ruling });
    return asks ? undefined : end(app, request, problem);
  }
  const { origin, approvals } = request;
  const [approver = origin] = approvals;
  const first = request.backupFirst?.step === "chosen" ? await prepareBackup(app, request, approver) : null;
  if (!(await reserve(app, [{ policyFacts, ruling }, first])))
    return end(app, request, "Other spending used up the limit meanwhile.");
  const ran = await claimAndRun(app, { request, checked: rechecked, origin, approvals, override: undefined, first });
  // Another change came first. One that was no step leaves the request scheduled, and without a timer it would never start.
  return ran ? undefined : app.clock.now();
}

/** Tries again soon. After `latestStart` nobody expects the act any more, so the request ends. */
async function later(app: RequestsApp, request: Request, at: number, why: string): Promise<number | undefined> {
  const { clock } = app;
  const late = clock.now() - at;
  const next = clock.now() + Math.min(longestPause, Math.max(shortestPause, late / 3));
  return next > at + latestStart ? end(app, request, why) : next;
}

async function tryNow(app: RequestsApp, request: Request, at: number): Promise<number | undefined> {
  const { store, clock, log } = app;
  try {
    return await withResourceLock(
      store.locks,
      subjectKeyOf(operationOf(app, request), sendingOf(app, request)),
      { ...request, slackUser: request.requester.slackUser },
      () => runNow(app, request),
      (by) => later(app, request, at, underWayWords(by)),
    );
  } catch (error) {
    if (keyRejected(error))
      return end(app, request, `The platform no longer accepts the key of <@${request.requester.slackUser}>.`);
    // A key that was removed does not come back: thrown, the timer would try until it blames the clock.
    if (error instanceof SealBroken) return end(app, request, sealLost);
    if (!(error instanceof Refusal || isPlatformError(error))) throw error;
    const { text } = errorText(error, clock.now(), keyOf(request.requester.slackUser));
    // Waiting does not repair these errors, and a try every 20 s would use up the key's calls.
    if (isLasting(error) || (error instanceof Refusal && !(error instanceof NotYet))) return end(app, request, text);
    log.info({ err: error, request: request.id }, "A scheduled request could not start yet");
    return later(app, request, at, text);
  }
}

/**
 * Runs a scheduled request when its time comes. It repeats every check of the decision, and voids the request if something changed. Resolves
 * to the time of the next try.
 */
export async function runScheduled(app: RequestsApp, timerId: string): Promise<number | undefined> {
  const { clock } = app;
  const request = await readRequest(app, timerId.slice(scheduleTimer.length));
  if (request?.state !== "scheduled" || !request.schedule) return;
  const { at } = request.schedule;
  const now = clock.now();
  // The request was rescheduled, or the clock was set back.
  if (now < at) return at;
  if (now - at <= latestStart) return tryNow(app, request, at);
  const late = `Rackbell was ${duration(now - at)} late, because it was not running or its clock was wrong. No request starts more than ${duration(latestStart)} late.`;
  return end(app, request, late);
}

/** Binds the operation to the requester's key, if they could still ask for it. */
async function bindAgain(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
): Promise<{ bound: BoundOperation } | { gone: string }> {
  const { identities } = app;
  const { slackUser, member } = request.requester;
  const whoSubject = `<@${slackUser}>, who asked,`;
  await admitRequester(app, request);
  // Ask the platform again: a scope or key that was removed since must not count.
  await identities.refresh(member, operation.api);
  const bound = await bindRequester(app, request, operation);
  if (!bound) return { gone: `${whoSubject} no longer has the key of this request.` };
  return bound.may(request.command) ? { bound } : { gone: `The key of ${whoSubject} no longer allows it.` };
}

/** Returns the reason why an approval no longer counts, as a sentence; null if all do. */
async function approvalProblem(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
): Promise<string | null> {
  const { identities } = app;
  for (const [at, approval] of request.approvals.entries()) {
    // Nobody is there to approve in that one's place. So an error that may pass is thrown, and the start is tried again.
    if (!(await stillApproves(app, request, operation, approval, keyRejected)))
      return `<@${approval.slackUser}>, who approved it, could no longer approve it.`;
    const person = personOf(await identities.links(approval.member));
    for (const other of request.approvals.slice(0, at))
      if (!areTwoPeople(personOf(await identities.links(other.member)), person))
        return `<@${other.slackUser}> and <@${approval.slackUser}>, who approved it, are now linked as the same platform user.`;
  }
  return null;
}

/**
 * Checks everything that a scheduled request was decided on: requester, approvers, keys and preconditions. `gone` is the reason to end, as
 * a sentence. A Refusal or platform error says that the check failed for now.
 */
async function recheckDecision(app: RequestsApp, request: Request): Promise<CheckedFacts | { gone: string }> {
  const operation = operationOf(app, request);
  if (!operation) return { gone: "This version of Rackbell no longer has that command." };
  const requester = await bindAgain(app, request, operation).catch((error: unknown) => ({
    gone: refusalReason(error),
  }));
  if ("gone" in requester) return requester;
  const gone = await approvalProblem(app, request, operation);
  if (gone !== null) return { gone };
  const { bound } = requester;
  const checked = await readFacts(app, request, bound);
  return "act" in checked ? checked : { gone: checked.changed };
}
