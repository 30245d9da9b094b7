import type { Clock } from "../../clock.ts";
import type { Locks } from "../store.ts";
import { checkText, checkTimeToLive } from "../values.ts";

interface Held {
  fence: number;
  holder: string;
  instance: string;
  expiresAt: number;
}

/** Locks of all openings of a file. They are in memory: each ends with its opening, and none outlives the process. */
export interface LockTable {
  /** The locks as one opening reaches them; `check` throws when it may no longer. */
  of(instance: string, check: () => void): Locks;
  /** Breaks all that this opening holds. */
  breakOf(instance: string): void;
}

/** More than a process can take, and few enough that 2 million starts still fit into a number. */
export const fencesPerStart = 2 ** 32;

/** `start`: how often the file has been opened, so that the fences of this process are above those of all before it. */
export function createLockTable(clock: Clock, start: number): LockTable {
  const held = new Map<string, Held>();
  let fence = start * fencesPerStart;

  function end(ttlMs: number): number {
    // A time of day that is set forward frees nothing that is held.
    return clock.monotonic() + checkTimeToLive(ttlMs);
  }

  function present(name: string): Held | undefined {
    const lock = held.get(name);
    if (lock === undefined || lock.expiresAt > clock.monotonic()) return lock;
    held.delete(name);
    return undefined;
  }

  function underFence(name: string, owned: number): Held | undefined {
    const lock = present(name);
    return lock?.fence === owned ? lock : undefined;
  }

  return {
    of: (instance, check) => ({
      async lock(name, holder, ttlMs) {
        check();
        const lock = present(checkText(name));
        if (lock) return { holder: JSON.parse(lock.holder) };
        fence += 1;
        held.set(name, { fence, holder: JSON.stringify(holder ?? null), instance, expiresAt: end(ttlMs) });
        return { fence };
      },
      async renew(name, owned, ttlMs) {
        check();
        const lock = underFence(name, owned);
        if (lock) lock.expiresAt = end(ttlMs);
        return lock !== undefined;
      },
      async unlock(name, owned) {
        check();
        return underFence(name, owned) !== undefined && held.delete(name);
      },
    }),
    breakOf(instance) {
      for (const [name, lock] of held) if (lock.instance === instance) held.delete(name);
    },
  };
}
