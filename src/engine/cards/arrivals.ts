import type { Logger } from "pino";
import { type Clock, sleep } from "../../clock.ts";
import type { Wakeups } from "../../storage/store.ts";

export const feedLane = "events:";
const feedWake = `${feedLane}feed`;
/** What arrives within so many milliseconds of the last look is looked at together. */
const togetherMs = 100;

/**
 * To be called when an event is on disk: has the feed look, the first time at once. Nobody waits for it, least of all who sent the event:
 * what an end of the process loses of it, the next start and the feed's own sweep find.
 */
export function createArrivals({
  wakeups,
  clock,
  log,
}: {
  wakeups: Pick<Wakeups, "wake">;
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
      log.error({ err: error }, "Events that were kept are not looked at yet");
    } finally {
      asking = false;
    }
  }

  return () => {
    arrived = true;
    if (!asking) void ask();
  };
}
