import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { Item, Portable } from "./engine.ts";
import { StorageError } from "./errors.ts";
import { openFile } from "./sqlite/file.ts";
import { isLog } from "./sqlite/texts.ts";

/** The number of items of each kind, and a checksum: two stores with equal sums have equal content. */
export interface Inventory {
  counts: Record<string, number>;
  sum: string;
}

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
  const { db, close } = openFile(path);
  return {
    name: path,
    async *items(now) {
      yield* storedItems(db, now);
    },
    take: (items) => putItems(db, items),
    close: async () => close(),
  };
}

/** Copies everything in `from` into `to`, which must be empty, then reads it back and compares. Marks are not copied. Throws StorageError. */
export async function copyStore(from: Portable, to: Portable, now: number): Promise<Inventory> {
  for await (const _ of to.items(now))
    throw new StorageError(
      `${to.name} is not empty. Nothing was changed. Copy into an empty one, or under another STORE_PREFIX.`,
    );
  const given = createInventory();
  await to.take(given.pass(from.items(now)));
  const copied = await takeInventory(to, now);
  const expected = given.result();
  if (copied.sum === expected.sum) return copied;
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
