import type { Key } from "../world/users.ts";
import type { World } from "../world/world.ts";
import { Refusal } from "./refusal.ts";

const hour = 3_600_000;

export interface RateLimit {
  limit: number;
  remaining: number;
  /** Unix seconds. */
  reset: number;
}

export interface RateWindow {
  /** Counts a request, refused or not, and says what is left. */
  count(key: Key): RateLimit & { exhausted: boolean };
}

/** The hourly window of each key: it starts with the key's first request and lasts an hour. */
export function createRateWindow(world: World): RateWindow {
  const windows = new Map<string, { start: number; used: number }>();
  return {
    count(key) {
      const now = world.clock.now();
      let window = windows.get(key.key);
      if (window === undefined || now >= window.start + hour) {
        window = { start: now, used: 0 };
        windows.set(key.key, window);
      }
      window.used += 1;
      const limit = world.settings.hourlyLimit;
      return {
        limit,
        remaining: Math.max(0, limit - window.used),
        reset: Math.ceil((window.start + hour) / 1000),
        exhausted: window.used > limit,
      };
    },
  };
}

export function rateHeaders({ limit, remaining, reset }: RateLimit): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
  };
}

export function rateLimited(world: World, { reset }: RateLimit): Refusal {
  const refusal = new Refusal(429, "RATE_LIMITED", "The hourly limit of this key is used up");
  refusal.headers["retry-after"] = String(Math.max(1, reset - Math.floor(world.clock.now() / 1000)));
  return refusal;
}
