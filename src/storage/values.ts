import type { Scan, Values } from "./store.ts";

/** What a backend gives for one namespace: texts by key. A time to live is in milliseconds. */
export interface Keyed {
  get(key: string): Promise<string | undefined>;
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
  return {
    async get(key) {
      const text = await keyed.get(checkText(key));
      return text === undefined ? undefined : JSON.parse(text);
    },
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
      const text = await keyed.take(checkText(key));
      return text === undefined ? undefined : JSON.parse(text);
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
