import type { Clock } from "../../clock.ts";
import type { Store } from "../../storage/store.ts";
import type { Checkpoints } from "./checkpoints.ts";

const lane = "audit-cut:";
const wake = `${lane}hour`;
const everyMs = 60 * 60_000;

/** Cuts the record's beginning off where all is older than it is kept, at a checkpoint, so that what is left can be verified. */
export function keepRetention(deps: {
  store: Store;
  checkpoints: Checkpoints;
  retentionMs: number;
  /** The last entry that was delivered to whoever gets each of them; null where nobody does. */
  delivered: () => Promise<string | null>;
  clock: Clock;
}): {
  start(): Promise<void>;
} {
  const { store, checkpoints, retentionMs, delivered, clock } = deps;

  async function lastTooOld(): Promise<number> {
    let found = 0;
    const sent = await delivered();
    for await (const { checkpoint } of checkpoints.all()) {
      if (!checkpoint || checkpoint.at > clock.now() - retentionMs) break;
      // What is still to be delivered outlives its time.
      if (sent !== null && checkpoint.through > sent) break;
      found = checkpoint.number;
    }
    return found;
  }

  store.wakeups.handle(lane, async () => {
    // It is said under a signature first: a beginning that is missing without it was taken away by somebody.
    const last = await lastTooOld();
    if (last > 0) await checkpoints.take(last);
    await checkpoints.cut();
    return clock.now() + everyMs;
  });

  return { start: () => store.wakeups.wake(wake, clock.now()) };
}
