import { LRUCache } from "lru-cache";
import type { Budget } from "../../platform/http/budget.ts";
import type { Clock } from "../../process/clock.ts";
import type { Paces } from "../../storage/store.ts";

const hour = 60 * 60_000;
/** Calls per hour of a key (customer spec section 8), until the platform states another limit. */
const usualLimit = 1_000;

/**
 * Shares of the rate limit, steady and as a burst: under a fifth for polling, watches and alerts together, and a fifth for all agents together. The
 * name index has a share of its own in each process (below), since it learns only from a list how many calls that took.
 */
const shares = {
  background: { steadily: 0.17, atOnce: 0.02 },
  agent: { steadily: 0.16, atOnce: 0.04 },
};

/** Below this share of calls left, only members may use the key: several keys may share one limit. */
const leftToPeople = 0.2;

/** When background reads and agents may use the key again (milliseconds since the epoch); null when they may now. */
export function backgroundAllowedAt(budget: Budget | undefined): number | null {
  const isLeft = budget !== undefined && budget.remaining < budget.limit * leftToPeople;
  return isLeft ? budget.resetAt + 1_000 : null;
}

/** Takes a turn for a call with a key; all calls of a kind share the turns, over all instances. Returns 0, or the milliseconds to wait. */
export function takeTurn(
  paces: Paces,
  kind: keyof typeof shares,
  keyId: string,
  budget: Budget | undefined,
): Promise<number> {
  const limit = budget?.limit ?? usualLimit;
  const { steadily, atOnce } = shares[kind];
  return paces.take(`${kind} ${keyId}`, {
    burst: Math.max(1, Math.floor(limit * atOnce)),
    everyMs: Math.ceil(hour / Math.max(1, limit * steadily)),
  });
}

/**
 * A key earns one background call per 20 seconds and saves at most 10: under a fifth of the spec's 1,000 calls an hour. Each process counts
 * by itself, and polling has its share beside this one.
 */
const eachMs = 20_000;
const mostSaved = 10;
const mostKeys = 1_000;

/** Counts the calls that the name index may make in the background with each key, for all lists together. */
interface Allowance {
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
