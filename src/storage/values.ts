import { Keyv } from "keyv";
import type { Scan, Values } from "./store.ts";

/** What Keyv asks of the store under it, with texts as values. A time to live is the backend's to keep, in milliseconds. */
export interface KeyedAdapter {
  opts: object;
  namespace?: string | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<boolean>;
  clear(): Promise<void>;
}

/** What Keyv has no word for, each in one step, over the same texts. */
export interface AtomicKeyed {
  /** As the adapter's `set`, for what nobody waits for. */
  note(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  take(key: string): Promise<string | undefined>;
  /** Where the key holds `expected` (undefined: nothing that lives), sets `text` (undefined: deletes). True if it held it. */
  replace(
    key: string,
    expected: string | undefined,
    text: string | undefined,
    ttlMs: number | undefined,
  ): Promise<boolean>;
  scan(
    query: Scan & { prefix: string; limit: number },
  ): Promise<{ entries: [key: string, text: string][]; next: string | undefined }>;
}

/** What a backend gives for one namespace. */
export interface Keyed {
  adapter: KeyedAdapter;
  atomic: AtomicKeyed;
}

const usualLimit = 200;

/** The values of one namespace, whatever keeps them: Keyv over the backend's adapter, and beside it the atomic part. */
export function createValues(namespace: string, { adapter, atomic }: Keyed): Values {
  const keyv = new Keyv<unknown>({
    store: adapter,
    namespace: checkText(namespace),
    useKeyPrefix: false,
    throwOnErrors: true,
    // The text is the value alone, so that the atomic part can compare it; Keyv's own date would go by the machine's clock.
    serialize: ({ value }) => encode(value),
    deserialize: (text: string) => ({ value: JSON.parse(text) }),
  });
  return {
    get: async (key) => keyv.get(checkText(key)),
    async set(key, value, ttlMs) {
      // Keyv takes 0 for "forever".
      if (hasPassed(ttlMs)) await keyv.delete(checkText(key));
      else await keyv.set(checkText(key), value, ttlMs);
    },
    async note(key, value, ttlMs) {
      if (hasPassed(ttlMs)) await keyv.delete(checkText(key));
      else await atomic.note(checkText(key), encode(value), ttlMs);
    },
    async delete(key) {
      await keyv.delete(checkText(key));
    },
    async claim(key, value, ttlMs) {
      return atomic.replace(checkText(key), undefined, hasPassed(ttlMs) ? undefined : encode(value), ttlMs);
    },
    async take(key) {
      const text = await atomic.take(checkText(key));
      return text === undefined ? undefined : JSON.parse(text);
    },
    async replace(key, expected, value, ttlMs) {
      const before = expected === undefined ? undefined : encode(expected);
      return atomic.replace(checkText(key), before, hasPassed(ttlMs) ? undefined : encode(value), ttlMs);
    },
    async scan({ prefix = "", after, limit = usualLimit } = {}) {
      const { entries, next } = await atomic.scan({
        prefix: checkText(prefix),
        after,
        limit: Math.max(1, Math.floor(limit)),
      });
      return { entries: entries.map(([key, text]) => [key, JSON.parse(text)]), next };
    },
  };
}

/** The text that stands for a JSON value. Throws TypeError for what is none. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("Only JSON values can be stored.");
  return text;
}

/** Kept as UTF-8, where two different broken strings would become the same text. */
export function checkText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("Keys and names must be well-formed Unicode.");
  return text;
}

/** Whether what is given this time to live is to be absent. */
export function hasPassed(ttlMs: number | undefined): boolean {
  return ttlMs !== undefined && checkTimeToLive(ttlMs) <= 0;
}

export function checkTimeToLive(ttlMs: number): number {
  if (!Number.isFinite(ttlMs)) throw new RangeError("A time to live must be a finite number.");
  return ttlMs;
}
