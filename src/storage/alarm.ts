import type { Clock } from "../clock.ts";

/** Milliseconds after which it compares the clock again: one long timer would fire late after the machine slept or its clock was corrected. */
const longestMs = 60_000;

/** One timer that can be set again at any time. */
export interface Alarm {
  /** Fires at `time`, and cancels the earlier setting. */
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

  function wait(): void {
    const leftMs = Math.max(0, at - clock.now());
    callOff = clock.after(Math.min(leftMs, longestMs), () => (clock.now() < at ? wait() : ring()));
  }

  return {
    off,
    set(time) {
      off();
      at = time;
      if (at < Number.POSITIVE_INFINITY) wait();
    },
    ringsBy: (time) => at <= time,
  };
}
