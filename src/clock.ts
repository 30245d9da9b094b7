/** The one source of time. Everything that waits or dates takes it as an argument, so that a story can let an hour pass in a moment. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` once, `ms` from now; the returned function calls it off. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves `ms` from now by `clock`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
