import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import * as z from "zod";
import { RecordUnreadable } from "./errors.ts";
import type { Scan, Values } from "./store.ts";
import { type TimeToLive, update } from "./update.ts";
import { encode, freezeAs } from "./values.ts";

/** Typed records with a version, over the values of one namespace. A record that cannot be read never looks like none. */
export interface Records<T> {
  /** Frozen; undefined where there is none. Throws RecordUnreadable, here and below, for one that this version cannot read. */
  get(key: string): Promise<T | undefined>;
  set(key: string, record: T, ttlMs?: number): Promise<void>;
  /** As `note` of values. */
  note(key: string, record: T, ttlMs?: number): Promise<void>;
  /** Freezes a record that a batch will write, so that it need not be parsed when it is read. */
  freeze(key: string, record: T): T;
  delete(key: string): Promise<void>;
  claim(key: string, record: T, ttlMs?: number): Promise<boolean>;
  /** One that cannot be read stays where it is. */
  take(key: string): Promise<T | undefined>;
  /** As `update` for values: `change` may run several times, and undefined leaves the record as it is. */
  update(key: string, change: (record: T | undefined) => T | undefined, ttl?: TimeToLive<T>): Promise<T | undefined>;
  /** A page of the readable records, and of those that are not. */
  scan(
    query?: Scan,
  ): Promise<{ records: [key: string, record: T][]; unreadable: RecordUnreadable[]; next: string | undefined }>;
}

export interface RecordKind<T> {
  /** What it is, for people: "request". */
  name: string;
  schema: z.ZodType<T>;
  /** What is written now. What carries no `v` is of version 1. */
  version: number;
  /** How what was written by version n becomes what version n + 1 would have written; one for each version before this. */
  upcasts?: Readonly<Record<number, (older: unknown) => unknown>>;
  log: Logger;
}

/** So that a broken record which is read every second fills no log. */
const mostRemembered = 1_000;

/** In characters of what is kept: more than is at work at once in a busy team. */
const mostParsed = 200_000;

export function createRecords<T extends object>(values: Values, kind: RecordKind<T>): Records<T> {
  const reported = new Set<string>();
  /** What was read or is written: it is not parsed again while it is kept as the same text. */
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

  /** What is erased or replaced need not stay in memory. */
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
      const known = parsed.get(key);
      if (text === known?.text) return known?.record;
      forget(key);
      return text === undefined ? undefined : freeze(key, parse(key, JSON.parse(text)), text);
    },
    freeze: (key, record) => freeze(key, record, encode(written(record))),
    set: (key, record, ttlMs) => values.set(forget(key), written(record), ttlMs),
    note: (key, record, ttlMs) => values.note(forget(key), written(record), ttlMs),
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
        // Deleted by its time to live, and only if it is still what was read.
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

/** The record, or why there is none to be had, in words that tell nothing of its content. */
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
  // Only a name that the schema itself says: everything else in an issue may repeat what is kept.
  const named = schema instanceof z.ZodObject && typeof field === "string" && field in schema.shape;
  return { why: named ? `its field "${field}" is not what it should be` : "its fields are not what they should be" };
}

/** What carries none is of the first. */
function versionOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || !("v" in value)) return 1;
  return typeof value.v === "number" ? value.v : null;
}
