import type { Logger } from "pino";
import { openPortableFile } from "./embedded/portable.ts";
import { StorageError } from "./errors.ts";
import { createInventory, type Inventory, type Portable } from "./portable.ts";

/** Opens the store at a URL (see `openStore`) for a tool, while no instance uses it. Throws StorageError. */
export async function openPortable(options: { url: string; prefix: string; log: Logger }): Promise<Portable> {
  const { url } = options;
  if (/^rediss?:/i.test(url)) {
    const { openPortableRedis } = await import("./redis/portable.ts");
    return openPortableRedis(options);
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined)
    throw new StorageError("A store is named as in STORE_URL: sqlite:data/rackbell.db or redis://…");
  return openPortableFile(path);
}

/**
 * Copies everything in `from` into `to`, which must be empty, then reads it back and compares. Resolves with the inventory. Short-lived
 * entries (locks, marks of work in progress) are not copied. Throws StorageError.
 */
export async function copyStore(from: Portable, to: Portable, now: number): Promise<Inventory> {
  if (!(await to.isEmpty())) {
    throw new StorageError(
      `${to.name} is not empty. Nothing was changed. Copy into an empty one, or under another STORE_PREFIX.`,
    );
  }
  const given = createInventory();
  await to.take(given.pass(from.items(now)));
  const copied = await takeInventory(to, now);
  const expected = given.result();
  if (JSON.stringify(copied.counts) === JSON.stringify(expected.counts) && copied.sum === expected.sum) return copied;
  const countsOf = ({ counts }: Inventory): string => JSON.stringify(counts);
  throw new StorageError(
    `The copy in ${to.name} differs from ${from.name} (${countsOf(copied)} instead of ${countsOf(expected)}). Do not use the copy: empty it, and copy again.`,
  );
}

export async function takeInventory(store: Portable, now: number): Promise<Inventory> {
  const inventory = createInventory();
  for await (const _ of inventory.pass(store.items(now)));
  return inventory.result();
}
