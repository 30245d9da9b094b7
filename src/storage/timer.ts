import type { Logger } from "pino";
import { type Clock, sleep, systemClock } from "../clock.ts";
import { traced } from "../trace.ts";
import { checkText } from "./checks.ts";
import { RunLost } from "./errors.ts";
import type { LaneBacklog, LaneHandlers, RunToken, TimerHandler, Timers } from "./store.ts";

/** The most concurrent runs of a lane in one instance, unless its handler sets another limit. */
export const usualAtOnce = 16;

const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;

/** The next time of a timer after a run: a time or none as its handler returned, or a retry after a failure. */
export type NextRun = { again: number | undefined } | { retryAt: number };

/** Runs one timer. A failure is logged; each further failure doubles the pause before the next try, up to ten minutes. */
export async function attempt(
  { token, failures }: { token: RunToken; failures: number },
  handler: TimerHandler,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<NextRun> {
  const id = token.lane + token.id;
  try {
    const again = await traced("timer", { "rackbell.timer": token.lane }, async () => handler(id, token));
    return { again: typeof again === "number" ? wholeTime(again) : undefined };
  } catch (error) {
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures, 20));
    if (error instanceof RunLost) log.info({ timer: id }, "another instance has taken over this timer");
    else log.warn({ err: error, timer: id, failures: failures + 1, retryInMs }, "a timer failed and is tried again");
    return { retryAt: Math.ceil(clock.now() + retryInMs) };
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
export function placeOf(id: string): { lane: string; id: string } {
  const end = checkText(id).indexOf(":") + 1;
  if (end < 2) throw new TypeError("A timer's id begins with its lane, a word and a colon.");
  return { lane: id.slice(0, end), id: id.slice(end) };
}

/** True for a lane alone, as "follow:". */
export function isLane(prefix: string): boolean {
  return /^[^:]+:$/.test(prefix);
}

const lookAgainMs = 20;

/** Resolves once no timer of the lane is due or running, by an instance's own `backlog` and `idle`. */
export async function untilSettled(
  lane: string,
  backlog: () => Promise<LaneBacklog[]>,
  idle: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await idle();
    const waits = (await backlog()).some((one) => one.lane === lane && one.due > 0);
    if (!waits) return idle();
    // By the machine's clock: due timers start regardless of the app's clock, which a test may stop.
    await sleep(systemClock, lookAgainMs);
  }
}

/** Adds the handled lanes without overdue work, so that their metrics are 0 and not absent. */
export function withIdle(found: LaneBacklog[], handled: Iterable<string>): LaneBacklog[] {
  const idle = [...handled].filter((lane) => !found.some((one) => one.lane === lane));
  return [...found, ...idle.map((lane) => ({ lane, due: 0, since: null, failing: 0 }))];
}
