import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Wakeups } from "../store.ts";
import { isLane, placeOf, usualAtOnce, wholeTime, withIdle } from "../wakeup.ts";
import type { Calls } from "./calls.ts";
import { createLane, type Lane } from "./lane.ts";
import type { Runs } from "./runs.ts";
import { createSetBack } from "./set-back.ts";

/** What is asked of the file for a wake-up; `again` for one whose run is under way. */
export interface Plan {
  lane: string;
  id: string;
  at: number;
  again: boolean;
}

export interface OpeningWakeups extends Wakeups {
  /** Has `write` ask the file for these in the same turn, so that the plans are still true of their runs, and announces them where it has `written` them. */
  ask<T>(
    wanted: { id: string; at: number }[],
    write: (plans: Plan[]) => Promise<T>,
    written: (result: T) => boolean,
  ): Promise<T>;
  /** Starts nothing more and waits for nothing. */
  halt(): void;
}

/** The wake-ups as one opening sees them. */
export function createWakeups(deps: {
  calls: Calls;
  clock: Clock;
  log: Logger;
  runs: Runs;
  instance: string;
}): OpeningWakeups {
  const { calls, clock, log, runs } = deps;
  const keepUp = createSetBack(deps);
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;
  const endListening = runs.listen((lane, at) => lanes.get(lane)?.expect(at));

  function reportUnhandled(lane: string): void {
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these wake-ups; they wait");
  }

  function plan(id: string, at: number): Plan {
    const place = placeOf(id);
    reportUnhandled(place.lane);
    const run = runs.of(place.lane).get(place.id);
    return { ...place, at: wholeTime(at), again: run !== undefined && !run.over };
  }

  const ask: OpeningWakeups["ask"] = async (wanted, write, written) => {
    const plans = wanted.map(({ id, at }) => plan(id, at));
    const ends = plans.map(({ lane, id, at }) => runs.asking(lane, id, at));
    try {
      const result = await write(plans);
      if (written(result)) for (const { lane, at } of plans) runs.announce(lane, at);
      return result;
    } finally {
      for (const end of ends) end();
    }
  };

  function halt(): void {
    started = false;
    for (const lane of lanes.values()) lane.halt();
  }

  return {
    ask,
    async wake(id, at) {
      const write = async (plans: Plan[]) => {
        for (const { again, ...one } of plans)
          await calls.write(again ? "askForWakeupAgain" : "askForWakeup", one.lane, one.id, one.at);
      };
      await ask([{ id, at }], write, () => true);
    },
    async cancel(id) {
      const place = placeOf(id);
      await calls.write("forgetWakeup", place.lane, place.id);
    },
    handle(prefix, run, { atOnce = usualAtOnce } = {}) {
      if (!isLane(prefix)) throw new StorageError(`"${prefix}" is no lane of wake-ups: a word and a colon are.`);
      if (lanes.has(prefix)) throw new StorageError(`The wake-ups "${prefix}" have a handler already.`);
      const lane = createLane(prefix, { run, atOnce }, { ...deps, keepUp });
      lanes.set(prefix, lane);
      if (started) lane.start();
    },
    async start() {
      started = true;
      for (const lane of lanes.values()) lane.start();
      for (const lane of await calls.read("wakeupLanes")) reportUnhandled(lane);
    },
    backlog: async () => withIdle(await calls.read("wakeupBacklog", clock.now(), runs.ids()), lanes.keys()),
    async stop() {
      halt();
      for (const lane of lanes.values()) await lane.idle();
    },
    halt() {
      endListening();
      halt();
    },
  };
}
