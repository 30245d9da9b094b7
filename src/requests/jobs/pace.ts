import { backgroundAllowedAt } from "../../access/background-rate.ts";
import type { Budget } from "../../platform/http/transport.ts";

/** Below this share of the hour's calls, polling waits for the next hour (design section 7). The calls are left to people. */
const waitBelowShare = 0.05;

/** Milliseconds. Several targets of a bulk request are polled at the same time, and nobody watches a single one. */
const leastBulkInterval = 10_000;

export function bulkPollInterval({ every }: { every: number }): number {
  return Math.max(every, leastBulkInterval);
}

/** Milliseconds to the next poll, by the calls that the key has left this hour. */
export function pauseFor(budget: Budget | undefined, every: number, now: number): number {
  if (!budget) return every;
  if (budget.remaining < budget.limit * waitBelowShare) return Math.max(every, budget.resetAt - now + 1_000);
  return backgroundAllowedAt(budget) === null ? every : every * 5;
}
