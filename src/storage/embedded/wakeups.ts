import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Wakeups } from "../store.ts";
import { checkText } from "../values.ts";
import type { Calls } from "./calls.ts";
import { createLane, type Lane } from "./lane.ts";
import { wholeTime } from "./lane-run.ts";
import type { Runs } from "./runs.ts";

const usualAtOnce = 16;

/** The wake-ups as one opening sees them. `halt` starts nothing more and waits for nothing. */
export function createWakeups(deps: {
  calls: Calls;
  clock: Clock;
  log: Logger;
  runs: Runs;
  instance: string;
}): Wakeups & { halt(): void } {
  const { calls, log, runs } = deps;
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;
  const endListening = runs.listen((lane, at) => lanes.get(lane)?.expect(at));

  function reportUnhandled(lane: string): void {
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these wake-ups; they wait");
  }

  function halt(): void {
    started = false;
    for (const lane of lanes.values()) lane.halt();
  }

  return {
    async wake(id, at) {
      const place = placeOf(id);
      const time = wholeTime(at);
      reportUnhandled(place.lane);
      const run = runs.of(place.lane).get(place.id);
      const method = run && !run.over ? "askForWakeupAgain" : "askForWakeup";
      await calls.write(method, place.lane, place.id, time);
      runs.announce(place.lane, time);
    },
    async cancel(id) {
      const place = placeOf(id);
      await calls.write("forgetWakeup", place.lane, place.id);
    },
    handle(prefix, run, { atOnce = usualAtOnce } = {}) {
      if (!/^[^:]+:$/.test(prefix))
        throw new StorageError(`"${prefix}" is no lane of wake-ups: a word and a colon are.`);
      if (lanes.has(prefix)) throw new StorageError(`The wake-ups "${prefix}" have a handler already.`);
      const lane = createLane(prefix, { run, atOnce }, deps);
      lanes.set(prefix, lane);
      if (started) lane.start();
    },
    async start() {
      started = true;
      for (const lane of lanes.values()) lane.start();
      for (const lane of await calls.read("wakeupLanes")) reportUnhandled(lane);
    },
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

function placeOf(id: string): { lane: string; id: string } {
  const end = checkText(id).indexOf(":") + 1;
  if (end < 2) throw new TypeError("A wake-up's id begins with its lane, a word and a colon.");
  return { lane: id.slice(0, end), id: id.slice(end) };
}
