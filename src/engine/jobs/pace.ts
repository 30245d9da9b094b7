import type { Budget } from "../../platform/http/transport.ts";
import { againAt } from "../reading-pace.ts";

/** Where the key is left to people a follow-up is slow; under this share of the hour's calls it waits for the next hour (design section 7). */
const waitBelow = 0.05;

/** One of many is one of several that are polled at once, and nobody looks at it alone: it is asked about less often. */
const leastOfPart = 10_000;

export function everyOfPart({ every }: { every: number }): number {
  return Math.max(every, leastOfPart);
}

/** Milliseconds to the next poll, as the key's budget allows. */
export function pauseFor(budget: Budget | undefined, every: number, now: number): number {
  if (!budget) return every;
  if (budget.remaining < budget.limit * waitBelow) return Math.max(every, budget.resetAt - now + 1_000);
  return againAt(budget) === null ? every : every * 5;
}
