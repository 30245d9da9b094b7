/** The one source of time. Everything that waits or dates takes it as an argument, so that a story can let an hour pass in a moment. */
export interface Clock {
  /** Milliseconds since the epoch, for dates. It may be set back or forward at any time. */
  now(): number;
  /** Milliseconds since a start of its own, for paces, durations and time limits: it only goes on. */
  monotonic(): number;
  /** Calls `action` once, `ms` from now; the returned function calls it off. */
  after(ms: number, action: () => void): () => void;
}

/** Node runs a timer of more milliseconds than this at once: longer waits are made of several. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
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

/** Resolves `ms` from now by `clock`; rejects with the signal's reason as soon as that is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    function stop(): void {
      callOff();
      reject(signal?.reason);
    }
    const callOff = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Whether `work` ends, well or badly, within `ms` by `clock`. */
export function settles(work: Promise<unknown>, clock: Clock, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = clock.after(ms, () => resolve(false));
    function settled(): void {
      callOff();
      resolve(true);
    }
    work.then(settled, settled);
  });
}
