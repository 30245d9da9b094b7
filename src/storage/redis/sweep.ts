import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";
import { logNames, sweepLog } from "./scripts/log.ts";

const hourMs = 3_600_000;
/** Entries that one call visits. */
const portion = 200;

/**
 * Deletes entries out of retention, now and every hour; the returned function stops that. Readers skip them by themselves, and two
 * openings may sweep at once. Redis expires values itself.
 */
export function keepSwept(calls: Calls, clock: Clock, log: Logger): () => void {
  let ended = false;
  let callOff = (): void => {};

  async function sweep(): Promise<void> {
    try {
      for (const name of await calls.readScript(logNames)) {
        // In portions, so that other calls do not wait for long.
        for (let after = "0"; after !== "" && !ended; )
          after = await calls.writeVolatile(sweepLog, name, after, clock.now(), portion);
      }
    } catch (error) {
      // Not fatal: the next hour tries again.
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
