import type { Logger } from "pino";
import { type Clock, repeat } from "../../clock.ts";
import type { Calls } from "./calls.ts";

const hourMs = 3_600_000;

/** Deletes expired rows, now and every hour; the returned function stops that. Readers skip expired rows by themselves. */
export function keepSwept(calls: Calls, clock: Clock, log: Logger): () => void {
  async function sweep(goesOn: () => boolean): Promise<void> {
    /** In portions: after a long absence the deletion must not block the app. */
    async function each<T>(first: T, portion: (after: T) => Promise<T | undefined>): Promise<void> {
      let after: T | undefined = first;
      while (goesOn() && after !== undefined) after = await portion(after);
    }

    await each(0, (after) => calls.write("sweepValues", after, clock.now()));
    await each<Uint8Array>(new Uint8Array(), (after) => calls.write("sweepUniques", after, clock.now()));
    for (const name of await calls.read("logNames"))
      await each(0, (after) => calls.write("sweepLog", name, after, clock.now()));
  }

  // Not fatal: readers skip expired rows, and the next hour tries again.
  return repeat(clock, hourMs, sweep, (error) => log.error({ err: error }, "expired records could not be deleted"));
}
