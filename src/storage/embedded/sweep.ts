import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Calls } from "./calls.ts";

const hourMs = 3_600_000;

/** Deletes expired rows, now and every hour; the returned function stops that. Readers skip expired rows by themselves. */
export function keepSwept(calls: Calls, clock: Clock, log: Logger): () => void {
  let ended = false;
  let callOff = (): void => {};

  /** In portions: after a long absence the deletion must not block the app. */
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
      // Not fatal: readers skip expired rows, and the next hour tries again.
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
