import type { Logger } from "pino";
import type { Clock } from "../process/clock.ts";
import { traced } from "../process/trace.ts";
import { checkText } from "./checks.ts";
import { RunLost } from "./errors.ts";
import type { LaneHandlers, RunToken, TimerHandler, Timers } from "./store.ts";

/** The most concurrent runs of a lane in one instance, unless its handler sets another limit. */
export const usualAtOnce = 16;

const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;

/** The next time of a timer after a run: a time or none as its handler returned, or a retry after a failure. */
export type NextRun = { again: number | undefined } | { retryAt: number; failures: number };

/** Runs one timer. A failure is logged; each further failure doubles the pause before the next try, up to ten minutes. */
export async function attempt(
  token: RunToken,
  handler: TimerHandler,
  { clock, log, failures: failuresBefore }: { clock: Clock; log: Logger; failures: () => Promise<number> },
): Promise<NextRun> {
  const id = token.lane + token.id;
  try {
    const again = await traced("timer", { "rackbell.timer": token.lane }, async () => handler(id, token));
    return { again: typeof again === "number" ? wholeTime(again) : undefined };
  } catch (error) {
    const failures = (await failuresBefore()) + 1;
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
    if (error instanceof RunLost) log.info({ timer: id }, "another instance has taken over this timer");
    else log.warn({ err: error, timer: id, failures, retryInMs }, "a timer failed and is tried again");
    return { retryAt: Math.ceil(clock.now() + retryInMs), failures };
  }
}

/** Registers the handlers of a room. */
export function handleLanes(timers: Pick<Timers, "handle">, handlers: LaneHandlers): void {
  for (const [lane, handler] of Object.entries(handlers)) {
    if (typeof handler === "function") timers.handle(lane, handler);
    else timers.handle(lane, handler.run, { atOnce: handler.atOnce });
  }
}

/** The time in whole milliseconds, rounded up. Throws RangeError unless it is a finite number. */
export function wholeTime(time: number): number {
  if (!Number.isFinite(time)) throw new RangeError("A timer needs a time.");
  return Math.ceil(time);
}

/** Splits a timer's id into its lane and the rest. Throws TypeError if it has no lane. */
export function timerPlace(id: string): { lane: string; id: string } {
  const end = checkText(id).indexOf(":") + 1;
  if (end < 2) throw new TypeError("A timer's id begins with its lane, a word and a colon.");
  return { lane: id.slice(0, end), id: id.slice(end) };
}

/** True for a lane alone, as "follow:". */
export function isLane(prefix: string): boolean {
  return /^[^:]+:$/.test(prefix);
}
