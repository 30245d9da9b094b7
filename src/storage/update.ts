import { StorageError } from "./errors.ts";
import type { Values } from "./store.ts";

/** Each try is lost to one other writer who got through, so that this many in a row are not bad luck any more. */
const mostTries = 100;

/** A time to live in milliseconds, or how to tell it from the new value. */
export type TimeToLive<T> = number | ((value: T) => number | undefined);

/**
 * Reads, changes and writes, again and again until nobody else has written in between, so that no change undoes another's.
 * `change` gets what `get` gives and may be called several times; undefined as its answer leaves everything as it is. Resolves
 * with what is kept in the end. Throws StorageError, having changed nothing, when it is beaten each of many times.
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
