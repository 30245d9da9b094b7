import { type Clock, longestTimer } from "../../src/process/clock.ts";

/**
 * Time that runs `speed` times faster from `start` on (milliseconds since the epoch). All processes of a test count from the same moment, so
 * that the clock of the second goes on where that of the first stood.
 */
export function createFastClock(start: number, speed: number): Clock {
  return {
    now: () => start + (Date.now() - start) * speed,
    monotonic: () => performance.now() * speed,
    after(ms, action) {
      const timer = setTimeout(action, Math.min(ms / speed, longestTimer));
      return () => clearTimeout(timer);
    },
  };
}
