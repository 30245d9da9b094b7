import type { Clock } from "../../clock.ts";
import { placeOf, wholeTime } from "../timer.ts";
import type { ClaimedTimer, TimerBackend } from "../timer-backend.ts";
import type { Calls } from "./calls.ts";
import type { Run, Runs } from "./runs.ts";
import { createSetBack } from "./set-back.ts";

/** A timer to be set in the file. `again`: its run is in progress. */
export interface TimerSetting {
  lane: string;
  id: string;
  at: number;
  again: boolean;
}

/** How often the timer has failed, if it will run at the given time; undefined if an earlier time is set. */
type FailureCount = number | undefined;

/**
 * The timers in the file. A claim is kept in this process alone: the row does not change before the run has ended, so that a run that
 * dies with the process is due again.
 */
export interface TimerFile extends TimerBackend {
  /**
   * Sets timers by `write`, which must call the file in the same turn, so that each `again` is still true. `write` resolves with the
   * results of `setTimer`, or with undefined if nothing was written. Then makes the timers run.
   */
  ask(
    wanted: readonly { id: string; at: number }[],
    write: (plans: TimerSetting[]) => Promise<FailureCount[] | undefined>,
  ): Promise<FailureCount[] | undefined>;
}

export function createTimerFile(deps: { calls: Calls; clock: Clock; runs: Runs; instance: string }): TimerFile {
  const { calls, clock, runs, instance } = deps;
  const keepUp = createSetBack(deps);

  function plan({ id, at }: { id: string; at: number }): TimerSetting {
    const place = placeOf(id);
    const run = runs.of(place.lane).get(place.id);
    return { ...place, at: wholeTime(at), again: run !== undefined && !run.over };
  }

  const ask: TimerFile["ask"] = async (wanted, write) => {
    const plans = wanted.map(plan);
    const ends = plans.map(({ lane, id, at }) => runs.asking(lane, id, at));
    const asked = await write(plans).finally(() => {
      for (const end of ends) end();
    });
    for (const [n, plan] of plans.entries()) if (asked) startOrAnnounce(plan, asked[n]);
    return asked;
  };

  function startOrAnnounce({ lane, id, at }: TimerSetting, failures: FailureCount): void {
    // A timer that is due now can start without another read.
    if (failures !== undefined && at <= clock.now() && runs.offer(lane, id, failures)) return;
    runs.announce(lane, at);
  }

  /**
   * Writes the end of a run, and announces the next time. The run is given up last, and also if the write fails: then its row is still due.
   */
  async function end(
    lane: string,
    { id, run: token }: ClaimedTimer,
    write: (run: Run) => Promise<number | undefined>,
  ): Promise<void> {
    const run = runs.of(lane).get(id);
    if (run?.token !== token) return;
    run.over = true;
    const next = await write(run).finally(() => runs.end(lane, id, run));
    if (next !== undefined) runs.announce(lane, next);
  }

  return {
    // An announcement is lost only with the thread, or if the time of day was set back.
    lookEveryMs: 60_000,
    // A full disk stays full for longer than a moment, and each try runs a handler again.
    pauseMs: 10_000,
    ask,
    async waiting() {
      await keepUp();
      return calls.read("timerLanes");
    },
    async set(lane, id, at) {
      await ask([{ id: lane + id, at }], (plans) =>
        Promise.all(
          plans.map((one) => calls.write(one.again ? "setTimerAgain" : "setTimer", one.lane, one.id, one.at)),
        ),
      );
    },
    async claimDue(lane, room) {
      await keepUp();
      const taken = runs.of(lane);
      const limit = room + taken.size;
      const { due, soonest } = await calls.read("dueTimers", lane, clock.now(), limit);
      // A timer that runs or has just run may still be in the answer: it leaves `taken` only after its row has changed.
      const free = due.filter(({ id }) => !taken.has(id));
      const claimed = free.slice(0, room).map(({ id, failures }) => runs.claim(instance, { lane, id, failures }));
      // Another opening may have taken some of the due timers, and there may be more.
      const more = free.length > room || due.length === limit;
      const nextAt = more ? Number.NEGATIVE_INFINITY : (soonest ?? Number.POSITIVE_INFINITY);
      return { claimed, nextAt };
    },
    async recover(lane, running) {
      for (const [id, run] of runs.of(lane))
        if (run.instance === instance && !running.includes(id)) runs.end(lane, id, run);
    },
    settle: (lane, timer, again) =>
      end(lane, timer, (run) => {
        const times = [run.askedFor, again].filter((time) => time !== undefined);
        if (times.length > 0) return calls.write("settleTimer", lane, timer.id, Math.min(...times));
        // Nobody waits for this write: if a crash loses it, the run repeats without effect.
        return calls.later("settleTimer", lane, timer.id, undefined);
      }),
    putOff: (lane, timer, at) => end(lane, timer, () => calls.write("putOffTimer", lane, timer.id, at)),
    prove: async (run) => runs.prove(run),
    backlog: () => calls.read("timerBacklog", clock.now(), runs.ids()),
  };
}
