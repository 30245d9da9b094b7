import { hash } from "node:crypto";
import type { HttpAnswer } from "../../process/exchange.ts";
import type { ApiName } from "./errors.ts";

/** A key's rate limit in the platform's latest answer: `remaining` of `limit` calls until `resetAt` (ms). Spec section 8. */
export interface Budget {
  limit: number;
  remaining: number;
  resetAt: number;
}

export interface KeyBudget extends Budget {
  api: ApiName;
}

export interface Budgets {
  update(of: { api: ApiName; key: string }, headers: HttpAnswer["headers"], now: number): void;
  /** Undefined until an answer showed the key's limit, and again after `resetAt`. */
  of(key: string, now: number): Budget | undefined;
  /** The rate limits of all keys seen so far, without the keys. */
  all(now: number): KeyBudget[];
}

export function createBudgets(): Budgets {
  // By digest: a dump of the memory must not show keys that are stored only for counting.
  const budgets = new Map<string, KeyBudget>();

  return {
    update({ api, key }, headers, now) {
      const limit = count(headers["x-ratelimit-limit"]);
      const remaining = count(headers["x-ratelimit-remaining"]);
      const reset = count(headers["x-ratelimit-reset"]);
      const resetAt = reset === undefined ? undefined : believedEnd(reset * 1000, now);
      if (limit === undefined || remaining === undefined || resetAt === undefined) return;
      budgets.set(digest(key), { api, limit, remaining, resetAt });
    },
    of(key, now) {
      const id = digest(key);
      const budget = budgets.get(id);
      if (!budget || budget.resetAt > now) return budget;
      budgets.delete(id);
      return undefined;
    },
    all(now) {
      for (const [id, { resetAt }] of budgets) if (resetAt <= now) budgets.delete(id);
      return [...budgets.values()];
    },
  };
}

function digest(key: string): string {
  return hash("sha256", key, "base64");
}

function count(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

/** The platform limits calls by the hour (customer spec section 8): a wait of more than a day is no wait that it means. */
const longestMs = 24 * 60 * 60 * 1_000;

/** The moment until which the platform asks to wait; undefined where an act would wait for years. */
export function believedEnd(at: number, now: number): number | undefined {
  return at - now <= longestMs ? at : undefined;
}

/** The same of a number of seconds. */
export function believedSeconds(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds * 1_000 <= longestMs ? seconds : undefined;
}
