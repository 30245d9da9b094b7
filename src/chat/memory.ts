import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Values } from "../storage/store.ts";

/**
 * What was read of Slack, remembered for a while. It is this process's own: each of several instances asks for itself. What one is told to
 * forget, the others forget with it where `changes` are shared, and else when its time is up. Nothing that must be live may rest on it:
 * that is read `fresh`.
 */
export interface Memory<T> {
  /** What is remembered, or what `read` brings, which is remembered from then on. A failure is its caller's, and not remembered. */
  recall(id: string, read: () => Promise<T>, options?: { fresh?: boolean }): Promise<T>;
  forget(id: string): Promise<void>;
}

interface Kept<T> {
  value: T;
  /** The change that it was read after; undefined for none. */
  after: unknown;
}

/** Of more than `most`, what was used least goes first; without `lifeMs` there is no other end. */
export function createMemory<T>(options: {
  clock: Clock;
  most: number;
  lifeMs?: number;
  /** What all instances know to have changed lately. */
  changes?: Values;
}): Memory<T> {
  const { clock, most, lifeMs = 0, changes } = options;
  const perf = { now: () => clock.monotonic() };
  const kept = new LRUCache<string, Kept<T>>({ max: most, ttl: lifeMs, ttlResolution: 0, perf });
  let forgotten = 0;

  return {
    async recall(id, read, { fresh = false } = {}) {
      const after = await changes?.get(id);
      const known = fresh ? undefined : kept.get(id);
      if (known !== undefined && known.after === after) return known.value;
      const before = forgotten;
      const value = await read();
      // What was forgotten meanwhile had changed, and this may have been read before.
      if (before === forgotten) kept.set(id, { value, after });
      return value;
    },
    async forget(id) {
      forgotten += 1;
      kept.delete(id);
      // Told for longer than anybody remembers anything.
      await changes?.set(id, randomUUID(), 2 * lifeMs);
    },
  };
}
