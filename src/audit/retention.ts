import type { Clock } from "../clock.ts";
import type { LaneHandlers, Store } from "../storage/store.ts";
import type { Checkpoints } from "./checkpoints.ts";

const lane = "audit-cut:";
const wake = `${lane}hour`;
const everyMs = 60 * 60_000;

/** Cuts off the oldest entries after their time, always at a checkpoint, so that the rest can be verified. */
export function keepRetention(deps: {
  store: Store;
  checkpoints: Checkpoints;
  retentionMs: number;
  /** The last entry that the collector took; null when none is configured. */
  delivered: () => Promise<string | null>;
  clock: Clock;
}): {
  start(): Promise<void>;
  timers: LaneHandlers;
} {
  const { store, checkpoints, retentionMs, delivered, clock } = deps;

  async function lastTooOld(): Promise<number> {
    let found = 0;
    const sent = await delivered();
    for await (const { checkpoint } of checkpoints.all()) {
      if (!checkpoint || checkpoint.at > clock.now() - retentionMs) break;
      // Entries that the collector has not taken yet outlive their time.
      if (sent !== null && checkpoint.through > sent) break;
      found = checkpoint.number;
    }
    return found;
  }

  async function cut(): Promise<number> {
    // Sign the new beginning first: verification reports a missing beginning without a signature as removed.
    const last = await lastTooOld();
    if (last > 0) await checkpoints.take(last);
    await checkpoints.cut();
    return clock.now() + everyMs;
  }

  return { timers: { [lane]: cut }, start: () => store.wakeups.wake(wake, clock.now()) };
}
