import type { Budget } from "../platform/http/transport.ts";
import type { Paces } from "../storage/store.ts";

const hour = 60 * 60_000;
/** Calls per hour of a key (customer spec section 8), until the platform states another limit. */
const usualLimit = 1_000;
/** Shares of the rate limit for all background reads together, steady and as a burst: under a fifth. */
const steadily = 0.17;
const atOnce = 0.02;

/** Below this share of calls left, only members may use the key: several keys may share one limit. */
const leftToPeople = 0.2;

/** When background reads may use the key again (milliseconds since the epoch); null when they may now. */
export function backgroundAllowedAt(budget: Budget | undefined): number | null {
  const isLeft = budget !== undefined && budget.remaining < budget.limit * leftToPeople;
  return isLeft ? budget.resetAt + 1_000 : null;
}

/** Takes a turn for a background read with a key; all background reads share the turns. Returns 0, or the milliseconds to wait. */
export function takeBackgroundTurn(paces: Paces, keyId: string, budget: Budget | undefined): Promise<number> {
  return paces.take(`sweep ${keyId}`, paceOf(budget));
}

/** Burst and interval of background reads, from the calls per hour that the platform grants. */
function paceOf(budget: Budget | undefined): { burst: number; everyMs: number } {
  const limit = budget?.limit ?? usualLimit;
  return { burst: Math.max(1, Math.floor(limit * atOnce)), everyMs: Math.ceil(hour / Math.max(1, limit * steadily)) };
}
