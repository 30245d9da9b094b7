import type { Logger } from "pino";
import { type Clock, repeat } from "../../clock.ts";
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
  async function sweep(goesOn: () => boolean): Promise<void> {
    for (const name of await calls.readScript(logNames)) {
      // In portions, so that other calls do not wait for long.
      for (let after = "0"; after !== "" && goesOn(); )
        after = await calls.writeVolatile(sweepLog, name, after, clock.now(), portion);
    }
  }

  // Not fatal: the next hour tries again.
  return repeat(clock, hourMs, sweep, (error) => log.warn({ err: error }, "expired entries could not be deleted"));
}
