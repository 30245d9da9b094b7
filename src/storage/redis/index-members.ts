import { checkText } from "../checks.ts";
import type { Index } from "../store.ts";
import type { Calls } from "./calls.ts";
import { keyPart } from "./names.ts";
import { range } from "./scripts/index-members.ts";

const usualLimit = 100;

/** One ordered index in Redis: a sorted set. */
export function createIndex(calls: Calls, plainName: string): Index {
  const name = keyPart(checkText(plainName));
  return {
    async range({ from = -Infinity, to = Infinity, after, limit = usualLimit } = {}) {
      if (limit < 1 || Number.isNaN(from) || Number.isNaN(to)) return { entries: [], next: undefined };
      const count = Math.floor(limit);
      const blank = after?.indexOf(" ") ?? 0;
      const cursor = after === undefined ? ["0", "", ""] : ["1", after.slice(0, blank), after.slice(blank + 1)];
      const flat = await calls.readScript(range, name, bound(from), bound(to), count, ...cursor);
      const entries = [];
      // Redis keeps a negative zero; adding 0 makes it a plain one.
      for (let at = 0; at < flat.length; at += 2)
        entries.push({ member: flat[at] ?? "", score: Number(flat[at + 1]) + 0 });
      const last = entries.at(-1);
      return { entries, next: last && entries.length === count ? `${last.score} ${last.member}` : undefined };
    },
    size: () => calls.read((client) => client.zCard(`${calls.prefix}index:${name}`)),
  };
}

/** A bound in Redis's notation. */
function bound(score: number): string {
  if (Number.isFinite(score)) return String(score);
  return score > 0 ? "+inf" : "-inf";
}
