import type { Clock } from "../../clock.ts";
import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";

/** One namespace of the values in the file. Expiry goes by `clock`. */
export function createKeyed(calls: Calls, clock: Clock, namespace: string): Keyed {
  return {
    adapter: {
      opts: {},
      get: (key) => calls.read("getValue", namespace, key, clock.now()),
      set: (key, text, ttlMs) => calls.write("setValue", namespace, key, text, expiry(clock, ttlMs)),
      delete: (key) => calls.write("deleteValue", namespace, key),
      clear: () => calls.write("clearValues", namespace),
    },
    atomic: {
      take: (key) => calls.write("takeValue", namespace, key, clock.now()),
      replace: (key, expected, value, ttlMs) =>
        calls.write("replaceValue", namespace, key, { expected, value, expiresAt: expiry(clock, ttlMs) }, clock.now()),
      scan: (query) => calls.read("scanValues", namespace, query, clock.now()),
    },
  };
}

/** When it ends, in milliseconds since the epoch, or never. */
export function expiry(clock: Clock, ttlMs: number | undefined): number | null {
  return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
}
