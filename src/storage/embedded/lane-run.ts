import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { WakeupRun } from "../store.ts";
import type { Calls } from "./calls.ts";
import type { Run } from "./runs.ts";

const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;

interface Deps {
  calls: Calls;
  clock: Clock;
  log: Logger;
}

/**
 * Runs one wake-up and keeps what follows from it; when it is due again, or undefined where it is done. The row of the wake-up
 * changes last, so that a run that dies before is due again.
 */
export async function carryOut(
  wakeup: { lane: string; id: string; failures: number },
  handler: WakeupRun,
  run: Run,
  deps: Deps,
): Promise<number | undefined> {
  const follow = await outcome(wakeup, handler, deps);
  run.over = true;
  return follow();
}

async function outcome(
  { lane, id, failures }: { lane: string; id: string; failures: number },
  handler: WakeupRun,
  { calls, clock, log }: Deps,
): Promise<() => Promise<number | undefined>> {
  const wakeup = `${lane}${id}`;
  try {
    const again = await handler(wakeup);
    const at = typeof again === "number" ? wholeTime(again) : undefined;
    return () => calls.write("settleWakeup", lane, id, at);
  } catch (error) {
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures, 20));
    const at = Math.ceil(clock.now() + retryInMs);
    log.warn({ err: error, wakeup, failures: failures + 1, retryInMs }, "a wake-up failed and is tried again");
    return () => calls.write("putOffWakeup", lane, id, at);
  }
}

/** A time as it is kept: whole milliseconds. Throws RangeError for what is none. */
export function wholeTime(time: number): number {
  if (!Number.isFinite(time)) throw new RangeError("A wake-up needs a time.");
  return Math.ceil(time);
}
