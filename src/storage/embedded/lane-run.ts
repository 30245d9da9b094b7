import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { WakeupRun } from "../store.ts";
import { attempt } from "../wakeup.ts";
import type { Calls } from "./calls.ts";
import type { Run } from "./runs.ts";

/**
 * Runs one wake-up and keeps what follows from it; when it is due again, or undefined where it is done. The row of the wake-up
 * changes last, so that a run that dies before is due again.
 */
export async function carryOut(
  { lane, id, failures }: { lane: string; id: string; failures: number },
  handler: WakeupRun,
  run: Run,
  { calls, clock, log }: { calls: Calls; clock: Clock; log: Logger },
): Promise<number | undefined> {
  const outcome = await attempt({ id: `${lane}${id}`, failures }, handler, { clock, log });
  run.over = true;
  if ("retryAt" in outcome) return calls.write("putOffWakeup", lane, id, outcome.retryAt);
  const times = [run.askedFor, outcome.again].filter((time) => time !== undefined);
  if (times.length > 0) return calls.write("settleWakeup", lane, id, Math.min(...times));
  // Nobody waits for its end: a run that is due again after a crash changes nothing.
  return calls.later("settleWakeup", lane, id, undefined);
}
