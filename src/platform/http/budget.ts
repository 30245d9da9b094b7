import { hash } from "node:crypto";
import type { ApiName } from "./errors.ts";
import type { Headers } from "./exchange.ts";

/** A key's hourly window as the platform last told it: `remaining` of `limit` calls until `resetAt` (ms). Spec section 8. */
export interface Budget {
  limit: number;
  remaining: number;
  resetAt: number;
}

export interface KeyBudget extends Budget {
  api: ApiName;
}

export interface Budgets {
  learn(of: { api: ApiName; key: string }, headers: Headers): void;
  /** Undefined until the platform has told one, and again when its window has ended. */
  of(key: string, now: number): Budget | undefined;
  /** Of every key that a budget is known of, without the keys. */
  all(now: number): KeyBudget[];
}

export function createBudgets(): Budgets {
  // By digest, so that no key lies about in memory, or in a dump of it, for this.
  const known = new Map<string, KeyBudget>();

  return {
    learn({ api, key }, headers) {
      const limit = count(headers["x-ratelimit-limit"]);
      const remaining = count(headers["x-ratelimit-remaining"]);
      const reset = count(headers["x-ratelimit-reset"]);
      if (limit === undefined || remaining === undefined || reset === undefined) return;
      known.set(digest(key), { api, limit, remaining, resetAt: reset * 1000 });
    },
    of(key, now) {
      const id = digest(key);
      const budget = known.get(id);
      if (!budget || budget.resetAt > now) return budget;
      known.delete(id);
      return undefined;
    },
    all(now) {
      for (const [id, { resetAt }] of known) if (resetAt <= now) known.delete(id);
      return [...known.values()];
    },
  };
}

function digest(key: string): string {
  return hash("sha256", key, "base64");
}

function count(value: string | string[] | undefined): number | undefined {
  return typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
