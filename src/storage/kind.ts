import { LRUCache } from "lru-cache";
import * as z from "zod";
import { RecordUnreadable } from "./errors.ts";

/** A kind of record, declared beside its schema. */
interface Declaration<T> {
  /** Its name in sentences: "request". */
  name: string;
  /** Its own: two kinds with one namespace would overwrite each other's records. */
  namespace: string;
  schema: z.ZodType<T>;
  /** Milliseconds for which a record is kept, unless a write names another time; without it for ever. */
  ttlMs?: number;
  /**
   * "disk" (usual): a write resolves when it is on disk. "soon": it reaches the disk a moment later, together with others, so nobody
   * should wait for it. "memory": all instances share it, but it may vanish with the process.
   */
  lasts?: "disk" | "soon" | "memory";
}

/** Turns the fields of one version into those of the next. Null for a version of which no record is left. */
export type Upcast = ((older: unknown) => unknown) | null;

/** The versions before one, as the keys of a record. */
type Before<Version extends number, Counted extends unknown[] = [unknown]> = Counted["length"] extends Version
  ? never
  : Counted["length"] | Before<Version, [...Counted, unknown]>;

type Versioned<T, Version extends number> = Declaration<T> & {
  /** The version written now, as the field `v`; a record without it has version 1. Without a version the value is stored as it is. */
  version: Version;
} & (Version extends 1
    ? { upcasts?: undefined }
    : {
        /** From each earlier version: the records of one without an upcast would be unreadable. */
        upcasts: Readonly<Record<Before<Version>, Upcast>>;
      });

/** Any of the two, for the code that reads and writes. */
type AnyDeclaration<T> = Declaration<T> & {
  version?: number | undefined;
  upcasts?: Readonly<Record<number, Upcast>> | undefined;
};

/** A kind of record: it writes a record as its stored text, and reads that. */
export interface Kind<T> {
  name: string;
  namespace: string;
  ttlMs: number | undefined;
  lasts: "disk" | "soon" | "memory";
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

/** In characters of stored text: more than a busy team uses at once. */
const mostParsed = 200_000;

/** Only a record with fields has a version: of a text or a list, the field `v` would make an object of its parts. */
export function defineKind<T extends Readonly<Record<string, unknown>>, const Version extends number>(
  declaration: Versioned<T, Version>,
): Kind<T>;
export function defineKind<T>(declaration: Declaration<T> & { version?: undefined }): Kind<T>;
export function defineKind<T>(declaration: AnyDeclaration<T>): Kind<T> {
  const { name, namespace, version, ttlMs, lasts = "disk" } = declaration;
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
    write: (record) => encode(version === undefined || isNamed(record, version) ? record : { ...record, v: version }),
    read(key, text) {
      const before = known.get(key);
      if (before?.text === text) return before.record;
      const read = parse(declaration, text);
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
  for (const part of Object.values(value)) isJson = freeze(part) && isJson;
  if (isJson) Object.freeze(value);
  return isJson;
}

function encode(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("Only JSON values can be stored.");
  return text;
}

/** The record, or the reason why it cannot be read, without any of its content. */
function parse<T>(declaration: AnyDeclaration<T>, text: string): { record: T } | { why: string } {
  const { schema, version, upcasts = {} } = declaration;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // The message of a SyntaxError quotes the text.
    return { why: "it is no JSON" };
  }
  if (version === undefined) return checked(schema, stored);
  let fields = stored;
  const writtenBy = versionOf(stored);
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
  return checked(schema, isNamed(fields, version) ? fields : { ...fields, v: version });
}

function checked<T>(schema: z.ZodType<T>, value: unknown): { record: T } | { why: string } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const field = parsed.error.issues[0]?.path[0];
  // Name only fields of the schema: other parts of an issue may repeat stored content.
  const named = schema instanceof z.ZodObject && typeof field === "string" && field in schema.shape;
  return { why: named ? `its field "${field}" is not what it should be` : "it is not what it should be" };
}

/** True if the record itself names this version. It is not copied then: 30 µs of a command. */
function isNamed(record: unknown, version: number): boolean {
  return typeof record === "object" && record !== null && "v" in record && record.v === version;
}

/** The record's version; 1 if it names none, null if that is no number. */
function versionOf(value: unknown): number | null {
  if (typeof value !== "object" || value === null || !("v" in value)) return 1;
  return typeof value.v === "number" ? value.v : null;
}
