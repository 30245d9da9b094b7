import { admit, markRejected } from "../../../members/access/access.ts";
import type { BoundOperation } from "../../../members/access/bound.ts";
import { errorText, meetsAll, whoseKey } from "../../../messages/answers/error-text.ts";
import type { Act } from "../../../operation/act.ts";
import type { Review } from "../../../operation/answer.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import { isPlatformError, keyRejected, PlatformRefused } from "../../../platform/http/errors.ts";
import type { RequestsApp } from "../../app.ts";
import { identityChanges, priceChanges, rowChanges } from "../../preconditions.ts";
import type { NewRequest, Request } from "../../request.ts";
import { underWayWords, withResourceLock } from "../../resource-lock.ts";
import { lackingNow } from "../../rules.ts";
import { runClaimed } from "../../run.ts";
import { openedInput } from "../../sealed.ts";
import { begin as beginRequest } from "../../step.ts";
import { readRequest } from "../../store.ts";
import { refuseWhileUnknown } from "../../unknown-outcome.ts";
import { requireAgentRight } from "../agent/right.ts";
import { partOf, reviewOfPart } from "../part/begin.ts";
import { partId } from "../part/record.ts";
import { removedPasskey } from "../passkey/gate.ts";
import { protectedAlone } from "../protection/record.ts";
import { protectionNow } from "../protection/steps.ts";
import type { ApprovedTarget } from "./record.ts";
import { refuseDoneInSeries } from "./series.ts";

/** The bulk request, and the operation bound to the requester's key. */
interface BulkWork {
  request: Request;
  bound: BoundOperation;
}

async function begin(
  app: RequestsApp,
  { request, bound }: BulkWork,
  target: ApprovedTarget,
  id: string,
): Promise<void> {
  const { clock } = app;
  const { risk } = request;
  const { slackUser } = request.requester;
  // A bulk request takes time: its requester may have become a guest since, and a guest may run nothing.
  await forAll(admit(app, slackUser, { whose: `<@${slackUser}>, who asked,` }));
  const input = openedInput(app, request);
  await refuseDoneInSeries(app, request, target);
  await refuseWhileUnknown(app, bound.operation, { ...request, bulk: null, target });
  const act = await bound.begin({ id, targetId: target.id, input, resolved: true, now: clock.now() });
  refuseChanged(target, act, request);
  await act.usable();
  const review = await reviewOfPart(act, request);
  refuseChangedFacts(target, review);
  await refuseProtected(app, act, review);
  await refuseStricter(app, request, act);
  await forAll(requireAgentRight(app, request));
  const part = partOf(app, request, { bound, act }, { risk, review });
  const described = { ...part, review: { ...part.review, described: request.review.described } };
  const claim = () => beginRequest(app, "begin", described, { auditOutcome: "Begun." });
  await runClaimed(app, id, claim, { bound, act });
}

/**
 * Checks the approval rules again: they may have become stricter since the approval. A rule that refuses this target alone, such as one
 * about its maintenance window, leaves it out; one that refuses them all stops the request, and so does a removed passkey.
 */
async function refuseStricter(app: RequestsApp, request: Request, act: Act): Promise<void> {
  const removed = await removedPasskey(app, request);
  if (removed !== null) throw new StopsAll(removed);
  const { why } = await lackingNow(app, { ...request, bulk: null, target: act.target }, act);
  if (why === null) return;
  const all = await lackingNow(app, request);
  if (all.why !== null) throw new StopsAll(all.why);
  throw new Refusal(`${why} So it was left as it is.`);
}

/** The refusal would meet every other target as well, so that no more begin. */
class StopsAll extends Refusal {
  override readonly name = "StopsAll";
}

async function forAll(check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    throw error instanceof Refusal ? new StopsAll(error.message, error.next) : error;
  }
}

