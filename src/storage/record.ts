import { checkText, hasPassed } from "./checks.ts";
import type { TextChange } from "./engine.ts";
import { baseOf, type Kind } from "./kind.ts";

/** A record as it was read: a transaction changes it only if it is still stored so. */
export interface Stored<T> {
  kind: Kind<T>;
  key: string;
  /** Undefined if there is none. */
  value: T | undefined;
  /** The stored text; undefined if there is none. */
  was: string | undefined;
}

/** The change of one record in a transaction, made by `replacing`, `creating` or `deleting`. */
export interface RecordChange extends TextChange {
  namespace: string;
  lasts: Kind<unknown>["lasts"];
}

/** Stores another value in its place, for `ttlMs` milliseconds if given; 0 or less deletes it, while to a `TypedKeyv` 0 means for ever. */
export function replacing<T>(stored: Omit<Stored<T>, "value">, value: T, ttlMs = stored.kind.ttlMs): RecordChange {
  const { kind } = stored;
  if (kind.lasts === "memory")
    throw new TypeError(`A ${kind.name} is only in memory, so no transaction can include it.`);
  const text = hasPassed(ttlMs) ? undefined : kind.write(value);
  return { ...placeOf(stored), text, ttlMs };
}

/** Stores a record that must not exist yet. */
export function creating<T>(kind: Kind<T>, key: string, value: T, ttlMs = kind.ttlMs): RecordChange {
  return replacing({ kind, key, was: undefined }, value, ttlMs);
}

export function deleting<T>(stored: Omit<Stored<T>, "value">): RecordChange {
  return { ...placeOf(stored), text: undefined };
}

function placeOf<T>({ kind, key, was }: Omit<Stored<T>, "value">): Omit<RecordChange, "text"> {
  const { namespace, lasts } = kind;
  return { namespace, lasts, key: baseOf(kind) + checkText(key), was: was ?? null };
}

const storedText = Symbol("stored text");

/**
 * The record, marked with the text that it is stored as, so that it can be handed on alone. The mark is in no JSON, and a copy by spreading
 * carries it along: what is made of a record replaces that record.
 */
export function marked<T extends object>(value: T, text: string | undefined): T {
  return storedText in value && value[storedText] === text ? value : { ...value, [storedText]: text };
}

/** The text with which the record was marked. Throws TypeError for one that was never stored. */
export function recordText(record: object): string {
  const text = storedText in record ? record[storedText] : undefined;
  if (typeof text !== "string") throw new TypeError("This record was not read from the store.");
  return text;
}
