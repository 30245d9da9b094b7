import { StorageError } from "./errors.ts";
import type { Kind } from "./kind.ts";
import { replacing } from "./record.ts";
import type { Store } from "./store.ts";

/** Each failed try means that another writer succeeded, so this many in a row are no coincidence. */
const mostTries = 100;

/**
 * Reads and replaces a record, and repeats that if another writer came between, so that no change is lost. `change` may run several times;
 * if it returns undefined, nothing is written. `ttlOf`: the new record's time to live in milliseconds. Resolves with the final record.
 * Throws StorageError, with nothing changed, after 100 failed tries.
 */
export async function update<T>(
  store: Pick<Store, "read" | "transact">,
  kind: Kind<T>,
  key: string,
  change: (record: T | undefined) => T | undefined,
  ttlOf: (record: T) => number | undefined = () => kind.ttlMs,
): Promise<T | undefined> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await store.read(kind, key);
    const after = change(before.value);
    if (after === undefined) return before.value;
    if (await store.transact({ records: [replacing(before, after, ttlOf(after))] })) return after;
  }
  throw new StorageError("Too many changed the same record at once. Nothing was changed. Try again.");
}
