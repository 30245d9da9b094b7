import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";

/**
 * What was read of Slack, remembered for a while. It is this process's own: each of several instances asks for itself, and what one is told
 * to forget, the others keep until its time is up. Nothing that must be live may rest on it: that is read `fresh`.
 */
export interface Memory<T> {
  /** What is remembered, or what `read` brings, which is remembered from then on. A failure is its caller's, and not remembered. */
  recall(id: string, read: () => Promise<T>, options?: { fresh?: boolean }): Promise<T>;
  forget(id: string): void;
}

/** Of more than `most`, what was used least goes first; without `lifeMs` there is no other end. */
export function createMemory<T extends object | string>(options: {
  clock: Clock;
  most: number;
  lifeMs?: number;
}): Memory<T> {
  const { clock, most, lifeMs = 0 } = options;
  const perf = { now: () => clock.monotonic() };
  const kept = new LRUCache<string, T>({ max: most, ttl: lifeMs, ttlResolution: 0, perf });
  let forgotten = 0;

  return {
    async recall(id, read, { fresh = false } = {}) {
      const known = fresh ? undefined : kept.get(id);
      if (known !== undefined) return known;
      const before = forgotten;
      const value = await read();
      // What was forgotten meanwhile had changed, and this may have been read before.
      if (before === forgotten) kept.set(id, value);
      return value;
    },
    forget(id) {
      forgotten += 1;
      kept.delete(id);
    },
  };
}