/** Stores the target's request although nothing was sent, so that lists and counts include it. */
async function storeUndone(
  app: RequestsApp,
  request: Request,
  target: ApprovedTarget,
  id: string,
  error: unknown,
): Promise<void> {
  const { clock } = app;
  await markRejected(app, request.requester, error);
  const { text, again } = errorText(error, clock.now(), whoseKey(request.requester.slackUser));
  const stops = error instanceof StopsAll || meetsAll(error);
  const isLeftOut = !stops && (error instanceof Refusal || error instanceof InputError || isGone(error));
  const now = clock.now();
  const { state: _, ...asked } = request;
  const targetRequest: NewRequest = {
    ...asked,
    id,
    bulk: null,
    target: { id: target.id, name: target.name },
    mode: "none",
    price: null,
    outcome: text,
    job: null,
    instance: null,
    createdAt: now,
    changedAt: now,
    expiresAt: now,
    part: {
      of: request.id,
      again: again ?? retryTime(error, now),
      interrupted: false,
      stops,
    },
  };
  await beginRequest(app, isLeftOut ? "leaveOut" : "leaveUndone", targetRequest);
}

/** Reads one target of a bulk request again, stores its own request and runs it. After a crash it never runs twice. */
export async function beginTarget(
  app: RequestsApp,
  work: BulkWork,
  target: ApprovedTarget,
  tries: number,
): Promise<void> {
  const { store } = app;
  const { request } = work;
  const id = partId(request.id, target.id, tries);
  // This request was stored before a crash. Its outcome is being checked, so it is not run again.
  if (await readRequest(app, id)) return;
  const holder = { id, slackUser: request.requester.slackUser, verb: request.verb, target };
  try {
    await withResourceLock(
      store.locks,
      target.id,
      holder,
      () => begin(app, work, target, id),
      (by) => Promise.reject(new Refusal(underWayWords(by))),
    );
  } catch (error) {
    // An error of storage, or one after the request was stored, is thrown: the step runs again.
    if (!isExplained(error) || (await readRequest(app, id))) throw error;
    await storeUndone(app, request, target, id, error);
  }
}

function isExplained(error: unknown): boolean {
  return error instanceof Refusal || error instanceof InputError || isPlatformError(error) || keyRejected(error);
}

/**
 * Returns when to try again, in milliseconds since the epoch; null for a refusal, which would only repeat. Nothing was sent, so a retry is
 * safe.
 */
function retryTime(error: unknown, now: number): number | null {
  const isRefused = error instanceof PlatformRefused && error.status < 500;
  return isPlatformError(error) && !isRefused ? now + readAgainAfter : null;
}

const readAgainAfter = 10_000;

function isGone(error: unknown): boolean {
  return error instanceof PlatformRefused && error.status === 404;
}

/** Refuses if the target is not the resource that was listed: another name, host name, project or state. */
function refuseChanged(target: ApprovedTarget, act: Act, { risk, bulk }: Pick<Request, "risk" | "bulk">): void {
  const byState = bulk?.byState ?? false;
  const changes = [
    ...identityChanges(target, act, risk),
    ...(!byState || act.states.includes(target.state)
      ? []
      : [`It was ${target.state} and is ${act.states[0] ?? "of another state"} now.`]),
  ];
  if (changes.length > 0) throw new Refusal(`${changes.join(" ")} So it was left as it is.`);
}

/** Nobody types a name for one of several, and it may be protected since they were chosen. */
async function refuseProtected(app: RequestsApp, { risk, target }: Act, { destroys = [] }: Review): Promise<void> {
  const protection = await protectionNow(app, { risk, target, destroys });
  if (protection !== null) throw new Refusal(`${protectedAlone([protection.name])} So it was left as it is.`);
}

/** Refuses if a precondition changed since the list. */
function refuseChangedFacts(target: ApprovedTarget, { preconditions, price }: Review): void {
  const changes = rowChanges(target.preconditions, preconditions);
  if (changes.length === 0) changes.push(...priceChanges(target.price, price));
  if (changes.length > 0) throw new Refusal(`${changes.join(" ")} So it was left as it is.`);
}
