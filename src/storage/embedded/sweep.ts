import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";

const hourMs = 3_600_000;

/** Deletes what has expired, now and every hour; the returned function ends that. Readers skip expired rows by themselves. */
export function keepSwept(calls: Calls, clock: Clock, log: Logger): () => void {
  let ended = false;
  let callOff = (): void => {};

  /** Portion by portion, so that a long absence does not hold up the app. */
  async function each<T>(first: T, portion: (after: T) => Promise<T | undefined>): Promise<void> {
    let after: T | undefined = first;
    while (!ended && after !== undefined) after = await portion(after);
  }

  async function sweep(): Promise<void> {
    try {
      await each(0, (after) => calls.write("sweepValues", after, clock.now()));
      await each<Uint8Array>(new Uint8Array(), (after) => calls.write("sweepUniques", after, clock.now()));
      for (const name of await calls.read("logNames")) {
        await each(0, (after) => calls.write("sweepLog", name, after, clock.now()));
      }
    } catch (error) {
      // Not worth stopping for: what has expired is not shown, and the next hour tries again.
      if (!ended) log.error({ err: error }, "expired records could not be deleted");
    }
    if (!ended) callOff = clock.after(hourMs, () => void sweep());
  }

  void sweep();
  return () => {
    ended = true;
    callOff();
  };
}
