/** A run of a wake-up that is under way in one of the openings of a file. */
export interface Run {
  instance: string;
  /** The run itself has ended, and what follows from it has been asked of the file: what is asked from now on comes after. */
  over: boolean;
  /** The first time that was being asked for when it began: what it read may be from before that, so it runs once more then. */
  askedFor: number | undefined;
}

/** What the openings of one file tell each other of their wake-ups. */
export interface Runs {
  /** By id, of one lane. */
  of(lane: string): Map<string, Run>;
  /** The ids of all that are under way, each with its lane. */
  ids(): string[];
  /** Notes that a write which asks for it at `at` is on its way; the returned function says that it is over. */
  asking(lane: string, id: string, at: number): () => void;
  /** The first time that is being asked for, if any. */
  askedFor(lane: string, id: string): number | undefined;
  /** Takes a run off, unless its opening was given up and another one has the wake-up by now. */
  end(lane: string, id: string, run: Run): void;
  /** Tells every opening that something of this lane is due at `at`. */
  announce(lane: string, at: number): void;
  /** Has an opening told; the returned function ends that. */
  listen(listener: (lane: string, at: number) => void): () => void;
  /** Gives up the runs of an opening that has gone: they are due again. */
  giveUpOf(instance: string): void;
}

export function createRuns(): Runs {
  const lanes = new Map<string, Map<string, Run>>();
  const asking = new Map<string, Set<{ at: number }>>();
  const listeners = new Set<(lane: string, at: number) => void>();

  function announce(lane: string, at: number): void {
    for (const listener of listeners) listener(lane, at);
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
      const one = { at };
      asking.set(place, asked.add(one));
      return () => {
        asked.delete(one);
        if (asked.size === 0) asking.delete(place);
      };
    },
    askedFor(lane, id) {
      const asked = asking.get(`${lane}${id}`);
      return asked && Math.min(...[...asked].map(({ at }) => at));
    },
    end(lane, id, run) {
      if (of(lane).get(id) === run) of(lane).delete(id);
    },
    announce,
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
