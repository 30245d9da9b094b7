import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";
import { escaped, wholeTtl } from "./names.ts";
import { replace, take } from "./scripts/values.ts";

/** Keys that one SCAN call visits, whichever namespace they belong to. */
const looksAt = 1_000;

/**
 * One namespace of values in Redis; they expire by Redis's clock. `base`: the start of its keys. Unless `durable`, writes do not wait for
 * the disk.
 */
export function createKeyed(calls: Calls, { base, durable }: { base: string; durable: boolean }): Keyed {
  const at = (key: string): string => `${calls.prefix}${base}${key}`;
  const keep: Calls["keep"] = durable ? calls.keep : calls.read;
  const write: Calls["write"] = durable ? calls.write : calls.writeVolatile;

  const set: Keyed["set"] = (key, text, ttlMs) => {
    const value = wholeTtl(ttlMs);
    return keep((client) =>
      client.set(at(key), text, value === undefined ? {} : { expiration: { type: "PX", value } }),
    );
  };

  return {
    get: async (key) => (await calls.read((client) => client.get(at(key)))) ?? undefined,
    set,
    note: set,
    delete: (key) => keep((client) => client.unlink(at(key))),
    async take(key) {
      return (await write(take, base + key)) ?? undefined;
    },
    replace(key, expected, text, ttlMs) {
      const [before, after] = [expected, text].map((each) => (each === undefined ? ["0", ""] : ["1", each]));
      return write(replace, base + key, ...(before ?? []), ...(after ?? []), wholeTtl(ttlMs) ?? "");
    },
    async scan({ prefix, after, limit }) {
      const query = { MATCH: `${escaped(at(prefix))}*`, COUNT: Math.max(limit, looksAt) };
      const { cursor, keys } = await calls.read(async (client) => {
        // SCAN reads its server's keys, and does not report that another node has them by now. EXISTS in the same batch does.
        const [found] = await Promise.all([client.scan(after ?? "0", query), client.exists(at(""))]);
        return found;
      });
      const texts = keys.length === 0 ? [] : await calls.read((client) => client.mGet(keys));
      const entries = keys.flatMap((key, index): [key: string, text: string][] => {
        const text = texts[index];
        // Skips a key that was deleted after SCAN found it.
        return typeof text === "string" ? [[key.slice(at("").length), text]] : [];
      });
      return { entries, next: cursor === "0" ? undefined : cursor };
    },
  };
}
