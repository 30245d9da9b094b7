import type { Clock } from "../../clock.ts";
import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { KnownValues } from "./known.ts";
import type { Kept } from "./worker/values.ts";

/** One namespace of the values in the file. Expiry goes by `clock`. */
export function createKeyed(calls: Calls, known: KnownValues, clock: Clock, namespace: string): Keyed {
  function change<T>(key: string, write: () => Promise<T>, leaves: (result: T) => Kept | "unknown"): Promise<T> {
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

/** What stands there after a replacement that took place, or did not. */
export function leftBy(done: boolean, text: string | undefined, expiresAt: number | null): Kept | "unknown" {
  if (!done) return "unknown";
  return text === undefined ? null : { text, expiresAt };
}

/** When it ends, in milliseconds since the epoch, or never. */
export function expiry(clock: Clock, ttlMs: number | undefined): number | null {
  return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
}
