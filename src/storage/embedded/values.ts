import type { Clock } from "../../clock.ts";
import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { ValueCache } from "./value-cache.ts";
import type { StoredValue } from "./worker/values.ts";

/** One namespace of values in the file. Expiry goes by `clock`. */
export function createKeyed(calls: Calls, known: ValueCache, clock: Clock, namespace: string): Keyed {
  function change<T>(key: string, write: () => Promise<T>, leaves: (result: T) => StoredValue | "unknown"): Promise<T> {
    return known.change(namespace, key, write, leaves);
  }

  function set(write: Calls["write"], key: string, text: string, ttlMs: number | undefined): Promise<void> {
    const expiresAt = expiry(clock, ttlMs);
    return change(
      key,
      () => write("setValue", namespace, key, text, expiresAt),
      () => ({ text, expiresAt }),
    );
  }

  return {
    get: (key) => known.read(namespace, key, () => calls.read("getValue", namespace, key, clock.now())),
    fresh: (key) => known.fresh(namespace, key),
    set: (key, text, ttlMs) => set(calls.write, key, text, ttlMs),
    delete: (key) =>
      change(
        key,
        () => calls.write("deleteValue", namespace, key),
        () => null,
      ),
    note: (key, text, ttlMs) => set(calls.later, key, text, ttlMs),
    take: (key) =>
      change(
        key,
        () => calls.write("takeValue", namespace, key, clock.now()),
        () => null,
      ),
    replace(key, expected, value, ttlMs) {
      const expiresAt = expiry(clock, ttlMs);
      return change(
        key,
        () => calls.write("replaceValue", namespace, key, { expected, value, expiresAt }, clock.now()),
        (done) => leftBy(done, value, expiresAt),
      );
    },
    scan: (query) => calls.read("scanValues", namespace, query, clock.now()),
  };
}

/** The stored value after a replacement: the new one if `done`, else unknown. */
export function leftBy(done: boolean, text: string | undefined, expiresAt: number | null): StoredValue | "unknown" {
  if (!done) return "unknown";
  return text === undefined ? null : { text, expiresAt };
}

/** The time of expiry in milliseconds since the epoch; null for never. */
export function expiry(clock: Clock, ttlMs: number | undefined): number | null {
  return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
}
