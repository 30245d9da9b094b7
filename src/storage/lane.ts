import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { createAlarm } from "./alarm.ts";
import type { TimerHandler } from "./store.ts";
import { attempt } from "./timer.ts";
import type { ClaimedTimer, TimerBackend } from "./timer-backend.ts";

/** The timers of one lane in one opening: claims due ones and runs them. */
export interface Lane {
  start(): void;
  /** Ensures a look for due timers at `at`. */
  expect(at: number): void;
  /** True if a timer that has just become due can begin without a look. */
  hasRoom(): boolean;
  begin(timer: ClaimedTimer): void;
  /** Starts no more runs. Outcomes that the store does not accept from now on are left to other openings. */
  halt(): void;
  /** Resolves when no run is in progress and none can begin. */
  idle(): Promise<void>;
}

export function createLane(
  prefix: string,
  handler: { run: TimerHandler; atOnce: number },
  deps: { backend: TimerBackend; clock: Clock; log: Logger },
): Lane {
  const { backend, clock, log } = deps;
  const busy = new Map<string, Promise<void>>();
  let started = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  /** There was no room, so the next run to end must look again. */
  let waiting = false;
  /** The store may have given timers to this opening without its knowledge: an answer was lost, or runs ended after a halt. */
  let unsure = true;
  /** By the monotonic clock: with the time of day set back, the lane would stand still until the old time returns. */
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(clock, () => void look());

  async function look(): Promise<void> {
    if (!started) return;
    const paused = pausedUntil - clock.monotonic();
    if (paused > 0) return alarm.set(clock.now() + paused);
    // One look at a time, and another if a timer was set meanwhile, since the answer may be older.
    lookAgain = looking !== undefined;
    if (looking) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    looking = promise;
    try {
      do {
        lookAgain = false;
        // Until the answer is there the next time is unknown, so `expect` must cause another look.
        alarm.off();
        await beginDue();
      } while (lookAgain && started);
    } catch (error) {
      pause(error);
    } finally {
      looking = undefined;
      resolve();
    }
  }

  async function beginDue(): Promise<void> {
    if (unsure) await recover();
    waiting = isFull();
    if (waiting) return;
    unsure = true;
    const { claimed, nextAt } = await backend.claimDue(prefix, handler.atOnce - busy.size);
    if (!started) return recover();
    unsure = false;
    for (const timer of claimed) begin(timer);
    waiting = isFull();
    if (waiting) return;
    if (nextAt <= clock.now()) lookAgain = true;
    else alarm.set(nextAt);
  }

  async function recover(): Promise<void> {
    await backend.recover(prefix, [...busy.keys()]);
    unsure = false;
  }

  function isFull(): boolean {
    return busy.size >= handler.atOnce;
  }

  function begin(timer: ClaimedTimer): void {
    // The other openings thought this one dead while its run was still in progress: start the new run after it.
    const before = busy.get(timer.id) ?? Promise.resolve();
    const done: Promise<void> = before
      .then(() => carryOut(timer))
      .catch(pause)
      .then(() => {
        if (busy.get(timer.id) === done) busy.delete(timer.id);
        if (waiting) void look();
      });
    busy.set(timer.id, done);
  }

  async function carryOut(timer: ClaimedTimer): Promise<void> {
    const token = { lane: prefix, id: timer.id, run: timer.run };
    const outcome = await attempt({ token, failures: timer.failures }, handler.run, { clock, log });
    const goesOn = (): boolean => started;
    if ("retryAt" in outcome) await backend.putOff(prefix, timer, outcome.retryAt, goesOn);
    else await backend.settle(prefix, timer, outcome.again, goesOn);
  }

  function pause(error: unknown): void {
    if (!started) return;
    log.error({ err: error, lane: prefix }, "timers pause because the store failed");
    pausedUntil = clock.monotonic() + backend.pauseMs;
    alarm.set(clock.now() + backend.pauseMs);
  }

  return {
    start() {
      started = true;
      unsure = true;
      void look();
    },
    expect(at) {
      if (!started || alarm.ringsBy(at)) return;
      if (looking || at <= clock.now()) void look();
      else alarm.set(at);
    },
    // During a look the room is reserved for the timers that it finds.
    hasRoom: () => started && !looking && clock.monotonic() >= pausedUntil && !isFull(),
    begin,
    halt() {
      started = false;
      alarm.off();
    },
    async idle() {
      while (looking || busy.size > 0) await Promise.all([looking, ...busy.values()]);
    },
  };
}
