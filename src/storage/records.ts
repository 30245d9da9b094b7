import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import * as z from "zod";
import { RecordUnreadable, StorageError } from "./errors.ts";
import type { Scan, Values } from "./store.ts";
import type { TimeToLive } from "./update.ts";
import { encode, freezeAs } from "./values.ts";

/** Typed, versioned records in one namespace of values. A record that cannot be read throws, and never looks like none. */
export interface Records<T> {
  /** The frozen record, or undefined. Throws RecordUnreadable, here and below, for one that this version cannot read. */
  get(key: string): Promise<T | undefined>;
  set(key: string, record: T, ttlMs?: number): Promise<void>;
  /** See `note` of Values. */
  note(key: string, record: T, ttlMs?: number): Promise<void>;
  /** See `replace` of Values. `expected`: the result of `get` or `freeze`. */
  replace(key: string, expected: T | undefined, record: T, ttlMs?: number): Promise<boolean>;
  /** Freezes a record that a transaction will write, and caches it, so that the next read need not parse it. */
  freeze(key: string, record: T): T;
  delete(key: string): Promise<void>;
  claim(key: string, record: T, ttlMs?: number): Promise<boolean>;
  /** Throws for a record that cannot be read, and leaves it there. */
  take(key: string): Promise<T | undefined>;
  /** See `update` for Values. `change` may run several times; undefined leaves the record as it is. */
  update(key: string, change: (record: T | undefined) => T | undefined, ttl?: TimeToLive<T>): Promise<T | undefined>;
  /** A page of the readable records, and the errors of the others. */
  scan(
    query?: Scan,
  ): Promise<{ records: [key: string, record: T][]; unreadable: RecordUnreadable[]; next: string | undefined }>;
}

export interface RecordKind<T> {
  /** The kind's name in sentences: "request". */
  name: string;
  schema: z.ZodType<T>;
  /** The version written now. A record without `v` has version 1. */
  version: number;
  /** For each earlier version n, a function that turns its fields into those of version n + 1. */
  upcasts?: Readonly<Record<number, (older: unknown) => unknown>>;
  log: Logger;
}

/** Keys of unreadable records that were logged: one that is read every second must not fill the log. */
const mostRemembered = 1_000;

/** In characters of stored text: more than a busy team uses at once. */
const mostParsed = 200_000;

export function createRecords<T extends object>(values: Values, kind: RecordKind<T>): Records<T> {
  const reported = new Set<string>();
  /** Parsed records by key, valid while the stored text is the same. */
  const parsed = new LRUCache<string, { text: string; record: T }>({
    maxSize: mostParsed,
    sizeCalculation: ({ text }) => text.length,
  });

  function parse(key: string, value: unknown): T {
    const read = readRecord(kind, value);
    if ("record" in read) return read.record;
    const error = new RecordUnreadable(kind.name, key, read.why);
    if (!reported.has(key)) {
      if (reported.size >= mostRemembered) reported.clear();
      reported.add(key);
      kind.log.error({ record: kind.name, key, why: read.why }, "a kept record cannot be read");
    }
    throw error;
  }

  function found(key: string, value: unknown): T | undefined {
    return value === undefined ? undefined : parse(key, value);
  }

  function freeze(key: string, record: T, text: string): T {
    parsed.set(key, { text, record: freezeAs(record, text) });
    return record;
  }

  /** Drops a changed record from the cache; returns its key. */
  function forget(key: string): string {
    parsed.delete(key);
    return key;
  }

  function written(record: T): object {
    return { ...record, v: kind.version };
  }

  return {
    async get(key) {
      const text = await values.text(key);
      const cached = parsed.get(key);
      if (text === cached?.text) return cached?.record;
      forget(key);
      return text === undefined ? undefined : freeze(key, parse(key, JSON.parse(text)), text);
    },
    freeze: (key, record) => freeze(key, record, encode(written(record))),
    set: (key, record, ttlMs) => values.set(forget(key), written(record), ttlMs),
    note: (key, record, ttlMs) => values.note(forget(key), written(record), ttlMs),
    replace: (key, expected, record, ttlMs) => values.replace(forget(key), expected, written(record), ttlMs),
    delete: (key) => values.delete(forget(key)),
    claim: (key, record, ttlMs) => values.claim(forget(key), written(record), ttlMs),
    async take(key) {
      let taken: T | undefined;
      await update(
        values,
        forget(key),
        (value) => {
          taken = found(key, value);
          return value;
        },
        // A time to live of 0 deletes it, but only if it is still the record that was read.
        0,
      );
      return taken;
    },
    async update(key, change, ttl) {
      let after: T | undefined;
      await update(
        values,
        forget(key),
        (value) => {
          const before = found(key, value);
          const changed = change(before);
          after = changed ?? before;
          return changed && written(changed);
        },
        typeof ttl === "function" ? () => after && ttl(after) : ttl,
      );
      return after;
    },
    async scan(query) {
      const { entries, next } = await values.scan(query);
      const records: [key: string, record: T][] = [];
      const unreadable: RecordUnreadable[] = [];
      for (const [key, value] of entries) {
        try {
          records.push([key, parse(key, value)]);
        } catch (error) {
          if (!(error instanceof RecordUnreadable)) throw error;
          unreadable.push(error);
        }
      }
      return { records, unreadable, next };
    },
  };
}

/** The record, or the reason why it cannot be read, without any of its content. */
function readRecord<T>(
  { schema, version, upcasts = {} }: RecordKind<T>,
  value: unknown,
): { record: T } | { why: string } {
  let fields = value;
  const writtenBy = versionOf(value);
  if (writtenBy === null) return { why: "its version is no number" };
  if (writtenBy > version) return { why: `a newer version wrote it (format ${writtenBy}; known up to ${version})` };
  for (let from = writtenBy; from < version; from += 1) {
    const upcast = upcasts[from];
    if (!upcast) return { why: `nothing here reads format ${from}` };
    try {
      fields = upcast(fields);
    } catch {
      return { why: `it is not what format ${from} was` };
    }
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return { why: "it has no fields" };
  const parsed = schema.safeParse({ ...fields, v: version });
  if (parsed.success) return { record: parsed.data };
  const field = parsed.error.issues[0]?.path[0];
  // Name only fields of the schema: other parts of an issue may repeat stored content.
  const named = schema instanceof z.ZodObject && typeof field === "string" && field in schema.shape;
  return { why: named ? `its field "${field}" is not what it should be` : "its fields are not what they should be" };
}

/** The record's version; 1 if it names none, null if that is no number. */
function versionOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || !("v" in value)) return 1;
  return typeof value.v === "number" ? value.v : null;
}

async function update(
  values: Values,
  key: string,
  change: (value: unknown) => unknown,
  ttl?: TimeToLive<unknown>,
): Promise<unknown> {
  for (let tries = 0; tries < 100; tries += 1) {
    const before = await values.get(key);
    const after = change(before);
    if (after === undefined) return before;
    if (await values.replace(key, before, after, typeof ttl === "function" ? ttl(after) : ttl)) return after;
  }
  throw new StorageError("Too many changed the same thing at once. Nothing was changed. Try again.");
}
