import { type Clock, longestTimer } from "../clock.ts";

export interface SandboxClock extends Clock {
  /** Lets `ms` pass at once: timers that fall due run in their order. */
  skip(ms: number): void;
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

  function now(): number {
    return start + Math.floor(performance.now() - origin) + skipped;
  }

  function arm(timer: Timer): void {
    clearTimeout(timer.real);
    timer.real = setTimeout(
      () => (timer.due > now() ? arm(timer) : fire(timer)),
      Math.max(0, Math.min(longestTimer, timer.due - now())),
    );
  }

  function fire(timer: Timer): void {
    if (!timers.delete(timer)) return;
    clearTimeout(timer.real);
    timer.action();
  }

  return {
    now,
    after(ms, action) {
      const timer: Timer = { due: now() + ms, action, real: undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        clearTimeout(timer.real);
      };
    },
    skip(ms) {
      skipped += ms;
      const due = [...timers].filter((timer) => timer.due <= now()).sort((a, b) => a.due - b.due);
      for (const timer of due) fire(timer);
      for (const timer of timers) arm(timer);
    },
  };
}
