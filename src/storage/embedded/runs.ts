import { RunLost } from "../errors.ts";
import type { RunToken } from "../store.ts";
import type { ClaimedTimer } from "../timer-backend.ts";
import type { TimerListener } from "../timers.ts";

/** A run of a timer in progress in one of the openings of a file. */
export interface Run {
  instance: string;
  /** Unique for each run. */
  token: string;
  /** The handler has ended, and its outcome was sent to the file: a time set from now on comes after it. */
  over: boolean;
  /** The earliest time whose write was in progress when the run began. The run may have read older data, so it runs once more then. */
  askedFor: number | undefined;
}

/** The runs in progress and the timers being set, shared by all openings of a file. */
export interface Runs {
  /** The runs of one lane, by id. */
  of(lane: string): Map<string, Run>;
  /** The ids of all runs in progress, with their lanes. */
  ids(): string[];
  /** Notes that a write of this timer is in progress. Call the returned function at its end. */
  asking(lane: string, id: string, at: number): () => void;
  /** Gives a timer that does not run to an opening. */
  claim(instance: string, timer: { lane: string; id: string; failures: number }): ClaimedTimer;
  /** Removes a run, unless its opening was given up and another one has the timer by now. */
  end(lane: string, id: string, run: Run): void;
  /** Notifies every opening that a timer of this lane is due at `at`. */
  announce(lane: string, at: number): void;
  /** Lets an opening start it. False if none can at once; then call `announce`. */
  offer(lane: string, id: string, failures: number): boolean;
  /** Registers an opening; the returned function removes it. */
  listen(instance: string, listener: TimerListener): () => void;
  /** Throws RunLost unless this run is in progress, in any opening. */
  prove(run: RunToken): void;
  /** Gives up the runs of a closed opening, so that they are due again. */
  giveUpOf(instance: string): void;
}

export function createRuns(): Runs {
  const lanes = new Map<string, Map<string, Run>>();
  const asking = new Map<string, Set<{ at: number }>>();
  const listeners = new Map<string, TimerListener>();
  let claims = 0;

  function announce(lane: string, at: number): void {
    for (const listener of listeners.values()) listener.expect(lane, at);
  }

  function of(lane: string): Map<string, Run> {
    const runs = lanes.get(lane) ?? new Map<string, Run>();
    lanes.set(lane, runs);
    return runs;
  }

  function askedFor(lane: string, id: string): number | undefined {
    const asked = asking.get(`${lane}${id}`);
    return asked && Math.min(...[...asked].map(({ at }) => at));
  }

  const claim: Runs["claim"] = (instance, { lane, id, failures }) => {
    claims += 1;
    const token = `${instance}:${claims}`;
    of(lane).set(id, { instance, token, over: false, askedFor: askedFor(lane, id) });
    return { id, failures, run: token };
  };

  return {
    of,
    claim,
    ids: () => [...lanes].flatMap(([lane, runs]) => [...runs.keys()].map((id) => `${lane}${id}`)),
    asking(lane, id, at) {
      const place = `${lane}${id}`;
      const asked = asking.get(place) ?? new Set();
      const one = { at };
      asking.set(place, asked.add(one));
      return () => {
        asked.delete(one);
        if (asked.size === 0) asking.delete(place);
      };
    },
    end(lane, id, run) {
      if (of(lane).get(id) === run) of(lane).delete(id);
    },
    announce,
    offer(lane, id, failures) {
      if (of(lane).has(id)) return false;
      const taker = listeners.entries().find(([, listener]) => listener.hasRoom(lane));
      if (!taker) return false;
      const [instance, listener] = taker;
      listener.begin(lane, claim(instance, { lane, id, failures }));
      return true;
    },
    listen(instance, listener) {
      listeners.set(instance, listener);
      return () => listeners.delete(instance);
    },
    prove({ lane, id, run }) {
      if (of(lane).get(id)?.token !== run) throw new RunLost(lane + id);
    },
    giveUpOf(instance) {
      for (const [lane, runs] of lanes) {
        for (const [id, run] of runs) if (run.instance === instance) runs.delete(id);
        announce(lane, Number.NEGATIVE_INFINITY);
      }
    },
  };
}
