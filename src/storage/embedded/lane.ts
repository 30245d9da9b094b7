import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { createAlarm } from "../alarm.ts";
import type { TimerHandler } from "../store.ts";
import type { Calls } from "./calls.ts";
import { carryOut } from "./lane-run.ts";
import type { Run, Runs } from "./runs.ts";

/** Milliseconds that a lane pauses after the disk has failed. */
const pauseMs = 10_000;

/** The timers of one lane in one opening: finds due ones and runs them. */
export interface Lane {
  start(): void;
  /** Ensures a look for due timers at `at`. */
  expect(at: number): void;
  /** Starts a timer that has just become due. False if there is no room, so that a look must find it. */
  begin(id: string, failures: number): boolean;
  /** Starts no more runs. */
  halt(): void;
  /** Resolves when no run is in progress. */
  idle(): Promise<void>;
}

export function createLane(
  prefix: string,
  handler: { run: TimerHandler; atOnce: number },
  deps: { calls: Calls; clock: Clock; log: Logger; runs: Runs; instance: string; keepUp: () => Promise<void> },
): Lane {
  const { calls, clock, log, runs, instance, keepUp } = deps;
  const shared = runs.of(prefix);
  const busy = new Set<Promise<void>>();
  let claims = 0;
  let started = false;
  let looking = false;
  let lookAgain = false;
  /** There was no room, so the next run to end must look again. */
  let waiting = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(clock, () => void look());

  async function look(): Promise<void> {
    if (!started) return;
    if (clock.now() < pausedUntil) return alarm.set(pausedUntil);
    // One read at a time, and another if a timer was set meanwhile, since the answer may be older.
    lookAgain = looking;
    if (looking) return;
    looking = true;
    try {
      do {
        lookAgain = false;
        // Until the answer is there the next time is unknown, so `expect` must cause another look.
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
    // A timer that runs or has just run may still be in the answer: it leaves `shared` only after its row has changed.
    for (const { id, failures } of due) if (!shared.has(id) && busy.size < handler.atOnce) begin(id, failures);
    // Another opening may have started some of these, and there may be more.
    if (due.length === limit && !isFull()) lookAgain = true;
    alarm.set(soonest ?? Number.POSITIVE_INFINITY);
  }

  function isFull(): boolean {
    waiting = busy.size >= handler.atOnce;
    return waiting;
  }

  function begin(id: string, failures: number): void {
    claims += 1;
    const run: Run = { instance, token: `${instance}:${claims}`, over: false, askedFor: runs.askedFor(prefix, id) };
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
      // During a look the room is reserved for the timers that it finds.
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
