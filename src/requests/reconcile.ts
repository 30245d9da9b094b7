import type { Logger } from "pino";
import type { Binder, BoundOperation } from "../access/bound.ts";
import type { Clock } from "../clock.ts";
import type { Reconciled } from "../operation/answer.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Reconcile, RequestRun } from "./app.ts";
import { beginRequest } from "./begin.ts";
import { untouched } from "./facets/backup-first/steps.ts";
import { type Amendment, currentBefore, currentCommand, isBeforeMainAct, type Request } from "./request.ts";
import { firstCheckAfter } from "./run.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

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
  const { mode, planned, part, bulk, sealed } = request;
  const alone = part === null && bulk === null && planned === null;
  return idempotent === true && mode !== "none" && alone && sealed !== null && !isBeforeMainAct(request);
}

function undecidedOutcome(request: Request, words: string): string {
  return isBeforeMainAct(request)
    ? `The outcome of the backup stays unknown. ${words} ${untouched(request)} Look for the backup yourself: it may be billed.`
    : `The outcome stays unknown. ${words} Check the resource yourself before you ask again.`;
}

export function createReconcile(deps: {
  requests: RequestStore;
  run: RequestRun;
  registry: Registry;
  binder: Binder;
  /** Called when the outcome is known: the key may be erased. */
  onSettled: (request: Request) => Promise<void>;
  /** Milliseconds in which a reopened request can be pressed. */
  ttl: number;
  clock: Clock;
  log: Logger;
}): Reconcile {
  const { requests, run, registry, binder, onSettled, ttl, clock, log } = deps;
  /**
   * When this process first checked each request, by the monotonic clock: a time of day that is set forward must not shorten the wait for a
   * late effect. After a restart the wait starts over.
   */
  const firstLooks = new Map<string, number>();

  function hasWaited({ id, risk }: Request): boolean {
    return clock.monotonic() - (firstLooks.get(id) ?? clock.monotonic()) >= trustNotDoneAfter[risk];
  }

  async function close(request: Request, event: "refuse" | "giveUp", outcome: string): Promise<undefined> {
    const part = event === "refuse" ? retryIfInterrupted(request, clock.now()) : request.part;
    await step(requests, request, event, { outcome, looks: request.looks + 1, part });
  }

  async function notDone(request: Request, { idempotent }: PlatformOperation, found: string): Promise<undefined> {
    if (isBeforeMainAct(request))
      return close(request, "refuse", `The backup was not made: ${found} ${untouched(request)}`);
    const outcome = `It was not done: ${found}`;
    if (!idempotent || request.mode === "none")
      return close(request, "refuse", `${outcome} ${askAgainAdvice[request.risk]}`);
    await reopen(request, { outcome: `${outcome} ${pressAgain}`, unsettled: false }, outcome);
  }

  /** Opens the request again. An approval is good for one press, so all approvers decide anew. */
  async function reopen(request: Request, change: Amendment, said: string): Promise<void> {
    const expiresAt = clock.now() + ttl;
    await step(requests, request, "reopen", { expiresAt, looks: 0, ...change }, { said, lookAt: expiresAt });
  }

  async function undecided(
    request: Request,
    operation: PlatformOperation,
    words: string,
    { isLinked = true } = {},
  ): Promise<void> {
    if (isLinked && canBeSentAgain(request, operation)) {
      const outcome = `The outcome stays unknown. ${words}`;
      return reopen(
        request,
        { outcome: `${outcome} ${sendAgainAdvice}`, press: sendAgainLabel, unsettled: true },
        outcome,
      );
    }
    if (!isBeforeMainAct(request)) await run.offerInCase(request, operation);
    await close(request, "giveUp", undecidedOutcome(request, words));
  }

  /** `early`: it reads as not done, which only needs time, so that its checks never run out. */
  async function checkLater(
    request: Request,
    operation: PlatformOperation,
    words: string,
    { early = false } = {},
  ): Promise<number | undefined> {
    const all = request.risk === "change" ? checkPauses.slice(0, checksOfChange) : checkPauses;
    const next = all[request.looks + 1] ?? (early ? all.at(-1) : undefined);
    if (next === undefined) {
      await undecided(request, operation, words);
      return undefined;
    }
    await requests.amend(request, { looks: request.looks + 1 }, { silent: true });
    return clock.now() + next;
  }

  async function settle(request: Request, found: Reconciled, bound: BoundOperation): Promise<number | undefined> {
    if (found.is === "done") {
      const { handle = null, next = [] } = found;
      const answer = { text: `${leadOf(request, found)}: ${found.text}`, handle, next };
      await run.finish(request, bound, answer);
      return undefined;
    }
    const early = found.is === "not done" && !hasWaited(request);
    if (found.is === "not done" && !early) return notDone(request, bound.operation, found.text);
    return checkLater(request, bound.operation, found.text, { early });
  }

  async function read(request: Request, bound: BoundOperation): Promise<{ found: Reconciled } | { error: unknown }> {
    try {
      const act = await beginRequest(requests, request, bound, clock.now());
      return { found: await act.reconcile(currentBefore(request), request.decidedAt ?? request.createdAt) };
    } catch (error) {
      return { error };
    }
  }

  async function look(request: Request): Promise<number | undefined> {
    const operation = registry.find(currentCommand(request));
    if (!operation || operation.api === "app") {
      await close(
        request,
        "giveUp",
        "This version of Rackbell no longer has that command. Check the resource yourself.",
      );
      return undefined;
    }
    const bound = await binder.bindPinned(operation, request);
    if (!bound) {
      const words = "The key of this request is no longer linked.";
      await undecided(request, operation, words, { isLinked: false });
      return undefined;
    }
    const checked = await read(request, bound);
    // Outside of the `try` in `read`: a storage error here must not turn a known outcome back into an unknown one.
    if ("found" in checked) return settle(request, checked.found, bound);
    log.warn({ err: checked.error, request: request.id }, "A check of an unknown outcome failed");
    return checkLater(request, operation, await run.errorOf(request, bound, checked.error));
  }

  return {
    async wasDone(request, bound) {
      const checked = await read(request, bound);
      if (!("found" in checked) || checked.found.is !== "done") return false;
      await settle(request, checked.found, bound);
      await onSettled(request);
      return true;
    },
    async look(request) {
      if (request.looks === 0 || !firstLooks.has(request.id)) firstLooks.set(request.id, clock.monotonic());
      const next = await look(request);
      if (next !== undefined) return next;
      firstLooks.delete(request.id);
      await onSettled(request);
      return undefined;
    },
  };
}

function leadOf(request: Request, { stateAlone }: Reconciled): string {
  if (isBeforeMainAct(request)) return "The backup began after all";
  return stateAlone ? "As requested" : "It was done after all";
}

/** A target that a crash interrupted before it was done is begun again. Not if a late call would cost or destroy twice. */
function retryIfInterrupted({ part, risk }: Request, now: number): Request["part"] {
  return part?.interrupted && risk === "change" ? { ...part, again: now } : part;
}
