import { checkText, hasPassed } from "./checks.ts";
import type { Scan, Store, Values } from "./store.ts";

export function createCommit(transact: Store["transact"]): Store["commit"] {
  return async ({ record, append = [], index = [], wake = [] }) => {
    const { namespace, key, expected, value, ttlMs } = record;
    checkText(key);
    checkText(namespace);
    const was = expected === undefined ? undefined : encode(expected);
    const text = hasPassed(ttlMs) ? undefined : encode(value);
    return transact({ records: [{ namespace, key, was, text, ttlMs }], log: append, index, timers: wake });
  };
}

/** The methods that each backend implements for one namespace: texts by key. A time to live is in milliseconds. */
export interface Keyed {
  get(key: string): Promise<string | undefined>;
  /** Only in backends where a lookup of a missing key is expensive. */
  fresh?(key: string): void;
  set(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  /** As `set`, for writes that nobody waits for. */
  note(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  /** Gets and deletes atomically. */
  take(key: string): Promise<string | undefined>;
  /** If the key has the text `expected` (undefined: absent or expired), sets `text` (undefined: deletes). True if it did. */
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

const usualLimit = 200;

/** The values of one namespace, over any backend. */
export function createValues(namespace: string, keyed: Keyed): Values {
  checkText(namespace);
  async function text(key: string): Promise<string | undefined> {
    return keyed.get(checkText(key));
  }

  return {
    text,
    async get(key) {
      const found = await text(key);
      return found === undefined ? undefined : JSON.parse(found);
    },
    fresh: (key) => keyed.fresh?.(checkText(key)),
    async set(key, value, ttlMs) {
      if (hasPassed(ttlMs)) await keyed.delete(checkText(key));
      else await keyed.set(checkText(key), encode(value), ttlMs);
    },
    async note(key, value, ttlMs) {
      if (hasPassed(ttlMs)) await keyed.delete(checkText(key));
      else await keyed.note(checkText(key), encode(value), ttlMs);
    },
    async delete(key) {
      await keyed.delete(checkText(key));
    },
    async claim(key, value, ttlMs) {
      return keyed.replace(checkText(key), undefined, hasPassed(ttlMs) ? undefined : encode(value), ttlMs);
    },
    async take(key) {
      const taken = await keyed.take(checkText(key));
      return taken === undefined ? undefined : JSON.parse(taken);
    },
    async replace(key, expected, value, ttlMs) {
      const before = expected === undefined ? undefined : encode(expected);
      return keyed.replace(checkText(key), before, hasPassed(ttlMs) ? undefined : encode(value), ttlMs);
    },
    async scan({ prefix = "", after, limit = usualLimit } = {}) {
      const { entries, next } = await keyed.scan({
        prefix: checkText(prefix),
        after,
        limit: Math.max(1, Math.floor(limit)),
      });
      return { entries: entries.map(([key, found]) => [key, JSON.parse(found)]), next };
    },
  };
}

const texts = new WeakMap<object, string>();

/** Freezes a value and remembers its stored text, so that `encode` need not serialise it again. A later change throws. */
export function freezeAs<T extends object>(value: T, text: string): T {
  freeze(value);
  texts.set(value, text);
  return value;
}

function freeze(value: object): void {
  Object.freeze(value);
  for (const part of Object.values(value))
    if (typeof part === "object" && part !== null && !Object.isFrozen(part)) freeze(part);
}

/** The JSON text of a value; for one frozen by `freezeAs` its stored text. Throws TypeError if it is not JSON. */
export function encode(value: unknown): string {
  const frozenText = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  const text = frozenText ?? JSON.stringify(value);
  if (text === undefined) throw new TypeError("Only JSON values can be stored.");
  return text;
}
