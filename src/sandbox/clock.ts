import { type Clock, longestTimer } from "../process/clock.ts";

export interface SandboxClock extends Clock {
  /** Lets `ms` pass at once: timers that fall due run in their order. */
  skip(ms: number): void;
  /** Sets the time of day forward, or back by a negative number, as somebody may any machine's: no timer notices. */
  adjust(ms: number): void;
}

interface Timer {
  due: number;
  action: () => void;
  real: NodeJS.Timeout | undefined;
}

/** A clock that runs as the machine's own does and can be moved forward. */
export function createSandboxClock(start: number = Date.now()): SandboxClock {
  const origin = performance.now();
  const timers = new Set<Timer>();
  let skipped = 0;
  let adjusted = 0;

  function monotonic(): number {
    return Math.floor(performance.now() - origin) + skipped;
  }

  function arm(timer: Timer): void {
    clearTimeout(timer.real);
    timer.real = setTimeout(
      () => (timer.due > monotonic() ? arm(timer) : fire(timer)),
      Math.max(0, Math.min(longestTimer, timer.due - monotonic())),
    );
  }

  function fire(timer: Timer): void {
    if (!timers.delete(timer)) return;
    clearTimeout(timer.real);
    timer.action();
  }

  return {
    now: () => start + monotonic() + adjusted,
    monotonic,
    after(ms, action) {
      const timer: Timer = { due: monotonic() + ms, action, real: undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        clearTimeout(timer.real);
      };
    },
    skip(ms) {
      skipped += ms;
      const due = [...timers].filter((timer) => timer.due <= monotonic()).sort((a, b) => a.due - b.due);
      for (const timer of due) fire(timer);
      for (const timer of timers) arm(timer);
    },
    adjust(ms) {
      adjusted += ms;
    },
  };
}
