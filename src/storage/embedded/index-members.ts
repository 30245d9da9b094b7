import { checkScore } from "../index-place.ts";
import type { Index } from "../store.ts";
import { checkText } from "../values.ts";
import type { Calls } from "./calls.ts";

const usualLimit = 100;

/** One of the ordered indexes in the file. */
export function createIndex(calls: Calls, name: string): Index {
  checkText(name);
  return {
    async put(member, score) {
      await calls.write("putInIndex", name, checkText(member), checkScore(score));
    },
    async remove(member) {
      await calls.write("removeFromIndex", name, checkText(member));
    },
    async range(query = {}) {
      const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, after, limit = usualLimit } = query;
      if (limit < 1 || Number.isNaN(from) || Number.isNaN(to)) return { entries: [], next: undefined };
      const count = Math.floor(limit);
      const found = { from, to, after: after === undefined ? undefined : place(after), limit: count };
      const entries = await calls.read("rangeOfIndex", name, found);
      const last = entries.at(-1);
      return { entries, next: last && entries.length === count ? `${last.score} ${last.member}` : undefined };
    },
    size: () => calls.read("sizeOfIndex", name),
  };
}

function place(cursor: string): { score: number; member: string } {
  const blank = cursor.indexOf(" ");
  return { score: Number(cursor.slice(0, blank)), member: cursor.slice(blank + 1) };
}
