/** The one source of time. Code that waits or dates takes it as an argument, so that a test can let an hour pass in a moment. */
export interface Clock {
  /** Milliseconds since the epoch, for dates. It may be set back or forward at any time. */
  now(): number;
  /** Milliseconds since an arbitrary start, for paces, durations and time limits. It never goes back. */
  monotonic(): number;
  /** Calls `action` once, `ms` milliseconds from now. The returned function cancels that. */
  after(ms: number, action: () => void): () => void;
}

/** Milliseconds. Node fires a longer timer at once, so a longer wait is split into several. */
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

/**
 * Runs `work` now, and again `ms` milliseconds after each end of it; the returned function stops that. `onError` gets its failures, but
 * none after the stop, when the store may be closed. Long work asks `goesOn` before each portion.
 */
export function repeat(
  clock: Clock,
  ms: number,
  work: (goesOn: () => boolean) => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let stopped = false;
  let callOff = (): void => {};

  async function run(): Promise<void> {
    try {
      await work(() => !stopped);
    } catch (error) {
      if (!stopped) onError(error);
    }
    if (!stopped) callOff = clock.after(ms, () => void run());
  }

  void run();
  return () => {
    stopped = true;
    callOff();
  };
}

/** True if `work` resolves or rejects within `ms` milliseconds by `clock`. Never rejects. */
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
