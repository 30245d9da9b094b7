import { hash } from "node:crypto";

/** One entry of a store in a form that every backend can export and import. Times are milliseconds since the epoch. */
export type Item =
  | { kind: "value"; namespace: string; key: string; text: string; expiresAt: number | null }
  | { kind: "member"; name: string; member: string; score: number }
  /** Comes before the log's entries. `last`: the highest id given so far. */
  | { kind: "log"; log: string; last: number }
  | { kind: "entry"; log: string; id: number; at: number; expiresAt: number; subjects: string[]; data: string }
  /** `digest` as base64url. */
  | { kind: "unique"; digest: string; expiresAt: number }
  | { kind: "timer"; lane: string; id: string; at: number }
  /** A number above every fence that was given so far. */
  | { kind: "fence"; above: number };

/** A store for a tool, while no instance uses it. */
export interface Portable {
  /** Its name in sentences, without a password. */
  name: string;
  /** Every entry that has not expired. The entries of a log come in order of their ids. */
  items(now: number): AsyncIterable<Item>;
  isEmpty(): Promise<boolean>;
  /** Imports the items into an empty store. */
  take(items: AsyncIterable<Item>): Promise<void>;
  close(): Promise<void>;
}

/** The number of entries of each kind, and a checksum: two stores with equal sums have equal content. */
export interface Inventory {
  counts: Record<string, number>;
  sum: string;
}

/** Counts items while they pass through. A fence may be higher in one store, so it does not count for the checksum. */
export function createInventory(): { pass(items: AsyncIterable<Item>): AsyncIterable<Item>; result(): Inventory } {
  const counts: Record<string, number> = {};
  let sum = 0n;

  return {
    async *pass(items) {
      for await (const item of items) {
        counts[item.kind] = (counts[item.kind] ?? 0) + 1;
        // Backends export in different orders, so add the hashes up.
        if (item.kind !== "fence") sum = BigInt.asUintN(128, sum + BigInt(`0x${hash("sha256", written(item))}`));
        yield item;
      }
    },
    result: () => ({ counts, sum: sum.toString(16) }),
  };
}

/** An item as text, independent of the order of its fields. */
function written(item: Item): string {
  return JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
