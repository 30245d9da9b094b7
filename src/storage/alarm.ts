import type { Clock } from "../clock.ts";

/** Timers are short, so that a machine that slept or a corrected clock delays nothing for long. */
const longestMs = 60_000;

/** One timer, which is set anew again and again. */
export interface Alarm {
  /** Rings at `time`, or a minute from now if that is sooner; not at any time that was set before. */
  set(time: number): void;
  off(): void;
  /** Whether it is set, and rings by then. */
  ringsBy(time: number): boolean;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let at = Number.POSITIVE_INFINITY;
  let callOff = (): void => {};

  function off(): void {
    callOff();
    at = Number.POSITIVE_INFINITY;
  }

  return {
    off,
    set(time) {
      off();
      const now = clock.now();
      at = Math.min(time, now + longestMs);
      callOff = clock.after(Math.max(0, at - now), ring);
    },
    ringsBy: (time) => at <= time,
  };
}
