import type { Clock } from "../clock.ts";

/** Milliseconds. A longer timer would fire late after the machine slept or its clock was corrected. */
const longestMs = 60_000;

/** One timer that can be set again at any time. */
export interface Alarm {
  /** Fires at `time`, or in a minute if that is sooner, and cancels the earlier setting. */
  set(time: number): void;
  off(): void;
  /** True if it will fire at or before `time`. */
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
