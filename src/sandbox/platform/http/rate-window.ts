import type { Clock } from "../../../process/clock.ts";
import { Refusal } from "./refusal.ts";

const hour = 3_600_000;

export interface RateLimit {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
}

/**
 * The hourly window of each key: it starts with the key's first request and lasts an hour. The function counts a request,
 * refused or not, and says what is left.
 */
export function createRateWindow(
  clock: Clock,
  limitNow: () => number,
): (key: string) => RateLimit & { exhausted: boolean } {
  const windows = new Map<string, { start: number; used: number }>();
  return (key) => {
    const now = clock.now();
    let window = windows.get(key);
    if (window === undefined || now >= window.start + hour) {
      window = { start: now, used: 0 };
      windows.set(key, window);
    }
    window.used += 1;
    const limit = limitNow();
    return {
      limit,
      remaining: Math.max(0, limit - window.used),
      reset: Math.ceil((window.start + hour) / 1000),
      exhausted: window.used > limit,
    };
  };
}

export function rateHeaders({ limit, remaining, reset }: RateLimit): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
  };
}

export function rateLimited(now: number, { reset }: RateLimit): Refusal {
  const refusal = new Refusal(429, "RATE_LIMITED", "The hourly limit of this key is used up");
  refusal.headers["retry-after"] = String(Math.max(1, reset - Math.floor(now / 1000)));
  return refusal;
}
