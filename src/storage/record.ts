import { checkText, hasPassed } from "./checks.ts";
import type { Kind } from "./kind.ts";

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
export interface RecordChange {
  namespace: string;
  key: string;
  was: string | undefined;
  /** The new text; undefined deletes the record. */
  text: string | undefined;
  ttlMs: number | undefined;
}

/** Stores another value in its place, for `ttlMs` milliseconds if given; 0 or less deletes it. */
export function replacing<T>(stored: Omit<Stored<T>, "value">, value: T, ttlMs = stored.kind.ttlMs): RecordChange {
  const { kind, key, was } = stored;
  if (kind.lasts === "memory")
    throw new TypeError(`A ${kind.name} is only in memory, so no transaction can include it.`);
  const text = hasPassed(ttlMs) ? undefined : kind.write(value);
  return { namespace: kind.namespace, key: checkText(key), was, text, ttlMs };
}

/** Stores a record that must not exist yet. */
export function creating<T>(kind: Kind<T>, key: string, value: T, ttlMs = kind.ttlMs): RecordChange {
  return replacing({ kind, key, was: undefined }, value, ttlMs);
}

export function deleting<T>({ kind, key, was }: Omit<Stored<T>, "value">): RecordChange {
  return { namespace: kind.namespace, key: checkText(key), was, text: undefined, ttlMs: undefined };
}
