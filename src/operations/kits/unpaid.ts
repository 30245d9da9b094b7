/** Milliseconds until the next poll of an unpaid order. It waits for a person, and must not use up the key's hourly calls. */
export function unpaidPace({ since, now }: { since: number; now: number }): number {
  return Math.min(5 * 60_000, Math.max(30_000, (now - since) / 5));
}
