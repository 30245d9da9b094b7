import { StorageError } from "./errors.ts";
import type { Values } from "./store.ts";

/** Each failed try means that another writer succeeded, so this many in a row are no coincidence. */
const mostTries = 100;

/** A time to live in milliseconds, or a function of the new value. */
export type TimeToLive<T> = number | ((value: T) => number | undefined);

/**
 * Reads, changes and replaces the value, and repeats that if another writer came between, so that no change is lost. `change` gets the
 * result of `get` and may run several times; if it returns undefined, nothing is written. Resolves with the final value. Throws
 * StorageError, with nothing changed, after 100 failed tries.
 */
export async function update(
  values: Values,
  key: string,
  change: (value: unknown) => unknown,
  ttl?: TimeToLive<unknown>,
): Promise<unknown> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await values.get(key);
    const after = change(before);
    if (after === undefined) return before;
    if (await values.replace(key, before, after, typeof ttl === "function" ? ttl(after) : ttl)) return after;
  }
  throw new StorageError("Too many changed the same thing at once. Nothing was changed. Try again.");
}
