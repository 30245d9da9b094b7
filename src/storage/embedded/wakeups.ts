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

/** How often one that runs next has failed; undefined where another time of it comes first. */
type Asked = number | undefined;

export interface OpeningWakeups extends Wakeups {
  /**
   * Has `write` ask the file for these in the same turn, so that the plans are still true of their runs, and sees to it that they run
   * where it has written them: it answers with what `askForWakeup` does of each, or undefined where nothing was written.
   */
  ask(
    wanted: { id: string; at: number }[],
    write: (plans: Plan[]) => Promise<Asked[] | undefined>,
  ): Promise<Asked[] | undefined>;
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
  const endListening = runs.listen({
    expect: (lane, at) => lanes.get(lane)?.expect(at),
    begin: (lane, id, failures) => lanes.get(lane)?.begin(id, failures) ?? false,
  });

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

  const ask: OpeningWakeups["ask"] = async (wanted, write) => {
    const plans = wanted.map(({ id, at }) => plan(id, at));
    const ends = plans.map(({ lane, id, at }) => runs.asking(lane, id, at));
    const asked = await write(plans).catch((error: unknown) => {
      for (const end of ends) end();
      throw error;
    });
    const stand = ends.map((end) => end());
    for (const [n, plan] of plans.entries()) if (asked) tell(plan, stand[n] ? asked[n] : undefined);
    return asked;
  };

  function tell({ lane, id, at }: Plan, failures: Asked): void {
    // What is due now needs no look at what is.
    if (failures !== undefined && at <= clock.now() && runs.begin(lane, id, failures)) return;
    runs.announce(lane, at);
  }

  function halt(): void {
    started = false;
    for (const lane of lanes.values()) lane.halt();
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
