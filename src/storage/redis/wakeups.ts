import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Wakeups } from "../store.ts";
import { isLane, placeOf, usualAtOnce, wholeTime, withIdle } from "../wakeup.ts";
import type { Calls } from "./calls.ts";
import { createLane, type Lane } from "./lane.ts";
import { ask, backlog, cancel, waitingLanes } from "./scripts/wakeups.ts";

export interface OpeningWakeups extends Wakeups {
  /** To be called when what was asked for is kept. */
  announce(lane: string, at: number): void;
  /** Starts nothing more and waits for nothing. */
  halt(): void;
}

/** The wake-ups as one opening sees them. */
export function createWakeups(deps: { calls: Calls; clock: Clock; log: Logger; instance: string }): OpeningWakeups {
  const { calls, clock, log } = deps;
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;

  function reportUnhandled(lane: string): void {
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these wake-ups; they wait");
  }

  function announce(lane: string, at: number): void {
    reportUnhandled(lane);
    lanes.get(lane)?.expect(at);
  }

  function halt(): void {
    started = false;
    for (const lane of lanes.values()) lane.halt();
  }

  return {
    announce,
    halt,
    async wake(id, at) {
      const place = placeOf(id);
      const time = wholeTime(at);
      await calls.write(ask, place.lane, place.id, time);
      announce(place.lane, time);
    },
    async cancel(id) {
      const place = placeOf(id);
      await calls.write(cancel, place.lane, place.id);
    },
    handle(prefix, run, { atOnce = usualAtOnce } = {}) {
      if (!isLane(prefix)) throw new StorageError(`"${prefix}" is no lane of wake-ups: a word and a colon are.`);
      if (lanes.has(prefix)) throw new StorageError(`The wake-ups "${prefix}" have a handler already.`);
      const lane = createLane(prefix, { run, atOnce }, deps);
      lanes.set(prefix, lane);
      if (started) lane.start();
    },
    async start() {
      started = true;
      for (const lane of lanes.values()) lane.start();
      for (const lane of await calls.ask(waitingLanes)) reportUnhandled(lane);
    },
    async backlog() {
      const rows = await calls.ask(backlog, clock.now());
      const found = rows.map(([lane, due, since, failing]) => ({
        lane,
        due,
        since: since === "" ? null : Number(since),
        failing,
      }));
      return withIdle(found, lanes.keys());
    },
    async stop() {
      halt();
      for (const lane of lanes.values()) await lane.idle();
    },
  };
}
