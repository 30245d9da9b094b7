import type { Clock } from "../../../../process/clock.ts";
import { Refusal } from "../../http/refusal.ts";
import type { Programme } from "../../programme/programme.ts";
import type { ResellerKey } from "./keys.ts";

const hour = 3_600_000;

export interface Used {
  limit: number;
  used: number;
}

/**
 * The last hour of each key and of each partner, moment by moment (spec section 8). The function counts a request, refused
 * or not, against the key and against all keys of its partner, and gives the tighter of the two.
 */
export function createSlidingWindow(clock: Clock, { settings }: Programme): (key: ResellerKey) => Used {
  const moments = new Map<string, number[]>();

  function add(name: string): number {
    const now = clock.now();
    const recent = moments.get(name) ?? [];
    moments.set(name, recent);
    while (recent[0] !== undefined && recent[0] <= now - hour) recent.shift();
    return recent.push(now);
  }

  return (key) => {
    const ceiling = { limit: settings.hourlyLimit, used: add(key.partner.holder) };
    const used = add(key.key);
    if (key.hourlyLimit === null) return ceiling;
    const own = { limit: key.hourlyLimit, used };
    return own.limit - own.used < ceiling.limit - ceiling.used ? own : ceiling;
  };
}

/** The reset is always an hour ahead, whatever is left. */
export function windowHeaders(clock: Clock, { limit, used }: Used): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(Math.max(0, limit - used)),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(Math.ceil((clock.now() + hour) / 1000)),
  };
}

export function refuseWhenUsedUp({ limit, used }: Used): void {
  if (used > limit) throw new Refusal(429, "", "Rate limit exceeded");
}
