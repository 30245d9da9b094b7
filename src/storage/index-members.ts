import { checkText } from "./checks.ts";
import type { Engine, Member } from "./engine.ts";
import type { Index } from "./store.ts";

const usualLimit = 100;

/** One ordered index. */
export function createIndex(engine: Engine, name: string): Index {
  checkText(name);
  return {
    async range({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, after, limit = usualLimit } = {}) {
      const count = Math.floor(limit);
      if (count < 1 || Number.isNaN(from) || Number.isNaN(to)) return { entries: [], next: undefined };
      const place = after === undefined ? undefined : placeOf(after);
      const entries = await engine.range(name, { from, to, after: place, limit: count });
      const last = entries.at(-1);
      return { entries, next: last && entries.length === count ? `${last.score} ${last.member}` : undefined };
    },
    size: async () => engine.size(name),
  };
}

function placeOf(cursor: string): Member {
  const blank = cursor.indexOf(" ");
  return { score: Number(cursor.slice(0, blank)), member: cursor.slice(blank + 1) };
}
