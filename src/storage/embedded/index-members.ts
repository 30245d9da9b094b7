import { checkText } from "../checks.ts";
import type { Index, Range } from "../store.ts";
import type { Calls } from "./calls.ts";

const usualLimit = 100;

/**
 * One ordered index in the file. `used`: names of the indexes that may have members. No other process writes to the file, so an unused
 * index is known to be empty. `check` throws after the opening is closed.
 */
export function createIndex(calls: Calls, used: Set<string>, check: () => void, name: string): Index {
  checkText(name);
  return {
    async range(query = {}) {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, after, limit = usualLimit } = query;
      check();
      if (limit < 1 || Number.isNaN(from) || Number.isNaN(to) || !used.has(name))
        return { entries: [], next: undefined };
      const count = Math.floor(limit);
      const found = { from, to, after: after === undefined ? undefined : place(after), limit: count };
      const entries = await calls.read("rangeOfIndex", name, found);
      // A transaction during this read is not answered yet; its `finally` adds the name again.
      if (entries.length === 0 && isAll(query)) used.delete(name);
      const last = entries.at(-1);
      return { entries, next: last && entries.length === count ? `${last.score} ${last.member}` : undefined };
    },
    async size() {
      check();
      return used.has(name) ? calls.read("sizeOfIndex", name) : 0;
    },
  };
}

function isAll({ from, to, after }: Range): boolean {
  return from === undefined && to === undefined && after === undefined;
}

function place(cursor: string): { score: number; member: string } {
  const blank = cursor.indexOf(" ");
  return { score: Number(cursor.slice(0, blank)), member: cursor.slice(blank + 1) };
}
