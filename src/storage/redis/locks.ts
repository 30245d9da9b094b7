import { checkText, checkTimeToLive } from "../checks.ts";
import type { Locks } from "../store.ts";
import type { Calls } from "./calls.ts";
import { keyPart } from "./names.ts";
import type { Presence } from "./presence.ts";
import { lock, unlock } from "./scripts/locks.ts";

/** Locks in Redis, by its clock. The lock of a dead opening is free, even before its time to live ends. */
export function createLocks(calls: Calls, presence: Presence, instance: string): Locks {
  const at = (name: string): string => keyPart(checkText(name));
  const whole = (ttlMs: number): number => Math.ceil(checkTimeToLive(ttlMs));
  return {
    async lock(name, holder, ttlMs) {
      const holderText = JSON.stringify(holder ?? null);
      const outcome = await calls.writeVolatile(
        lock,
        at(name),
        holderText,
        instance,
        whole(ttlMs),
        presence.isPatient() ? 1 : 0,
      );
      return typeof outcome === "number" ? { fence: outcome } : { holder: JSON.parse(outcome) };
    },
    unlock: async (name, fence) => calls.writeVolatile(unlock, at(name), fence),
  };
}
