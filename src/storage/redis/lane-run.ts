import type { Logger } from "pino";
import { type Clock, sleep, systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { WakeupRun } from "../store.ts";
import { attempt } from "../wakeup.ts";
import type { Calls } from "./calls.ts";
import { putOff, settle } from "./scripts/wakeups.ts";

/** How long nothing more is asked of a Redis that failed. */
export const pauseMs = 1_000;

/** A wake-up that was given to an opening, and the run that it was given for. */
export interface Claimed {
  lane: string;
  id: string;
  failures: number;
  instance: string;
  run: string;
}

/**
 * Runs one wake-up, and tells what follows from it until Redis has heard it, since nobody else takes it from an opening that
 * lives, as long as it `goesOn`.
 */
export async function carryOut(
  { lane, id, failures, instance, run }: Claimed,
  handler: WakeupRun,
  goesOn: () => boolean,
  { calls, clock, log }: { calls: Calls; clock: Clock; log: Logger },
): Promise<void> {
  const outcome = await attempt({ id: `${lane}${id}`, failures }, handler, { clock, log });
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
