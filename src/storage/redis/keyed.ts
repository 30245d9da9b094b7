import type { AtomicKeyed, Keyed, KeyedAdapter } from "../values.ts";
import type { Calls } from "./calls.ts";
import type { Client } from "./client.ts";
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

/** What asks for single values: Keyv's own adapter for Redis over one client. */
export type SingleValues = (client: Client) => Omit<KeyedAdapter, "opts" | "namespace" | "clear">;

/** One namespace of the values in a Redis, whose own time they expire by. `base` is what their keys begin with; where they are not `durable`, nobody waits for the disk. */
export function createKeyed(
  calls: Calls,
  { base, durable }: { base: string; durable: boolean },
  single: SingleValues,
): Keyed {
  const at = (key: string): string => `${calls.prefix}${base}${key}`;
  const keep: Calls["keep"] = durable ? calls.keep : calls.read;
  const write: Calls["write"] = durable ? calls.write : calls.tell;

  async function page(cursor: string, prefix: string, limit: number): Promise<{ cursor: string; keys: string[] }> {
    const match = `${escaped(at(prefix))}*`;
    return calls.read((client) => client.scan(cursor, { MATCH: match, COUNT: Math.max(limit, looksAt) }));
  }

  const set: AtomicKeyed["note"] = (key, text, ttlMs) =>
    keep((client) => single(client).set(at(key), text, wholeTtl(ttlMs)));

  return {
    adapter: {
      opts: {},
      get: (key) => calls.read((client) => single(client).get(at(key))),
      set,
      delete: (key) => keep((client) => single(client).delete(at(key))),
      async clear() {
        let cursor = "0";
        do {
          const found = await page(cursor, "", looksAt);
          if (found.keys.length > 0) await keep((client) => client.unlink(found.keys));
          cursor = found.cursor;
        } while (cursor !== "0");
      },
    },
    atomic: {
      note: set,
      async take(key) {
        return (await write(take, base + key)) ?? undefined;
      },
      replace(key, expected, text, ttlMs) {
        const [before, after] = [expected, text].map((each) => (each === undefined ? ["0", ""] : ["1", each]));
        return write(replace, base + key, ...(before ?? []), ...(after ?? []), wholeTtl(ttlMs) ?? "");
      },
      async scan({ prefix, after, limit }) {
        const { cursor, keys } = await page(after ?? "0", prefix, limit);
        const texts = keys.length === 0 ? [] : await calls.read((client) => client.mGet(keys));
        const entries = keys.flatMap((key, index): [key: string, text: string][] => {
          const text = texts[index];
          // Gone since its key was seen.
          return typeof text === "string" ? [[key.slice(at("").length), text]] : [];
        });
        return { entries, next: cursor === "0" ? undefined : cursor };
      },
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
