import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { LaneBacklog, Timers } from "../store.ts";
import { isLane, placeOf, untilSettled, usualAtOnce, wholeTime, withIdle } from "../timer.ts";
import type { Calls } from "./calls.ts";
import { createLane, type Lane } from "./lane.ts";
import type { Runs } from "./runs.ts";
import { createSetBack } from "./set-back.ts";

/** Milliseconds between looks at all lanes. */
const lookEveryMs = 60_000;

/** A timer to be set in the file. `again`: its run is in progress. */
export interface TimerSetting {
  lane: string;
  id: string;
  at: number;
  again: boolean;
}

/** How often the timer has failed, if it will run at the given time; undefined if an earlier time is set. */
type FailureCount = number | undefined;

export interface OpeningTimers extends Timers {
  /**
   * Sets timers by `write`, which must call the file in the same turn, so that each `again` is still true. `write` resolves with the
   * results of `askForWakeup`, or with undefined if nothing was written. Then makes the timers run.
   */
  ask(
    wanted: readonly { id: string; at: number }[],
    write: (plans: TimerSetting[]) => Promise<FailureCount[] | undefined>,
  ): Promise<FailureCount[] | undefined>;
  /** Starts no more runs and does not wait. */
  halt(): void;
}

/** The timers of one opening. */
export function createTimers(deps: {
  calls: Calls;
  clock: Clock;
  log: Logger;
  runs: Runs;
  instance: string;
}): OpeningTimers {
  const { calls, clock, log, runs } = deps;
  const keepUp = createSetBack(deps);
  const lanes = new Map<string, Lane>();
  const unhandled = new Set<string>();
  let started = false;
  let cancelLook = (): void => {};
  const endListening = runs.listen({
    expect: (lane, at) => lanes.get(lane)?.expect(at),
    begin: (lane, id, failures) => lanes.get(lane)?.begin(id, failures) ?? false,
  });

  function reportUnhandled(lane: string): void {
    if (!started || lanes.has(lane) || unhandled.has(lane)) return;
    unhandled.add(lane);
    log.warn({ lane }, "nothing in this version of Rackbell handles these wake-ups; they wait");
  }

  function plan(id: string, at: number): TimerSetting {
    const place = placeOf(id);
    reportUnhandled(place.lane);
    const run = runs.of(place.lane).get(place.id);
    return { ...place, at: wholeTime(at), again: run !== undefined && !run.over };
  }

  const ask: OpeningTimers["ask"] = async (wanted, write) => {
    const plans = wanted.map(({ id, at }) => plan(id, at));
    const ends = plans.map(({ lane, id, at }) => runs.asking(lane, id, at));
    const asked = await write(plans).catch((error: unknown) => {
      for (const end of ends) end();
      throw error;
    });
    const stand = ends.map((end) => end());
    for (const [n, plan] of plans.entries()) if (asked) startOrAnnounce(plan, stand[n] ? asked[n] : undefined);
    return asked;
  };

  function startOrAnnounce({ lane, id, at }: TimerSetting, failures: FailureCount): void {
    // A timer that is due now can start without another read.
    if (failures !== undefined && at <= clock.now() && runs.begin(lane, id, failures)) return;
    runs.announce(lane, at);
  }

  /**
   * Finds the timers that no lane expects: the answer to their write was lost with the thread, or the time of day was set back and they
   * were moved.
   */
  async function lookAtAll(): Promise<void> {
    try {
      await keepUp();
      for (const { lane, at } of await calls.read("wakeupLanes")) lanes.get(lane)?.expect(at);
    } catch (error) {
      log.error({ err: error }, "the store failed while its wake-ups were looked at");
    }
    lookLater();
  }

  function lookLater(): void {
    cancelLook();
    if (started) cancelLook = clock.after(lookEveryMs, () => void lookAtAll());
  }

  function halt(): void {
    started = false;
    cancelLook();
    for (const lane of lanes.values()) lane.halt();
  }

  async function backlog(): Promise<LaneBacklog[]> {
    return withIdle(await calls.read("wakeupBacklog", clock.now(), runs.ids()), lanes.keys());
  }

  return {
    ask,
    async wake(id, at) {
      await ask([{ id, at }], (plans) =>
        Promise.all(
          plans.map((one) => calls.write(one.again ? "askForWakeupAgain" : "askForWakeup", one.lane, one.id, one.at)),
        ),
      );
    },
    async cancel(id) {
      const place = placeOf(id);
      runs.forget(place.lane, place.id);
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
      lookLater();
      for (const { lane } of await calls.read("wakeupLanes")) reportUnhandled(lane);
    },
    prove: async (run) => runs.prove(run),
    backlog,
    settled: (lane) => untilSettled(lane, backlog, async () => lanes.get(lane)?.idle()),
    async stop(but = []) {
      started &&= but.length > 0;
      if (!started) cancelLook();
      const ending = [...lanes].flatMap(([prefix, lane]) => (but.includes(prefix) ? [] : [lane]));
      for (const lane of ending) lane.halt();
      for (const lane of ending) await lane.idle();
    },
    halt() {
      endListening();
      halt();
    },
  };
}
