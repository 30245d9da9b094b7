import type { Logger } from "pino";
import { type Clock, sleep, systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { TimerHandler } from "../store.ts";
import { attempt } from "../timer.ts";
import type { Calls } from "./calls.ts";
import { putOff, settle } from "./scripts/timers.ts";

/** Milliseconds between two tries while Redis fails. */
export const pauseMs = 1_000;

/** A claimed timer: the opening and the run that have it. */
export interface Claimed {
  lane: string;
  id: string;
  failures: number;
  instance: string;
  run: string;
}

/**
 * Runs one timer, and reports its outcome until Redis accepts it or `goesOn` is false. No other opening takes a run from a living one, so
 * the report must not get lost.
 */
export async function carryOut(
  { lane, id, failures, instance, run }: Claimed,
  handler: TimerHandler,
  goesOn: () => boolean,
  { calls, clock, log }: { calls: Calls; clock: Clock; log: Logger },
): Promise<void> {
  const outcome = await attempt({ token: { lane, id, run }, failures }, handler, { clock, log });
  const [script, at] = "retryAt" in outcome ? [putOff, outcome.retryAt] : [settle, outcome.again ?? ""];
  for (;;) {
    try {
      await calls.write(script, lane, id, instance, run, at);
      return;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (!goesOn()) return;
      await sleep(systemClock, pauseMs);
    }
  }
}
