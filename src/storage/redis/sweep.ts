import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";
import { logNames, sweepLog } from "./scripts/log.ts";

const hourMs = 3_600_000;
/** Entries that one call looks at. */
const portion = 200;

/**
 * Deletes what is out of retention, now and every hour; the returned function ends that. Readers skip it by themselves, and two
 * openings at once delete the same. Values end by Redis's own hand.
 */
export function keepSwept(calls: Calls, clock: Clock, log: Logger): () => void {
  let ended = false;
  let callOff = (): void => {};

  async function sweep(): Promise<void> {
    try {
      for (const name of await calls.ask(logNames)) {
        // Portion by portion, so that nobody else waits for long.
        for (let after = "0"; after !== "" && !ended; )
          after = await calls.tell(sweepLog, name, after, clock.now(), portion);
      }
    } catch (error) {
      // Not worth stopping for: the next hour tries again.
      if (!ended) log.warn({ err: error }, "expired entries could not be deleted");
    }
    if (!ended) callOff = clock.after(hourMs, () => void sweep());
  }

  void sweep();
  return () => {
    ended = true;
    callOff();
  };
}
