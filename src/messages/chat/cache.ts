import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../process/clock.ts";
import type { TypedKeyv } from "../../storage/store.ts";

/**
 * A cache of answers of Slack, one per process. `forget` reaches other instances at once if `changes` are shared; else their entries
 * expire. Rights that must be live are read `fresh`.
 */
export interface Cache<T> {
  /**
   * The cached value, or the result of `read`, which is then cached. Joins a read of the same id that is under way, but for `fresh`. An
   * error of `read` passes through and is not cached.
   */
  recall(id: string, read: () => Promise<T>, options?: { fresh?: boolean }): Promise<T>;
  forget(id: string): Promise<void>;
}

interface CacheEntry<T> {
  value: T;
  /** The value in `changes` when it was read; undefined for none. */
  after: string | undefined;
  /** The number of its read: a value that was asked for earlier never replaces it. */
  turn: number;
}

/** A read whose answer is awaited. `forgotten`: how many ids had been forgotten when it began. */
interface Reading<T> extends Omit<CacheEntry<T>, "value"> {
  value: Promise<T>;
  forgotten: number;
}

/** Holds `most` entries and drops the least recently used. Without `lifeMs` entries do not expire. */
export function createCache<T>(options: {
  clock: Clock;
  most: number;
  lifeMs?: number;
  /** Shared marks of the ids that changed lately. */
  changes?: TypedKeyv<string>;
}): Cache<T> {
  const { clock, most, lifeMs = 0, changes } = options;
  const perf = { now: () => clock.monotonic() };
  // By size: with `max` the cache would make room for all of them at once.
  const entries = new LRUCache<string, CacheEntry<T>>({
    maxSize: most,
    sizeCalculation: () => 1,
    ttl: lifeMs,
    ttlResolution: 0,
    perf,
  });
  const underWay = new Map<string, Reading<T>>();
  let forgotten = 0;
  let turns = 0;

  function begin(id: string, after: string | undefined, read: () => Promise<T>): Promise<T> {
    turns += 1;
    const reading: Reading<T> = { after, turn: turns, forgotten, value: read() };
    underWay.set(id, reading);
    return settle(id, reading);
  }

  async function settle(id: string, reading: Reading<T>): Promise<T> {
    const { after, turn } = reading;
    try {
      const value = await reading.value;
      // If an id was forgotten during the read, the value may be from before the change, so it is not cached.
      if (reading.forgotten === forgotten && (entries.peek(id)?.turn ?? 0) < turn)
        entries.set(id, { value, after, turn });
      return value;
    } finally {
      if (underWay.get(id) === reading) underWay.delete(id);
    }
  }

  return {
    async recall(id, read, { fresh = false } = {}) {
      const after = await changes?.get(id);
      const cached = fresh ? undefined : entries.get(id);
      if (cached !== undefined && cached.after === after) return cached.value;
      const reading = fresh ? undefined : underWay.get(id);
      if (reading !== undefined && reading.after === after && reading.forgotten === forgotten) return reading.value;
      return begin(id, after, read);
    },
    async forget(id) {
      forgotten += 1;
      entries.delete(id);
      // Twice the lifetime: the mark must outlast every cached value.
      await changes?.set(id, randomUUID(), 2 * lifeMs);
    },
  };
}
