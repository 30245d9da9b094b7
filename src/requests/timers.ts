import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { scanIndex } from "../storage/scan-index.ts";
import type { Store } from "../storage/store.ts";
import type { Reconcile, RequestRun } from "./app.ts";
import { reminderAt } from "./ask.ts";
import { expire } from "./find-for.ts";
import type { Request } from "./request.ts";
import { firstStepEnd, possibleSteps } from "./run.ts";
import { step } from "./step.ts";
import { claimedIndex, type RequestStore, requestTimer } from "./store.ts";

/** Milliseconds between searches for requests of dead processes. */
const recoverEvery = 3_000;

/** Runs the timers of requests: they expire, unknown outcomes are checked, and requests of dead processes are recovered. */
export function runRequestTimers(deps: {
  store: Store;
  requests: RequestStore;
  run: RequestRun;
  reconcile: Reconcile;
  clock: Clock;
  log: Logger;
}): { onTimer(wakeId: string): Promise<number | undefined>; start(): void; stop(): void } {
  const { store, requests, run, reconcile, clock, log } = deps;
  let callOff = () => {};
  let stopped = false;

  async function onTimer(wakeId: string): Promise<number | undefined> {
    const request = await requests.read(wakeId.slice(requestTimer.length));
    if (request?.state === "unknown") return reconcile.look(request);
    if (request && request.state !== "pending") return removeEndedSteps(request);
    if (!request) return undefined;
    if (clock.now() >= request.expiresAt) return void (await expire(requests, request));
    const remind = reminderAt(request);
    if (remind === null || request.remindedAt !== null) return request.expiresAt;
    if (clock.now() < remind) return remind;
    const reminded = await requests.amend(request, { remindedAt: clock.now() }, { lookAt: request.expiresAt });
    // Another change came first, and the timer of the expiry was not stored: look again.
    return reminded ? undefined : clock.now();
  }

  /** Removes next steps that are no longer possible. */
  async function removeEndedSteps(request: Request): Promise<number | undefined> {
    const now = clock.now();
    const next = possibleSteps(request.next, now);
    if (next.length < request.next.length && !(await requests.amend(request, { next }))) return clock.now();
    return firstStepEnd(next, now);
  }

  /** A claimed request that no process works on is checked for its outcome. It is never run again. */
  async function recover(request: Request): Promise<void> {
    if (run.isRunning(request.id)) return;
    const own = request.instance === store.instance;
    if (!own && request.instance !== null && (await store.alive(request.instance))) return;
    const outcome = "Rackbell was interrupted during this act. I am checking the outcome, and do not send it again.";
    // Nobody knows when the call was made, so the wait for a late effect starts over.
    const part = request.part && { ...request.part, interrupted: true };
    const now = clock.now();
    await step(requests, request, "loseAnswer", { outcome, attemptedAt: now, looks: 0, part }, { lookAt: now });
  }

  async function recoverAll(): Promise<void> {
    for await (const { member: id } of scanIndex(store.index(claimedIndex))) {
      const request = await requests.read(id);
      if (request?.state === "claimed") await recover(request);
    }
  }

  function keepRecovering(): void {
    recoverAll()
      .catch((error: unknown) => log.error({ err: error }, "Rackbell could not search for interrupted requests"))
      .finally(() => {
        if (!stopped) callOff = clock.after(recoverEvery, keepRecovering);
      });
  }

  return {
    onTimer,
    start: keepRecovering,
    stop() {
      stopped = true;
      callOff();
    },
  };
}
