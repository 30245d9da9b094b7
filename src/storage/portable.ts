import { hash } from "node:crypto";

/** One thing that a store keeps, as every backend can give and take it. Times are milliseconds since the epoch. */
export type Item =
  | { kind: "value"; namespace: string; key: string; text: string; expiresAt: number | null }
  | { kind: "member"; name: string; member: string; score: number }
  /** Before its entries. `last`: the id that was last given. */
  | { kind: "log"; log: string; last: number }
  | { kind: "entry"; log: string; id: number; at: number; expiresAt: number; subjects: string[]; data: string }
  /** `digest` as base64url. */
  | { kind: "unique"; digest: string; expiresAt: number }
  | { kind: "wakeup"; lane: string; id: string; at: number }
  /** A number above every fence that a lock has had. */
  | { kind: "fence"; above: number };

/** A store that nobody is at work on, for a tool. */
export interface Portable {
  /** What names it, without a password. */
  name: string;
  /** All that it keeps and that has not expired; the entries of a log by their ids. */
  items(now: number): AsyncIterable<Item>;
  isEmpty(): Promise<boolean>;
  /** Into an empty store. */
  take(items: AsyncIterable<Item>): Promise<void>;
  close(): Promise<void>;
}

/** How many there are of each kind, and what they come to: two stores with the same sums keep the same. */
export interface Inventory {
  counts: Record<string, number>;
  sum: string;
}

/** Counts the items as they pass. A fence may be higher in one store than in another, and is only counted. */
export function createInventory(): { pass(items: AsyncIterable<Item>): AsyncIterable<Item>; result(): Inventory } {
  const counts: Record<string, number> = {};
  let sum = 0n;

  return {
    async *pass(items) {
      for await (const item of items) {
        counts[item.kind] = (counts[item.kind] ?? 0) + 1;
        // A sum, so that the order says nothing: no two backends have the same.
        if (item.kind !== "fence") sum = BigInt.asUintN(128, sum + BigInt(`0x${hash("sha256", written(item))}`));
        yield item;
      }
    },
    result: () => ({ counts, sum: sum.toString(16) }),
  };
}

/** An item as a text in which the order of its fields says nothing. */
function written(item: Item): string {
  return JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
