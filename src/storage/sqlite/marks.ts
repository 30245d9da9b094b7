/** The texts that may be lost with the process: they are in its memory alone. */
export interface Marks {
  get(key: string): string | undefined;
  /** Returns what puts back the former text. */
  set(key: string, text: string | undefined, ttlMs: number | undefined): () => void;
  starting(prefix: string): [key: string, text: string][];
  /** Forgets those that have expired. */
  sweep(): void;
}

/** `now`: by the monotonic clock, since a time of day that is set forward must not end a lock. */
export function createMarks(now: () => number): Marks {
  const marks = new Map<string, { text: string; ends: number }>();
  return {
    get(key) {
      const mark = marks.get(key);
      return mark && mark.ends > now() ? mark.text : undefined;
    },
    set(key, text, ttlMs) {
      const before = marks.get(key);
      if (text === undefined) marks.delete(key);
      else marks.set(key, { text, ends: ttlMs === undefined ? Number.POSITIVE_INFINITY : now() + ttlMs });
      return () => void (before ? marks.set(key, before) : marks.delete(key));
    },
    starting: (prefix) =>
      [...marks].flatMap(([key, { text, ends }]): [string, string][] =>
        key.startsWith(prefix) && ends > now() ? [[key, text]] : [],
      ),
    sweep() {
      for (const [key, { ends }] of marks) if (ends <= now()) marks.delete(key);
    },
  };
}
