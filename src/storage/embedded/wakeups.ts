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
interface Plan {
  lane: string;
  id: string;
  at: number;
  again: boolean;
}

export interface OpeningWakeups extends Wakeups {
  /** To be asked of the file in the same turn, so that it is still true of the run; and announced when it is on disk. */
  plan(id: string, at: number): Plan;
  announce(plan: Plan): void;
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

  function announce({ lane, at }: Plan): void {
    runs.announce(lane, at);
  }

  function halt(): void {
    started = false;
    for (const lane of lanes.values()) lane.halt();
  }

  return {
    plan,
    announce,
    async wake(id, at) {
      const planned = plan(id, at);
      const method = planned.again ? "askForWakeupAgain" : "askForWakeup";
      await calls.write(method, planned.lane, planned.id, planned.at);
      announce(planned);
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
