import type { Clock } from "../../clock.ts";
import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { ValueCache } from "./value-cache.ts";

/** One namespace of values in the file. Expiry goes by `clock`. */
export function createKeyed(calls: Calls, known: ValueCache, clock: Clock, namespace: string): Keyed {
  function set(write: Calls["write"], key: string, text: string, ttlMs: number | undefined): Promise<void> {
    const expiresAt = expiry(clock, ttlMs);
    return known.change([{ namespace, key, text, expiresAt }], () =>
      write("setValue", namespace, key, text, expiresAt),
    );
  }

  const none = (key: string) => [{ namespace, key, text: undefined, expiresAt: null }];
  return {
    get: (key) => known.read(namespace, key, () => calls.read("getValue", namespace, key, clock.now())),
    fresh: (key) => known.fresh(namespace, key),
    set: (key, text, ttlMs) => set(calls.write, key, text, ttlMs),
    delete: (key) => known.change(none(key), () => calls.write("deleteValue", namespace, key)),
    note: (key, text, ttlMs) => set(calls.later, key, text, ttlMs),
    take: (key) => known.change(none(key), () => calls.write("takeValue", namespace, key, clock.now())),
    replace(key, expected, value, ttlMs) {
      const expiresAt = expiry(clock, ttlMs);
      return known.change(
        [{ namespace, key, text: value, expiresAt }],
        () => calls.write("replaceValue", namespace, key, { expected, value, expiresAt }, clock.now()),
        (done) => done,
      );
    },
    scan: (query) => calls.read("scanValues", namespace, query, clock.now()),
  };
}

/** The time of expiry in milliseconds since the epoch; null for never. */
export function expiry(clock: Clock, ttlMs: number | undefined): number | null {
  return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
}
