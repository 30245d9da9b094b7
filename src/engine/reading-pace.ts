import type { Budget } from "../platform/http/transport.ts";
import type { Paces } from "../storage/store.ts";

const hour = 60 * 60_000;
/** The spec's hourly calls of a key where the platform has not told others yet (customer spec section 8). */
const usualLimit = 1_000;
/** Of the key's hour all that reads in the background takes under a fifth: so much steadily, and so much at once. */
const steadily = 0.17;
const atOnce = 0.02;

/** Under this share of the hour's calls people come first: a ceiling may be common to several keys. */
const leftToPeople = 0.2;

/** When what nobody waits for may use the key again (milliseconds since the epoch), where it is left to people until then; null where it may now. */
export function againAt(budget: Budget | undefined): number | null {
  const isLeft = budget !== undefined && budget.remaining < budget.limit * leftToPeople;
  return isLeft ? budget.resetAt + 1_000 : null;
}

/** Takes a turn to read with a reading key, one for all that reads in the background: 0, or the milliseconds to wait for one. */
export function takeTurn(paces: Paces, keyId: string, budget: Budget | undefined): Promise<number> {
  return paces.take(`sweep ${keyId}`, paceOf(budget));
}

/** How fast a key may be read with in the background, by the calls that the platform grants it in an hour. */
function paceOf(budget: Budget | undefined): { burst: number; everyMs: number } {
  const limit = budget?.limit ?? usualLimit;
  return { burst: Math.max(1, Math.floor(limit * atOnce)), everyMs: Math.ceil(hour / Math.max(1, limit * steadily)) };
}
