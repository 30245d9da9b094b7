import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { Item, Portable } from "./engine.ts";
import { StorageError } from "./errors.ts";
import { inWords } from "./sqlite/failures.ts";
import { openFile, openToRead } from "./sqlite/file.ts";
import { isLog } from "./sqlite/texts.ts";

/** The number of items of each kind, and a checksum: two stores with equal sums have equal content. */
export interface Inventory {
  counts: Record<string, number>;
  sum: string;
}

/**
 * Opens the store at a URL (see `openStore`) for a tool, while no instance uses it. One that is only read must be there, and stays as it
 * is. Throws StorageError.
 */
export async function openPortable(options: {
  url: string;
  prefix: string;
  log: Logger;
  to: "read" | "fill";
}): Promise<Portable> {
  const { url, to } = options;
  if (/^rediss?:/i.test(url)) {
    const { openPortableRedis } = await import("./redis/portable.ts");
    return openPortableRedis(options);
  }
  const path = /^sqlite:(.+)$/is.exec(url)?.[1];
  if (path === undefined)
    throw new StorageError("A store is named as in STORE_URL: sqlite:data/rackbell.db or redis://…");
  const { db, close } = to === "read" ? openToRead(path) : openFile(path);
  return {
    name: path,
    async *items(now) {
      try {
        yield* storedItems(db, now);
      } catch (cause) {
        throw new StorageError(`The store ${path} cannot be read to its end. ${inWords(cause).message}`, { cause });
      }
    },
    async take(items) {
      try {
        await putItems(db, items);
      } catch (cause) {
        throw inWords(cause);
      }
    },
    close: async () => close(),
  };
}

/** Copies everything in `from`, which must have something, into `to`, which must be empty, then reads it back and compares. Marks are not copied. Throws StorageError. */
export async function copyStore(from: Portable, to: Portable, now: number): Promise<Inventory> {
  if (await isEmpty(from, now))
    throw new StorageError(
      `${from.name} has no records. Nothing was copied. Look at the address, and at STORE_PREFIX for a Redis.`,
    );
  if (!(await isEmpty(to, now)))
    throw new StorageError(
      `${to.name} is not empty. Nothing was changed. Copy into an empty one, or under another STORE_PREFIX.`,
    );
  const given = createInventory();
  try {
    await to.take(given.pass(from.items(now)));
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    throw new StorageError(
      `${cause.message} The copy in ${to.name} is not complete. Do not use it: empty or remove it, and copy again.`,
      { cause },
    );
  }
  const copied = await takeInventory(to, now);
  const expected = given.result();
  if (copied.sum === expected.sum) return copied;
  const countsOf = ({ counts }: Inventory): string => JSON.stringify(counts);
  throw new StorageError(
    `The copy in ${to.name} differs from ${from.name} (${countsOf(copied)} instead of ${countsOf(expected)}). Do not use the copy: empty it, and copy again.`,
  );
}

async function isEmpty(store: Portable, now: number): Promise<boolean> {
  for await (const _ of store.items(now)) return false;
  return true;
}

export async function takeInventory(store: Portable, now: number): Promise<Inventory> {
  const inventory = createInventory();
  for await (const _ of inventory.pass(store.items(now)));
  return inventory.result();
}

/** Counts items while they pass through. */
function createInventory(): { pass(items: AsyncIterable<Item>): AsyncIterable<Item>; result(): Inventory } {
  const counts: Record<string, number> = {};
  let sum = 0n;
  return {
    async *pass(items) {
      for await (const item of items) {
        counts[item.kind] = (counts[item.kind] ?? 0) + 1;
        const text = JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
        // Backends export in different orders, so add the hashes up.
        sum = BigInt.asUintN(128, sum + BigInt(`0x${hash("sha256", text)}`));
        yield item;
      }
    },
    result: () => ({ counts, sum: sum.toString(16) }),
  };
}

/** Every text, member and counter of the file that has not expired. */
export function* storedItems(db: DatabaseSync, now: number): Generator<Item> {
  for (const row of db
    .prepare("SELECT key, text, ends FROM text WHERE key <> 'value:~ready' AND (ends IS NULL OR ends > ?)")
    .iterate(now))
    yield {
      kind: "text",
      key: String(row.key),
      text: String(row.text),
      endsAt: row.ends === null ? null : Number(row.ends),
    };
  for (const row of db
    .prepare("SELECT name, member, score FROM member UNION ALL SELECT name, member, score FROM appended")
    .iterate())
    yield { kind: "member", index: String(row.name), member: String(row.member), score: Number(row.score) };
  for (const row of db.prepare("SELECT name, number FROM counter").iterate())
    yield { kind: "counter", counter: String(row.name), number: Number(row.number) };
}

/** Puts the items into an empty file, in one transaction. */
async function putItems(db: DatabaseSync, items: AsyncIterable<Item>): Promise<void> {
  const text = db.prepare("INSERT INTO text (key, text, ends) VALUES (?, ?, ?)");
  const member = db.prepare("INSERT INTO member (name, member, score) VALUES (?, ?, ?)");
  const appended = db.prepare("INSERT INTO appended (name, member, score) VALUES (?, ?, ?)");
  const counter = db.prepare("INSERT INTO counter (name, number) VALUES (?, ?)");
  db.exec("BEGIN");
  for await (const item of items) {
    if (item.kind === "text") text.run(item.key, item.text, item.endsAt);
    else if (item.kind === "member") (isLog(item.index) ? appended : member).run(item.index, item.member, item.score);
    else counter.run(item.counter, item.number);
  }
  db.exec("COMMIT");
}
