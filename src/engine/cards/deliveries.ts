import type { Clock } from "../../clock.ts";

/** What came of the supplier's deliveries at this instance, since it started. */
export interface Deliveries {
  /** Counts one, by what came of it: kept, known already, or why it was refused. */
  count(outcome: string): void;
  /** The most frequent first; `since` in milliseconds since the epoch. */
  counts(): { since: number; outcomes: { outcome: string; times: number }[] };
}

export function createDeliveries(clock: Clock): Deliveries {
  const since = clock.now();
  const seen = new Map<string, number>();
  return {
    count: (outcome) => void seen.set(outcome, (seen.get(outcome) ?? 0) + 1),
    counts: () => ({
      since,
      outcomes: [...seen].map(([outcome, times]) => ({ outcome, times })).sort((a, b) => b.times - a.times),
    }),
  };
}
