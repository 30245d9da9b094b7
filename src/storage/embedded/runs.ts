import { RunLost } from "../errors.ts";
import type { RunToken } from "../store.ts";

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

/** Callbacks of an opening for its timers. */
export interface RunsListener {
  /** A timer of this lane is due at `at`. */
  expect(lane: string, at: number): void;
  /** This timer is due now. True if the opening has started it. */
  begin(lane: string, id: string, failures: number): boolean;
}

/** The runs in progress and the timers being set, shared by all openings of a file. */
export interface Runs {
  /** The runs of one lane, by id. */
  of(lane: string): Map<string, Run>;
  /** The ids of all runs in progress, with their lanes. */
  ids(): string[];
  /**
   * Notes that a write of this timer is in progress. Call the returned function at its end; it returns false if `forget` came between.
   */
  asking(lane: string, id: string, at: number): () => boolean;
  /** Marks the writes in progress for this timer as cancelled. */
  forget(lane: string, id: string): void;
  /** The earliest time whose write is in progress, if any. */
  askedFor(lane: string, id: string): number | undefined;
  /** Removes a run, unless its opening was given up and another one has the timer by now. */
  end(lane: string, id: string, run: Run): void;
  /** Notifies every opening that a timer of this lane is due at `at`. */
  announce(lane: string, at: number): void;
  /** Lets an opening start it. False if none can at once; then call `announce`. */
  begin(lane: string, id: string, failures: number): boolean;
  /** Registers an opening; the returned function removes it. */
  listen(listener: RunsListener): () => void;
  /** Throws RunLost unless this run is in progress, in any opening. */
  prove(run: RunToken): void;
  /** Gives up the runs of a closed opening, so that they are due again. */
  giveUpOf(instance: string): void;
}

export function createRuns(): Runs {
  const lanes = new Map<string, Map<string, Run>>();
  const asking = new Map<string, Set<{ at: number; counts: boolean }>>();
  const listeners = new Set<RunsListener>();

  function announce(lane: string, at: number): void {
    for (const listener of listeners) listener.expect(lane, at);
  }

  function of(lane: string): Map<string, Run> {
    const runs = lanes.get(lane) ?? new Map<string, Run>();
    lanes.set(lane, runs);
    return runs;
  }

  return {
    of,
    ids: () => [...lanes].flatMap(([lane, runs]) => [...runs.keys()].map((id) => `${lane}${id}`)),
    asking(lane, id, at) {
      const place = `${lane}${id}`;
      const asked = asking.get(place) ?? new Set();
      const one = { at, counts: true };
      asking.set(place, asked.add(one));
      return () => {
        asked.delete(one);
        if (asked.size === 0) asking.delete(place);
        return one.counts;
      };
    },
    forget(lane, id) {
      for (const one of asking.get(`${lane}${id}`) ?? []) one.counts = false;
    },
    askedFor(lane, id) {
      const asked = asking.get(`${lane}${id}`);
      return asked && Math.min(...[...asked].map(({ at }) => at));
    },
    end(lane, id, run) {
      if (of(lane).get(id) === run) of(lane).delete(id);
    },
    announce,
    begin: (lane, id, failures) => listeners.values().some((listener) => listener.begin(lane, id, failures)),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
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
