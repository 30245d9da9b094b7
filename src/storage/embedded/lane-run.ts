import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { TimerHandler } from "../store.ts";
import { attempt } from "../timer.ts";
import type { Calls } from "./calls.ts";
import type { Run } from "./runs.ts";

/**
 * Runs one timer and stores its next time. Resolves with that time, or undefined if it is done. The timer's row changes last, so that a
 * run that dies is due again.
 */
export async function carryOut(
  { lane, id, failures }: { lane: string; id: string; failures: number },
  handler: TimerHandler,
  run: Run,
  { calls, clock, log }: { calls: Calls; clock: Clock; log: Logger },
): Promise<number | undefined> {
  const outcome = await attempt({ token: { lane, id, run: run.token }, failures }, handler, { clock, log });
  run.over = true;
  if ("retryAt" in outcome) return calls.write("putOffWakeup", lane, id, outcome.retryAt);
  const times = [run.askedFor, outcome.again].filter((time) => time !== undefined);
  if (times.length > 0) return calls.write("settleWakeup", lane, id, Math.min(...times));
  // Nobody waits for this write: if a crash loses it, the run repeats without effect.
  return calls.later("settleWakeup", lane, id, undefined);
}
