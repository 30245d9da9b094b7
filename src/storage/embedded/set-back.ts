import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";

/** Milliseconds. Smaller steps are normal corrections of a clock. */
const leastMs = 5_000;

/**
 * Keeps timers on time when the time of day is set back: a timer due in a minute would otherwise wait until the old time returns. Call
 * the returned function at each look; it moves all waiting timers back by the clock's step.
 */
export function createSetBack({ calls, clock }: { calls: Calls; clock: Clock }): () => Promise<void> {
  const offset = (): number => clock.now() - clock.monotonic();
  let known = offset();

  return async () => {
    const back = known - offset();
    // Before the write: a second look meanwhile would move them again.
    known -= back;
    if (back < leastMs) return;
    await calls.write("moveTimers", -Math.round(back)).catch((error: unknown) => {
      // Otherwise a full disk at this moment would leave the timers at the old time for good.
      known += back;
      throw error;
    });
  };
}
