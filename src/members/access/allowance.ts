import { LRUCache } from "lru-cache";
import type { Clock } from "../../process/clock.ts";

/**
 * A key earns one background call per 20 seconds and saves at most 10: under a fifth of the spec's 1,000 calls an hour. Each process counts
 * by itself, and polling has its share beside this one (`background-rate.ts`).
 */
const eachMs = 20_000;
const mostSaved = 10;
const mostKeys = 1_000;

/** Counts the calls that the name index may make in the background with each key, for all lists together. */
export interface Allowance {
  /** Counts calls that were made, including those that a member waited for. */
  spend(key: string, calls: number): void;
  /** Milliseconds until the key may be used in the background; 0 where it may be now. */
  wait(key: string): number;
}

export function createAllowance(clock: Clock): Allowance {
  // Per key, the time at which it has saved the maximum again (milliseconds since the epoch).
  const fullAt = new LRUCache<string, number>({ max: mostKeys });
  return {
    spend(key, calls) {
      fullAt.set(key, Math.max(clock.now(), fullAt.get(key) ?? 0) + calls * eachMs);
    },
    wait: (key) => Math.max(0, (fullAt.get(key) ?? 0) - clock.now() - (mostSaved - 1) * eachMs),
  };
}
