import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createAlarm } from "../alarm.ts";
import type { WakeupRun } from "../store.ts";
import type { Calls } from "./calls.ts";
import { carryOut } from "./lane-run.ts";
import type { Run, Runs } from "./runs.ts";

/** How long nothing of a lane runs after the disk has failed. */
const pauseMs = 10_000;

/** One kind of wake-up in one opening: looks for what is due, and runs it. */
export interface Lane {
  start(): void;
  /** Something is due at `at`: it is looked for then. */
  expect(at: number): void;
  /** Runs one that is due by now, and was not a moment ago. True if it is begun; else it is to be looked for. */
  begin(id: string, failures: number): boolean;
  /** Starts nothing more. */
  halt(): void;
  /** Resolves when no run is in progress. */
  idle(): Promise<void>;
}

export function createLane(
  prefix: string,
  handler: { run: WakeupRun; atOnce: number },
  deps: { calls: Calls; clock: Clock; log: Logger; runs: Runs; instance: string; keepUp: () => Promise<void> },
): Lane {
  const { calls, clock, log, runs, instance, keepUp } = deps;
  const shared = runs.of(prefix);
  const busy = new Set<Promise<void>>();
  let started = false;
  let looking = false;
  let lookAgain = false;
  /** There was no room for more: the next run to end looks again. */
  let waiting = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(clock, () => void look());

  async function look(): Promise<void> {
    if (!started) return;
    if (clock.now() < pausedUntil) return alarm.set(pausedUntil);
    // One look at a time, and one more for whatever came meanwhile: the answer may be from before it.
    lookAgain = looking;
    if (looking) return;
    looking = true;
    try {
      do {
        lookAgain = false;
        // What comes next is not known until the answer is there: whatever is expected meanwhile is looked for.
        alarm.off();
        await beginDue();
      } while (lookAgain);
    } catch (error) {
      pause(error);
    } finally {
      looking = false;
    }
  }

  async function beginDue(): Promise<void> {
    if (isFull()) return;
    await keepUp();
    const limit = handler.atOnce - busy.size + shared.size;
    const { due, soonest } = await calls.read("dueWakeups", prefix, clock.now(), limit);
    if (!started) return;
    // What runs or has just run is still in the answer: it is taken off `shared` only after its row has changed.
    for (const { id, failures } of due) if (!shared.has(id) && busy.size < handler.atOnce) begin(id, failures);
    // Others may have begun what this answer was made of, and there may be more.
    if (due.length === limit && !isFull()) lookAgain = true;
    alarm.set(soonest ?? Number.POSITIVE_INFINITY);
  }

  function isFull(): boolean {
    waiting = busy.size >= handler.atOnce;
    return waiting;
  }

  function begin(id: string, failures: number): void {
    const run: Run = { instance, over: false, askedFor: runs.askedFor(prefix, id) };
    shared.set(id, run);
    const done = carryOut({ lane: prefix, id, failures }, handler.run, run, deps)
      .finally(() => runs.end(prefix, id, run))
      .then((next) => next !== undefined && runs.announce(prefix, next), pause)
      .then(() => {
        busy.delete(done);
        if (waiting) void look();
      });
    busy.add(done);
  }

  function pause(error: unknown): void {
    if (!started) return;
    log.error({ err: error, lane: prefix }, "wake-ups pause because the store failed");
    pausedUntil = clock.now() + pauseMs;
    alarm.set(pausedUntil);
  }

  return {
    start() {
      started = true;
      void look();
    },
    expect(at) {
      if (!started || alarm.ringsBy(at)) return;
      if (looking || at <= clock.now()) void look();
      else alarm.set(at);
    },
    begin(id, failures) {
      // While a look is under way, the room is for what it finds.
      const free = started && !looking && clock.now() >= pausedUntil && !shared.has(id) && busy.size < handler.atOnce;
      if (free) begin(id, failures);
      return free;
    },
    halt() {
      started = false;
      alarm.off();
    },
    async idle() {
      while (busy.size > 0) await Promise.all(busy);
    },
  };
}
