import type { Budget } from "../../platform/http/transport.ts";

/** Under a fifth of the hourly budget people come first; under a twentieth a follow-up waits for the next hour (design section 7). */
const slowBelow = 0.2;
const waitBelow = 0.05;

/** One of many is one of several that are polled at once, and nobody looks at it alone: it is asked about less often. */
const leastOfPart = 10_000;

export function everyOfPart({ every }: { every: number }): number {
  return Math.max(every, leastOfPart);
}

/** Milliseconds to the next poll, as the key's budget allows. */
export function pauseFor(budget: Budget | undefined, every: number, now: number): number {
  if (!budget) return every;
  const left = budget.remaining / budget.limit;
  if (left < waitBelow) return Math.max(every, budget.resetAt - now + 1_000);
  return left < slowBelow ? every * 5 : every;
}
