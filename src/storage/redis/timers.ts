import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { RunLost, StorageError } from "../errors.ts";
import type { LaneBacklog, Timers } from "../store.ts";
import { isLane, placeOf, untilSettled, usualAtOnce, wholeTime, withIdle } from "../timer.ts";
import type { Calls } from "./calls.ts";
import { createLane, type Lane } from "./lane.ts";
import { signLastsMs } from "./presence.ts";
import { ask, backlog as backlogOf, cancel, prove, waitingLanes } from "./scripts/timers.ts";

export interface OpeningTimers extends Timers {
  /** Call it once a timer is stored, to run it in time. */
  announce(lane: string, at: number): void;
  /** Starts no more runs and does not wait. */
  halt(): void;
}

/** The timers of one opening. */
export function createTimers(deps: { calls: Calls; clock: Clock; log: Logger; instance: string }): OpeningTimers {
  const { calls, clock, log, instance } = deps;
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

  async function backlog(): Promise<LaneBacklog[]> {
    const rows = await calls.readScript(backlogOf, clock.now());
    const found = rows.map(([lane, due, since, failing]) => ({
      lane,
      due,
      since: since === "" ? null : Number(since),
      failing,
    }));
    return withIdle(found, lanes.keys());
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
      for (const lane of await calls.readScript(waitingLanes)) reportUnhandled(lane);
    },
    async prove(run) {
      if (!(await calls.writeVolatile(prove, run.lane, run.id, run.run, instance, signLastsMs)))
        throw new RunLost(run.lane + run.id);
    },
    backlog,
    settled: (lane) => untilSettled(lane, backlog, async () => lanes.get(lane)?.idle()),
    async stop(but = []) {
      started &&= but.length > 0;
      const ending = [...lanes].flatMap(([prefix, lane]) => (but.includes(prefix) ? [] : [lane]));
      for (const lane of ending) lane.halt();
      for (const lane of ending) await lane.idle();
    },
  };
}
