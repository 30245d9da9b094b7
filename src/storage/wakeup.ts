import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { LaneBacklog, WakeupRun } from "./store.ts";
import { checkText } from "./values.ts";

/** How many runs of a lane an opening has under way at most, where its handler does not say. */
export const usualAtOnce = 16;

const firstRetryMs = 1_000;
const lastRetryMs = 10 * 60_000;

/** What follows from a run: another one at a time, none, or the same once more since it failed. */
export type Outcome = { again: number | undefined } | { retryAt: number };

/** Runs one wake-up. A failure is logged, and the later the next try the more there were before. */
export async function attempt(
  { id, failures }: { id: string; failures: number },
  handler: WakeupRun,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Outcome> {
  try {
    const again = await handler(id);
    return { again: typeof again === "number" ? wholeTime(again) : undefined };
  } catch (error) {
    const retryInMs = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures, 20));
    log.warn({ err: error, wakeup: id, failures: failures + 1, retryInMs }, "a wake-up failed and is tried again");
    return { retryAt: Math.ceil(clock.now() + retryInMs) };
  }
}

/** A time as it is kept: whole milliseconds. Throws RangeError for what is none. */
export function wholeTime(time: number): number {
  if (!Number.isFinite(time)) throw new RangeError("A wake-up needs a time.");
  return Math.ceil(time);
}

/** A wake-up's lane and what its id is within it. Throws TypeError for what names no lane. */
export function placeOf(id: string): { lane: string; id: string } {
  const end = checkText(id).indexOf(":") + 1;
  if (end < 2) throw new TypeError("A wake-up's id begins with its lane, a word and a colon.");
  return { lane: id.slice(0, end), id: id.slice(end) };
}

/** Whether it names a lane and nothing in it. */
export function isLane(prefix: string): boolean {
  return /^[^:]+:$/.test(prefix);
}

/** The same, with the handled lanes in which nothing waits. */
export function withIdle(found: LaneBacklog[], handled: Iterable<string>): LaneBacklog[] {
  const idle = [...handled].filter((lane) => !found.some((one) => one.lane === lane));
  return [...found, ...idle.map((lane) => ({ lane, due: 0, since: null, failing: 0 }))];
}
