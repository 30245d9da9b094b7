import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";

/** A key earns a call in the background each 20 seconds, and saves up at most 10 of them: under a fifth of the spec's 1,000 an hour. */
const eachMs = 20_000;
const mostSaved = 10;
const mostKeys = 1_000;

/** What may be read behind people's backs with each key, whatever it is that is read. */
export interface Allowance {
  /** Counts calls that were made, also those that somebody waited for. */
  spend(key: string, calls: number): void;
  /** Milliseconds until the key may be used in the background; 0 where it may be now. */
  wait(key: string): number;
}

export function createAllowance(clock: Clock): Allowance {
  // When each key will have earned all that it may save up.
  const fullAt = new LRUCache<string, number>({ max: mostKeys });
  return {
    spend(key, calls) {
      fullAt.set(key, Math.max(clock.now(), fullAt.get(key) ?? 0) + calls * eachMs);
    },
    wait: (key) => Math.max(0, (fullAt.get(key) ?? 0) - clock.now() - (mostSaved - 1) * eachMs),
  };
}
