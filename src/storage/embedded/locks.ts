import type { Clock } from "../../clock.ts";
import { checkText, checkTimeToLive } from "../checks.ts";
import type { Locks } from "../store.ts";

interface HeldLock {
  fence: number;
  holder: string;
  instance: string;
  expiresAt: number;
}

/** The locks of all openings of a file, in memory. Each ends with its opening, and none outlives the process. */
export interface LockTable {
  /** The locks for one opening. `check` throws after it is closed. */
  of(instance: string, check: () => void): Locks;
  /** Releases every lock of this opening. */
  breakOf(instance: string): void;
}

/** More than a process can use, but few enough for 2 million starts within a number's range. */
export const fencesPerStart = 2 ** 32;

/** `start`: how often the file has been opened, so that fences are above those of every earlier process. */
export function createLockTable(clock: Clock, start: number): LockTable {
  const held = new Map<string, HeldLock>();
  let fence = start * fencesPerStart;

  function present(name: string): HeldLock | undefined {
    const lock = held.get(name);
    if (lock === undefined || lock.expiresAt > clock.monotonic()) return lock;
    held.delete(name);
    return undefined;
  }

  return {
    of: (instance, check) => ({
      async lock(name, holder, ttlMs) {
        check();
        const lock = present(checkText(name));
        if (lock) return { holder: JSON.parse(lock.holder) };
        // The monotonic clock: a time of day that is set forward must not free a lock.
        const expiresAt = clock.monotonic() + checkTimeToLive(ttlMs);
        fence += 1;
        held.set(name, { fence, holder: JSON.stringify(holder ?? null), instance, expiresAt });
        return { fence };
      },
      async unlock(name, owned) {
        check();
        return present(name)?.fence === owned && held.delete(name);
      },
    }),
    breakOf(instance) {
      for (const [name, lock] of held) if (lock.instance === instance) held.delete(name);
    },
  };
}
