import type { Clock } from "../../clock.ts";
import type { Texts } from "../face.ts";
import type { Calls } from "./calls.ts";
import type { ValueCache } from "./value-cache.ts";

const pageSize = 200;

/** The texts of one namespace in the file. Expiry goes by `clock`. `write`: how a text reaches the disk. */
export function createTexts(
  { calls, known, clock }: { calls: Calls; known: ValueCache; clock: Clock },
  { namespace, write }: { namespace: string; write: Calls["write"] },
): Texts {
  const get = (key: string) => known.read(namespace, key, () => calls.read("getValue", namespace, key, clock.now()));
  return {
    get,
    has: async (key) => (await get(key)) !== undefined,
    set(key, text, ttlMs) {
      const expiresAt = expiry(clock, ttlMs);
      return known.change([{ namespace, key, text, expiresAt }], () =>
        write("setValue", namespace, key, text, expiresAt),
      );
    },
    delete: (key) =>
      known.change([{ namespace, key, text: undefined, expiresAt: null }], () =>
        calls.write("deleteValue", namespace, key),
      ),
    async *scan() {
      for (let after: string | undefined; ; ) {
        const page = await calls.read("scanValues", namespace, after, pageSize, clock.now());
        yield* page;
        after = page.at(-1)?.[0];
        if (page.length < pageSize) return;
      }
    },
  };
}

/** The time of expiry in milliseconds since the epoch; null for never. */
export function expiry(clock: Clock, ttlMs: number | undefined): number | null {
  return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
}
