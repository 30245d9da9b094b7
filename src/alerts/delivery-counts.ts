import type { Clock } from "../clock.ts";

/** Counts the outcomes of the supplier's deliveries at this instance, since it started. */
export interface DeliveryCounts {
  /** Counts one delivery by its outcome: stored, known, or the reason of its refusal. */
  count(outcome: string): void;
  /** The most frequent first; `since` in milliseconds since the epoch. */
  counts(): { since: number; outcomes: { outcome: string; times: number }[] };
}

export function createDeliveryCounts(clock: Clock): DeliveryCounts {
  const since = clock.now();
  const counted = new Map<string, number>();
  return {
    count: (outcome) => void counted.set(outcome, (counted.get(outcome) ?? 0) + 1),
    counts: () => ({
      since,
      outcomes: [...counted].map(([outcome, times]) => ({ outcome, times })).sort((a, b) => b.times - a.times),
    }),
  };
}
