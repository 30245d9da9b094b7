import { LRUCache } from "lru-cache";
import * as z from "#zod";
import type { Lasting } from "./engine.ts";
import { RecordUnreadable } from "./errors.ts";

/** Turns a record of one format into one of the next. */
export type Upcast = (older: unknown) => unknown;

/** A kind of record, declared beside its schema. */
interface Declaration<T> {
  /** Its name in sentences: "request". */
  name: string;
  /** Its own: two kinds with one namespace would overwrite each other's records. */
  namespace: string;
  schema: z.ZodType<T>;
  /**
   * From format 1 to 2, from 2 to 3, and so on: what is written now has one format more than there are upcasts. A format after the first
   * stands beside the fields, as `v`, so only a record with fields can come to have one.
   */
  upcasts?: [T] extends [Readonly<Record<string, unknown>>] ? readonly Upcast[] : undefined;
  /** Milliseconds for which a record is kept, unless a write names another time; without it for ever. */
  ttlMs?: number;
  /**
   * "disk" is usual; nobody should wait for "soon". "memory": all instances share it, but it may vanish with the process.
   */
  lasts?: Lasting | "memory";
}

/** A kind of record: it writes a record as its stored text, and reads that. */
export interface Kind<T> {
  name: string;
  namespace: string;
  ttlMs: number | undefined;
  lasts: Lasting | "memory";
  /** The stored text. Throws TypeError if it is not JSON. */
  write(record: T): string;
  /** The frozen record. Throws RecordUnreadable for a text that this version cannot read. */
  read(key: string, text: string): T;
  /**
   * Freezes a record that was stored as this text, for the next `read`. Only for a record whose every field is as its schema gives it:
   * another one would be readable until the next start. One with undefined values is read from its text.
   */
  remember(key: string, text: string, record: T): void;
}

/** The start of the keys of a kind in the store. */
export function baseOf({ namespace, lasts = "disk" }: { namespace: string; lasts?: Kind<unknown>["lasts"] }): string {
  return `${lasts === "memory" ? "mark" : "value"}:${encodeURIComponent(namespace)}:`;
}

/** In characters of stored text: more than is at work at once with 200 commands a second, at 3,000 characters each. */
const mostParsed = 500_000;

/** A kind as this version stores it. */
interface StoredForm {
  name: string;
  format: number;
  schema: z.ZodType;
}

const storedForms = new Map<string, StoredForm>();

/** The form of each kind that the loaded modules declare, by its namespace. */
export function declaredForms(): ReadonlyMap<string, StoredForm> {
  return storedForms;
}

export function defineKind<T>(declaration: Declaration<T>): Kind<T> {
  const { name, namespace, schema, ttlMs, lasts = "disk" } = declaration;
  const upcasts: readonly Upcast[] = declaration.upcasts ?? [];
  const format = upcasts.length + 1;
  storedForms.set(namespace, { name, format, schema });
  /** Read records by key, valid while the stored text is the same: parsing costs more than the rest of a read. */
  const known = new LRUCache<string, { text: string; record: T }>({
    maxSize: mostParsed,
    sizeCalculation: ({ text }) => text.length,
  });

  return {
    name,
    namespace,
    ttlMs,
    lasts,
    write: (record) => encode(format === 1 ? record : { ...record, v: format }),
    read(key, text) {
      const before = known.get(key);
      if (before?.text === text) return before.record;
      const read = parse(schema, upcasts, text);
      if ("why" in read) throw new RecordUnreadable(name, key, read.why);
      freeze(read.record);
      known.set(key, { text, record: read.record });
      return read.record;
    },
    remember(key, text, record) {
      if (freeze(record)) known.set(key, { text, record });
    },
  };
}

/**
 * Freezes a record, since every reader gets the same object and none may change it for the others. False if a value in it is undefined: JSON
 * leaves that out, so the record is not what its text reads as. What holds such a value stays unfrozen, so a frozen part holds none.
 */
function freeze(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined;
  if (Object.isFrozen(value)) return true;
  let isJson = true;
  for (const name in value) isJson = freeze(Reflect.get(value, name)) && isJson;
  if (isJson) Object.freeze(value);
  return isJson;
}

function encode(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("Only JSON values can be stored.");
  return text;
}

/** The record, or the reason why it cannot be read, without any of its content. */
function parse<T>(schema: z.ZodType<T>, upcasts: readonly Upcast[], text: string): { record: T } | { why: string } {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // The message of a SyntaxError quotes the text.
    return { why: "it is no JSON" };
  }
  const { format, rest } = takenApart(stored);
  if (!Number.isSafeInteger(format) || format < 1) return { why: "its format is unknown" };
  const newest = upcasts.length + 1;
  if (format > newest) return { why: `a newer version wrote it (format ${format}; known up to ${newest})` };
  let record = rest;
  for (const [at, upcast] of upcasts.entries()) {
    if (at + 1 < format) continue;
    try {
      record = upcast(record);
    } catch {
      return { why: `it is not what format ${at + 1} was` };
    }
  }
  return checked(schema, record);
}

function checked<T>(schema: z.ZodType<T>, value: unknown): { record: T } | { why: string } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const field = parsed.error.issues[0]?.path[0];
  // Name only fields of the schema: other parts of an issue may repeat stored content.
  const named = schema instanceof z.ZodObject && typeof field === "string" && field in schema.shape;
  return { why: named ? `its field "${field}" is not what it should be` : "it is not what it should be" };
}

/** The format (NaN if it is no number) and the rest: without one it is of the first. */
function takenApart(stored: unknown): { format: number; rest: unknown } {
  if (typeof stored !== "object" || stored === null || !("v" in stored)) return { format: 1, rest: stored };
  const { v, ...rest } = stored;
  return { format: typeof v === "number" ? v : Number.NaN, rest };
}
