import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";

/** Milliseconds: less than this is a clock that is kept right. */
const leastMs = 5_000;

/**
 * Keeps wake-ups going when the time of day is set back: what was to happen in a minute would otherwise wait until the old time has come
 * again. The returned function is called at each look, and moves all that waits as far back as the clock went.
 */
export function createSetBack({ calls, clock }: { calls: Calls; clock: Clock }): () => Promise<void> {
  const offset = (): number => clock.now() - clock.monotonic();
  let known = offset();

  return async () => {
    const back = known - offset();
    known -= back;
    if (back >= leastMs) await calls.write("moveWakeups", -Math.round(back));
  };
}
