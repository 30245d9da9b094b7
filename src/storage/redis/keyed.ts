import type { Keyed } from "../values.ts";
import type { Calls } from "./calls.ts";
import { replace, take } from "./scripts/values.ts";

/** The names of keys are made so that no two of them run together: what is in a part is written without colons. */
export function keyPart(name: string): string {
  return encodeURIComponent(name);
}

/** What the keys of a namespace that lasts begin with, after the prefix of them all. */
export function valueBase(namespace: string): string {
  return `value:${keyPart(namespace)}:`;
}

/** As `valueBase`, for what may be lost. */
export function markBase(namespace: string): string {
  return `mark:${keyPart(namespace)}:`;
}

/** Keys that one call of SCAN looks at, whoever they belong to. */
const looksAt = 1_000;

/** One namespace of the values in a Redis, whose own time they expire by. `base` is what their keys begin with; where they are not `durable`, nobody waits for the disk. */
export function createKeyed(calls: Calls, { base, durable }: { base: string; durable: boolean }): Keyed {
  const at = (key: string): string => `${calls.prefix}${base}${key}`;
  const keep: Calls["keep"] = durable ? calls.keep : calls.read;
  const write: Calls["write"] = durable ? calls.write : calls.tell;

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
      const { cursor, keys } = await calls.read((client) => client.scan(after ?? "0", query));
      const texts = keys.length === 0 ? [] : await calls.read((client) => client.mGet(keys));
      const entries = keys.flatMap((key, index): [key: string, text: string][] => {
        const text = texts[index];
        // Gone since its key was seen.
        return typeof text === "string" ? [[key.slice(at("").length), text]] : [];
      });
      return { entries, next: cursor === "0" ? undefined : cursor };
    },
  };
}

/** As Redis takes it: whole milliseconds, more than none, and a time that it can still add to its own. */
export function wholeTtl(ttlMs: number | undefined): number | undefined {
  return ttlMs === undefined ? undefined : Math.min(Math.max(1, Math.ceil(ttlMs)), 2 ** 52);
}

/** The text as a pattern that only it matches. */
export function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}
