import type { Logger } from "pino";
import { type Clock, sleep } from "../clock.ts";
import type { Timers } from "../storage/store.ts";

export const feedLane = "events:";
const feedWake = `${feedLane}feed`;
/** Events that arrive within this time are processed in one run of the feed. */
const togetherMs = 100;

/**
 * Returns a function to call when an event is on disk: it starts the feed, the first time at once. It never blocks and never throws,
 * so that the supplier's delivery is answered without delay. If the process dies, the next start or the feed's timer finds the event.
 */
export function createFeedTrigger({
  wakeups,
  clock,
  log,
}: {
  wakeups: Pick<Timers, "wake">;
  clock: Clock;
  log: Logger;
}): () => void {
  let arrived = false;
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    try {
      while (arrived) {
        arrived = false;
        await wakeups.wake(feedWake, clock.now());
        await sleep(clock, togetherMs);
      }
    } catch (error) {
      log.error({ err: error }, "Stored events are not handled yet");
    } finally {
      asking = false;
    }
  }

  return () => {
    arrived = true;
    if (!asking) void ask();
  };
}
