import type { Scan, Values } from "./store.ts";

/** What a backend gives for one namespace: texts by key. A time to live is in milliseconds. */
export interface Keyed {
  get(key: string): Promise<string | undefined>;
  /** Where looking for nothing costs something. */
  fresh?(key: string): void;
  set(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  /** As `set`, for what nobody waits for. */
  note(key: string, text: string, ttlMs: number | undefined): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  /** Gets and deletes in one step. */
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

const usualLimit = 200;

/** The values of one namespace, whatever keeps them. */
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

/** Freezes what is kept as this text: it is not made into a text again, and whoever changes it throws. */
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

/** The text that stands for a JSON value: of what is frozen that which it is kept as. Throws TypeError for what is none. */
export function encode(value: unknown): string {
  const known = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  const text = known ?? JSON.stringify(value);
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
