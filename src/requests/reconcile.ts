import { type BoundOperation, bindPinned } from "../members/access/bound.ts";
import type { OtherCharge, Reconciled } from "../operation/answer.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { RequestsApp } from "./app.ts";
import { beginRequest, operationOf } from "./checks.ts";
import { type Amendment, type Request, timeToDecide, wasNotDone } from "./request.ts";
import { otherSpending, releaseRequest } from "./rules.ts";
import { errorOf, finish, firstCheckAfter, offerInCase } from "./run.ts";
import { step, stepAgain } from "./step.ts";
import { amend, readRequest } from "./store.ts";
import { isUnclear } from "./unknown-outcome.ts";

/** Milliseconds to the next check of an unknown outcome; the list covers about ten minutes. */
const checkPauses = [firstCheckAfter, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000];
/** A change costs and destroys nothing, so fewer checks are enough. */
const checksOfChange = 6;
/** Milliseconds. A call may take effect late, so "not done" counts only this long after the first check. Money and data get longer. */
const trustNotDoneAfter = { change: 45_000, spend: 4 * 60_000, destroy: 4 * 60_000 };

/** The advice about asking again. A late call would make a second one, so it is called safe only for changes. */
const checkFirst = "Nothing changed so far. Check once more before you ask again: the first attempt may still arrive.";
const pressAgain = "Press again if you still need it. It keeps its id, so the platform cannot do it twice.";
const askAgainAdvice = {
  change: "Nothing changed, and it is safe to ask again.",
  spend: checkFirst,
  destroy: checkFirst,
};

const sendAgainLabel = "Send the same again";
const sendAgainAdvice = "You can send the same again. It keeps its id, so the platform takes and charges it only once.";

/** True if a second sending is safe: the platform takes the request's id only once, and the input is still stored. */
function canBeSentAgain(request: Request, { idempotent }: PlatformOperation): boolean {
  const { mode, schedule, part, bulk } = request;
  const { sealed } = request.input;
  const alone = part === null && bulk === null && schedule === null;
  return idempotent === true && mode !== "none" && alone && sealed !== null;
}

/**
 * Checks an unknown outcome once; it only reads, and never runs anything again. Resolves to the time of the next check (milliseconds since
 * the epoch), or undefined when the outcome is known.
 */
export async function checkOutcome(app: RequestsApp, request: Request): Promise<number | undefined> {
  const { firstChecks } = app.inProcess;
  if (request.looks === 0 || !firstChecks.has(request.id)) firstChecks.set(request.id, app.clock.monotonic());
  const next = await check(app, request);
  if (next !== undefined) return next;
  firstChecks.delete(request.id);
  await onSettled(app, request);
  return undefined;
}

/** Checks once before the same is sent again. If it was done, the request ends, and this resolves to true. */
export async function wasDone(app: RequestsApp, request: Request, bound: BoundOperation): Promise<boolean> {
  const checked = await read(app, request, bound);
  if (!("found" in checked) || checked.found.is !== "done") return false;
  await settle(app, request, checked.found, bound);
  await onSettled(app, request);
  return true;
}

/**
 * After the outcome is known. An unlinked key was kept only to check outcomes, and is erased once none is unknown; a refused request has
 * cost nothing, so its price no longer counts as spent.
 */
async function onSettled(app: RequestsApp, request: Request): Promise<void> {
  const { api, requester } = request;
  if (!(await isUnclear(app, requester))) await app.identities.eraseRetired(requester.member, api, requester.keyId);
  const settled = request.price === null ? undefined : await readRequest(app, request.id);
  if (settled && wasNotDone(settled)) await releaseRequest(app, settled);
}

async function check(app: RequestsApp, request: Request): Promise<number | undefined> {
  const { log } = app;
  const operation = operationOf(app, request);
  if (!operation) {
    const outcome = "This version of Rackbell no longer has that command. Check the resource yourself.";
    return close(app, request, "giveUp", outcome);
  }
  const bound = await bindPinned(app, operation, request.requester);
  // Without the key nobody knows more than while the platform does not answer: a second payment waits as long.
  if (!bound)
    return checkLater(app, request, operation, "The key of this request is no longer linked.", { isLinked: false });
  const checked = await read(app, request, bound);
  // Outside of the `try` in `read`: a storage error here must not turn a known outcome back into an unknown one.
  if ("found" in checked) return settle(app, request, checked.found, bound);
  log.warn({ err: checked.error, request: request.id }, "A check of an unknown outcome failed");
  return checkLater(app, request, operation, await errorOf(app, request, bound, checked.error));
}

async function read(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
): Promise<{ found: Reconciled } | { error: unknown }> {
  try {
    const act = await beginRequest(app, request, bound);
    const since = request.decidedAt ?? request.createdAt;
    return { found: await act.reconcile(request.before, since, await otherCharges(app, request, since)) };
  } catch (error) {
    return { error };
  }
}

