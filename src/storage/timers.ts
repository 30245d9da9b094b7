import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { StorageError } from "./errors.ts";
import { createLane, type Lane } from "./lane.ts";
import type { LaneBacklog, Timers } from "./store.ts";
import { isLane, placeOf, untilSettled, usualAtOnce, wholeTime, withIdle } from "./timer.ts";
import type { ClaimedTimer, TimerBackend } from "./timer-backend.ts";

/** Callbacks of an opening for the timers of its backend. */
export interface TimerListener {
  /** A timer of this lane is due at `at`. */
  expect(lane: string, at: number): void;
  /** True if a timer of this lane that has just become due can begin without a look. */
  hasRoom(lane: string): boolean;
  begin(lane: string, timer: ClaimedTimer): void;
}

export interface OpeningTimers extends Timers {
  listener: TimerListener;
  /** Starts no more runs and does not wait. */
  halt(): void;
}

/** The timers of one opening, over those of its backend. */
export function createTimers(backend: TimerBackend, { clock, log }: { clock: Clock; log: Logger }): OpeningTimers {
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;
  let cancelLook = (): void => {};

  function expect(lane: string, at: number): void {
    lanes.get(lane)?.expect(at);
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these timers; they wait");
  }

  async function lookAtAll(): Promise<void> {
    for (const { lane, at } of await backend.waiting()) expect(lane, at);
  }

  function lookLater(): void {
    cancelLook();
    if (started) cancelLook = clock.after(backend.lookEveryMs, () => void lookAgain());
  }

  async function lookAgain(): Promise<void> {
    try {
      await lookAtAll();
    } catch (error) {
      log.error({ err: error }, "the store failed while Rackbell read its timers");
    }
    lookLater();
  }

  function end(ending: Iterable<Lane>): void {
    if (!started) cancelLook();
    for (const lane of ending) lane.halt();
  }

  const backlog = async (): Promise<LaneBacklog[]> => withIdle(await backend.backlog(), lanes.keys());

  return {
    listener: {
      expect,
      hasRoom: (lane) => lanes.get(lane)?.hasRoom() ?? false,
      begin: (lane, timer) => lanes.get(lane)?.begin(timer),
    },
    async set(id, at) {
      const place = placeOf(id);
      await backend.set(place.lane, place.id, wholeTime(at));
    },
    handle(prefix, run, { atOnce = usualAtOnce } = {}) {
      if (!isLane(prefix)) throw new StorageError(`"${prefix}" is no lane of timers: a lane is a word and a colon.`);
      if (lanes.has(prefix)) throw new StorageError(`The timers "${prefix}" have a handler already.`);
      const lane = createLane(prefix, { run, atOnce }, { backend, clock, log });
      lanes.set(prefix, lane);
      if (started) lane.start();
    },
    async start() {
      started = true;
      for (const lane of lanes.values()) lane.start();
      lookLater();
      await lookAtAll();
    },
    prove: backend.prove,
    backlog,
    settled: (lane) => untilSettled(lane, backlog, async () => lanes.get(lane)?.idle()),
    async stop(but = []) {
      started &&= but.length > 0;
      const ending = [...lanes].flatMap(([prefix, lane]) => (but.includes(prefix) ? [] : [lane]));
      end(ending);
      for (const lane of ending) await lane.idle();
    },
    halt() {
      started = false;
      end(lanes.values());
    },
  };
}
