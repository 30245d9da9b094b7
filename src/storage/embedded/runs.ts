/** A run of a wake-up that is under way in one of the openings of a file. */
export interface Run {
  instance: string;
  /** The run itself has ended, and what follows from it has been asked of the file: what is asked from now on comes after. */
  over: boolean;
  /** The first time that was being asked for when it began: what it read may be from before that, so it runs once more then. */
  askedFor: number | undefined;
}

/** What an opening is told of its wake-ups. */
export interface RunsListener {
  /** Something of this lane is due at `at`. */
  expect(lane: string, at: number): void;
  /** This one is due by now. True if the opening has begun to run it. */
  begin(lane: string, id: string, failures: number): boolean;
}

/** What the openings of one file tell each other of their wake-ups. */
export interface Runs {
  /** By id, of one lane. */
  of(lane: string): Map<string, Run>;
  /** The ids of all that are under way, each with its lane. */
  ids(): string[];
  /** Notes that a write which asks for it at `at` is on its way; the returned function says that it is over, and is told whether it still counts. */
  asking(lane: string, id: string, at: number): () => boolean;
  /** What asks for it by now counts no more. */
  forget(lane: string, id: string): void;
  /** The first time that is being asked for, if any. */
  askedFor(lane: string, id: string): number | undefined;
  /** Takes a run off, unless its opening was given up and another one has the wake-up by now. */
  end(lane: string, id: string, run: Run): void;
  /** Tells every opening that something of this lane is due at `at`. */
  announce(lane: string, at: number): void;
  /** Has one of the openings begin it. False where it does not go at once: it is to be announced. */
  begin(lane: string, id: string, failures: number): boolean;
  /** Has an opening told; the returned function ends that. */
  listen(listener: RunsListener): () => void;
  /** Gives up the runs of an opening that has gone: they are due again. */
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
    giveUpOf(instance) {
      for (const [lane, runs] of lanes) {
        for (const [id, run] of runs) if (run.instance === instance) runs.delete(id);
        announce(lane, Number.NEGATIVE_INFINITY);
      }
    },
  };
}
