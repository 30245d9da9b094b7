import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { scanIndex } from "../../storage/scan-all.ts";
import type { Store } from "../../storage/store.ts";
import { expire } from "./expire.ts";
import { lapseOf, standing } from "./lapse.ts";
import type { Reconcile } from "./reconcile.ts";
import { reminderAt } from "./reminder.ts";
import type { Request } from "./request.ts";
import type { RequestRun } from "./run.ts";
import { claimedIndex, type RequestStore, requestWake } from "./store.ts";

/** How often it is looked for what a process that died had in hand. */
const sweepEvery = 3_000;

/** What happens to requests by itself: they expire, unknown outcomes are looked at, and what a dead process had in hand is taken over. */
export function keepRequests(deps: {
  store: Store;
  requests: RequestStore;
  run: RequestRun;
  reconcile: Reconcile;
  clock: Clock;
  log: Logger;
}): { start(): void; stop(): void } {
  const { store, requests, run, reconcile, clock, log } = deps;
  let callOff = () => {};
  let stopped = false;

  store.wakeups.handle(requestWake, async (wakeId) => {
    const request = await requests.read(wakeId.slice(requestWake.length));
    if (request?.state === "unknown") return reconcile.look(request);
    if (request && request.state !== "pending") return lapse(request);
    if (!request) return;
    if (clock.now() >= request.expiresAt) return void (await expire(requests, request));
    const remind = reminderAt(request);
    if (remind === null || request.remindedAt !== null) return request.expiresAt;
    if (clock.now() < remind) return remind;
    await requests.advance(request, { remindedAt: clock.now() }, { lookAt: request.expiresAt });
  });

  /** What leads back no longer is taken away from what stands there. */
  async function lapse(request: Request): Promise<number | undefined> {
    const now = clock.now();
    const next = standing(request.next, now);
    if (next.length < request.next.length) await requests.advance(request, { next });
    return lapseOf(next, now);
  }

  /** It was taken in hand and not ended, and nobody works on it: what is really so is found out; nothing is run again. */
  async function recover(request: Request): Promise<void> {
    if (run.isRunning(request.id)) return;
    const own = request.instance === store.instance;
    if (!own && request.instance !== null && (await store.alive(request.instance))) return;
    const outcome =
      "Rackbell was interrupted in the middle of this. I am finding out what is really so; it is not run again.";
    const note = { what: "unknown", outcome };
    // The wait for a late write starts over: when the one attempt was made, nobody knows.
    const change = { state: "unknown", outcome, instance: null, attemptedAt: clock.now(), looks: 0 } as const;
    await requests.advance(request, change, { note, lookAt: clock.now() });
  }

  async function sweep(): Promise<void> {
    for await (const { member: id } of scanIndex(store.index(claimedIndex))) {
      const request = await requests.read(id);
      if (request?.state === "claimed") await recover(request);
    }
  }

  function keepSweeping(): void {
    sweep()
      .catch((error: unknown) => log.error({ err: error }, "What was left in hand could not be looked for"))
      .finally(() => {
        if (!stopped) callOff = clock.after(sweepEvery, keepSweeping);
      });
  }

  return {
    start: keepSweeping,
    stop() {
      stopped = true;
      callOff();
    },
  };
}
