import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Reconciled } from "../../operation/answer.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import { beginRequest } from "./begin.ts";
import { beforeInHand, commandInHand, isBeforeAct, type Request } from "./request.ts";
import { firstLook, type RequestRun } from "./run.ts";
import type { RequestStore } from "./store.ts";
import { untouched } from "./untouched.ts";

/** Milliseconds to the next look at an unknown outcome: growing, for ten minutes. */
const looks = [firstLook, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000];
/** What costs and destroys nothing is not worth ten minutes of looks. */
const looksAtChange = 6;
/**
 * A write may take effect late. "Not done" is believed this long after the attempt ended: far longer than a call may take, and minutes
 * where money or data is at stake.
 */
const believeAfter = { change: 45_000, spend: 4 * 60_000, destroy: 4 * 60_000 };

/** What is said of asking again. A late write would be a second one: where that costs or destroys, it is not called safe. */
const lookFirst = "Nothing changed so far. Look once more before you ask again: what was sent may still arrive.";
const pressAgain = "Press again if it is still wanted: it goes out as the same one, so that it cannot be done twice.";
const again = {
  change: "Nothing changed, and it is safe to ask again.",
  spend: lookFirst,
  destroy: lookFirst,
};

function undecidedWords(request: Request, words: string): string {
  return isBeforeAct(request)
    ? `It could not be found out whether the copy was taken. ${words} ${untouched(request)} Look for the copy yourself: it may be billed.`
    : `It could not be found out whether it was done. ${words} Look at it yourself before you ask again.`;
}

/** Finds out what became of a request whose outcome nobody knows: it looks, and never runs anything again. */
export interface Reconcile {
  /** One more look. When to look next (milliseconds since the epoch), or nothing when it is settled. */
  look(request: Request): Promise<number | undefined>;
}

export function createReconcile(deps: {
  requests: RequestStore;
  run: RequestRun;
  registry: Registry;
  binder: Binder;
  /** The key is no longer needed for anything that was unclear. */
  onSettled: (request: Request) => Promise<void>;
  /** Milliseconds that what was not done can be pressed again. */
  ttl: number;
  clock: Clock;
  log: Logger;
}): Reconcile {
  const { requests, run, registry, binder, onSettled, ttl, clock, log } = deps;

  async function close(request: Request, state: "refused" | "undecided", outcome: string): Promise<undefined> {
    const change = { state, outcome, sealed: null, looks: request.looks + 1 };
    await requests.advance(request, change, { note: { what: "reconciled" } });
  }

  async function notDone(request: Request, { idempotent }: PlatformOperation, found: string): Promise<undefined> {
    if (isBeforeAct(request))
      return close(request, "refused", `The copy was not taken: ${found} ${untouched(request)}`);
    const outcome = `It was not done: ${found}`;
    if (!idempotent || request.mode === "none") return close(request, "refused", `${outcome} ${again[request.risk]}`);
    const open = {
      state: "pending",
      expiresAt: clock.now() + ttl,
      decidedBy: null,
      decidedAt: null,
      looks: 0,
    } as const;
    const along = { note: { what: "reconciled", outcome }, lookAt: open.expiresAt };
    await requests.advance(request, { ...open, outcome: `${outcome} ${pressAgain}` }, along);
  }

  async function undecided(request: Request, operation: PlatformOperation, words: string): Promise<void> {
    if (!isBeforeAct(request)) await run.offerInCase(request, operation);
    await close(request, "undecided", undecidedWords(request, words));
  }

  async function lookLater(request: Request, operation: PlatformOperation, words: string): Promise<number | undefined> {
    const all = request.risk === "change" ? looks.slice(0, looksAtChange) : looks;
    const next = all[request.looks + 1];
    if (next === undefined) {
      await undecided(request, operation, words);
      return undefined;
    }
    await requests.advance(request, { looks: request.looks + 1 }, { silent: true });
    return clock.now() + next;
  }

  async function settle(request: Request, found: Reconciled, bound: BoundOperation): Promise<number | undefined> {
    if (found.is === "done") {
      const { handle = null, next = [] } = found;
      const lead = isBeforeAct(request) ? "The copy was begun after all" : "It was done after all";
      const answer = { text: `${lead}: ${found.text}`, handle, next };
      await run.finish(request, bound, answer, "reconciled");
      return undefined;
    }
    if (found.is === "not done" && hasWaited(request, clock.now()))
      return notDone(request, bound.operation, found.text);
    return lookLater(request, bound.operation, found.text);
  }

  async function read(request: Request, bound: BoundOperation): Promise<{ found: Reconciled } | { error: unknown }> {
    try {
      const act = await beginRequest(requests, request, bound, clock.now());
      return { found: await act.reconcile(beforeInHand(request), request.decidedAt ?? request.createdAt) };
    } catch (error) {
      return { error };
    }
  }

  async function look(request: Request): Promise<number | undefined> {
    const operation = registry.find(commandInHand(request));
    if (!operation || operation.api === "app") {
      await close(request, "undecided", "This version of Rackbell no longer has that command. Look at it yourself.");
      return undefined;
    }
    const bound = await binder.bindPinned(operation, request);
    if (!bound) {
      await undecided(request, operation, "The key that it was asked with is no longer linked.");
      return undefined;
    }
    const looked = await read(request, bound);
    // Outside of what is caught: a failure to keep it must not turn what is settled back into a doubt.
    if ("found" in looked) return settle(request, looked.found, bound);
    log.warn({ err: looked.error, request: request.id }, "A look at an unknown outcome failed");
    return lookLater(request, operation, await run.errorOf(request, bound, looked.error));
  }

  return {
    async look(request) {
      const next = await look(request);
      if (next === undefined) await onSettled(request);
      return next;
    },
  };
}

/** By the time of day, which goes on while nobody looks, or by the looks, where that was set back. */
function hasWaited({ attemptedAt, createdAt, looks: before, risk }: Request, now: number): boolean {
  const looked = looks.slice(0, before + 1).reduce((sum, pause) => sum + pause, 0);
  return Math.max(now - (attemptedAt ?? createdAt), looked - firstLook) >= believeAfter[risk];
}
