import type { Logger } from "pino";
import { openPortableFile } from "./embedded/portable.ts";
import { StorageError } from "./errors.ts";
import { createInventory, type Inventory, type Portable } from "./portable.ts";

export interface PortableOptions {
  url: string;
  prefix: string;
  log: Logger;
}

/** The store that a URL names (see `openStore`), for a tool: nobody may be at work on it. Throws StorageError. */
export async function openPortable({ url, prefix, log }: PortableOptions): Promise<Portable> {
  if (/^rediss?:/i.test(url)) {
    const { openPortableRedis } = await import("./redis/portable.ts");
    return openPortableRedis({ url, prefix, log });
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined)
    throw new StorageError("A store is named as in STORE_URL: sqlite:data/rackbell.db or redis://…");
  return openPortableFile(path);
}

/**
 * Copies all that `from` keeps into `to`, which must be empty, and reads it back: resolves with what there is once both come to
 * the same. What is of a moment (locks, marks of what is under way) stays behind. Throws StorageError.
 */
export async function copyStore(from: Portable, to: Portable, now: number): Promise<Inventory> {
  if (!(await to.isEmpty())) {
    throw new StorageError(
      `${to.name} is not empty. Nothing was changed. Copy into an empty one, or under another STORE_PREFIX.`,
    );
  }
  const given = createInventory();
  await to.take(given.pass(from.items(now)));
  const kept = await takeInventory(to, now);
  const wanted = given.result();
  if (JSON.stringify(kept.counts) === JSON.stringify(wanted.counts) && kept.sum === wanted.sum) return kept;
  const told = ({ counts }: Inventory): string => JSON.stringify(counts);
  throw new StorageError(
    `What was written to ${to.name} is not what ${from.name} keeps (${told(kept)} instead of ${told(wanted)}). Do not use it: empty it, and copy again.`,
  );
}

export async function takeInventory(store: Portable, now: number): Promise<Inventory> {
  const inventory = createInventory();
  for await (const _ of inventory.pass(store.items(now)));
  return inventory.result();
}
