/** The one source of time. Everything that waits or dates takes it as an argument, so that a story can let an hour pass in a moment. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` once, `ms` from now; the returned function calls it off. */
  after(ms: number, action: () => void): () => void;
}

/** Node runs a timer of more milliseconds than this at once: longer waits are made of several. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    let left = ms;
    let timer = setTimeout(fire, Math.min(left, longestTimer));
    function fire(): void {
      left -= longestTimer;
      if (left <= 0) action();
      else timer = setTimeout(fire, Math.min(left, longestTimer));
    }
    return () => clearTimeout(timer);
  },
};

/** Resolves `ms` from now by `clock`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