/** The payer's other charges at the same time or since: they move the same balance. */
async function otherCharges(app: RequestsApp, request: Request, since: number): Promise<OtherCharge[]> {
  if (request.price === null) return [];
  const charges: OtherCharge[] = [];
  for (const id of await otherSpending(app, request)) {
    const { command, state, price, attemptedAt } = (await readRequest(app, id)) ?? {};
    if (!command || !state || !price || price === "unknown") continue;
    const confirmed = state === "done" || state === "working";
    const isOpen = state === "claimed" || state === "unknown" || state === "undecided";
    const isSince = attemptedAt === null || attemptedAt === undefined || attemptedAt >= since;
    if (isSince && (confirmed || isOpen)) charges.push({ command, price, confirmed });
  }
  return charges;
}

async function settle(
  app: RequestsApp,
  request: Request,
  found: Reconciled,
  bound: BoundOperation,
): Promise<number | undefined> {
  if (found.is === "done") {
    const { handle = null, next = [], stateAlone, cost } = found;
    const lead = stateAlone ? "As requested" : "It was done after all";
    await finish(app, request, bound, { text: `${lead}: ${found.text}`, handle, next, cost });
    return undefined;
  }
  const early = found.is === "not done" && !hasWaited(app, request);
  if (found.is === "not done" && !early) return notDone(app, request, bound.operation, found.text);
  return checkLater(app, request, bound.operation, found.text, { early });
}

function hasWaited({ inProcess, clock }: RequestsApp, { id, risk }: Request): boolean {
  return clock.monotonic() - (inProcess.firstChecks.get(id) ?? clock.monotonic()) >= trustNotDoneAfter[risk];
}

async function notDone(
  app: RequestsApp,
  request: Request,
  { idempotent }: PlatformOperation,
  found: string,
): Promise<undefined> {
  const outcome = `It was not done: ${found}`;
  if (!idempotent || request.mode === "none")
    return close(app, request, "leaveUndone", `${outcome} ${askAgainAdvice[request.risk]}`);
  // Until it is decided again, what would take its place could be a second order beside the late first one.
  return reopen(
    app,
    request,
    { outcome: `${outcome} ${pressAgain}`, unsettled: firstSending(request, "not done") },
    outcome,
  );
}

/** `early`: it reads as not done, which only needs time, so that its checks never run out. `isLinked`: its key could be used. */
async function checkLater(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  words: string,
  { early = false, isLinked = true } = {},
): Promise<number | undefined> {
  const all = request.risk === "change" ? checkPauses.slice(0, checksOfChange) : checkPauses;
  const next = all[request.looks + 1] ?? (early ? all.at(-1) : undefined);
  if (next === undefined) return undecided(app, request, operation, words, { isLinked });
  await amend(app, request, { looks: request.looks + 1 }, { silent: true });
  return app.clock.now() + next;
}

async function undecided(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  words: string,
  { isLinked }: { isLinked: boolean },
): Promise<undefined> {
  if (isLinked && canBeSentAgain(request, operation)) {
    const outcome = `The outcome stays unknown. ${words}`;
    const change = {
      outcome: `${outcome} ${sendAgainAdvice}`,
      review: { ...request.review, press: sendAgainLabel },
      unsettled: firstSending(request, "unknown"),
    };
    return reopen(app, request, change, outcome);
  }
  await offerInCase(app, request, operation);
  const outcome = `The outcome stays unknown. ${words} Check the resource yourself before you ask again.`;
  return close(app, request, "giveUp", outcome);
}

/** The first sending and its decision stay stored, also when another one was no clearer. */
function firstSending(
  { unsettled, approvals, decidedBy, decidedAt }: Request,
  found: "unknown" | "not done",
): Request["unsettled"] {
  return unsettled ? { ...unsettled, found } : { found, approvals, decidedBy, decidedAt };
}

/** Opens the request again. An approval is good for one press, so all approvers decide anew. */
async function reopen(app: RequestsApp, request: Request, change: Amendment, auditOutcome: string): Promise<undefined> {
  const expiresAt = app.clock.now() + timeToDecide(app, request);
  await stepAgain(app, request, "reopen", { expiresAt, looks: 0, ...change }, { auditOutcome, lookAt: expiresAt });
}

async function close(
  app: RequestsApp,
  request: Request,
  event: "leaveUndone" | "giveUp",
  outcome: string,
): Promise<undefined> {
  const part = event === "leaveUndone" ? retryIfInterrupted(request, app.clock.now()) : request.part;
  await step(app, request, event, { outcome, looks: request.looks + 1, part });
}

/** A target that a crash interrupted before it was done is begun again. Not if a late call would cost or destroy twice. */
function retryIfInterrupted({ part, risk }: Request, now: number): Request["part"] {
  return part?.interrupted && risk === "change" ? { ...part, again: now } : part;
}
