import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { Kept } from "./worker/values.ts";

/**
 * What the file is known to hold: nobody else writes to it, so that what was read or written last is still there, and is not asked of
 * the thread again. What a write leaves counts from when it is on disk, as for every other reader.
 */
export interface KnownValues {
  /** What is known to be on disk, or what `ask` finds there. */
  read(namespace: string, key: string, ask: () => Promise<Kept>): Promise<string | undefined>;
  /** Nothing is there, as whoever has just made the key knows. */
  fresh(namespace: string, key: string): void;
  /** Runs `write`; `leaves` tells from its result what is on disk by then, or that nobody knows. */
  change<T>(
    namespace: string,
    key: string,
    write: () => Promise<T>,
    leaves: (result: T) => Kept | "unknown",
  ): Promise<T>;
}

/** In characters: more than the links and open requests of a busy team come to. */
const mostKept = 3_000_000;
const sizeOfNone = 100;

export function createKnownValues(clock: Clock): KnownValues {
  const known = new LRUCache<string, { kept: Kept }>({
    maxSize: mostKept,
    sizeCalculation: ({ kept }, id) => id.length + (kept?.text.length ?? 0) + sizeOfNone,
  });
  /** The last write or read of each that is not answered yet: of a read that a write has overtaken nothing is remembered. */
  const writing = new Map<string, symbol>();
  const reading = new Map<string, symbol>();

  async function ask(id: string, find: () => Promise<Kept>): Promise<Kept> {
    if (writing.has(id)) return find();
    const turn = Symbol();
    reading.set(id, turn);
    try {
      const kept = await find();
      if (reading.get(id) === turn) known.set(id, { kept });
      return kept;
    } finally {
      if (reading.get(id) === turn) reading.delete(id);
    }
  }

  return {
    async read(namespace, key, find) {
      const id = idOf(namespace, key);
      const found = known.get(id);
      const kept = found ? found.kept : await ask(id, find);
      return kept && (kept.expiresAt === null || kept.expiresAt > clock.now()) ? kept.text : undefined;
    },
    fresh(namespace, key) {
      const id = idOf(namespace, key);
      // Whoever asks or writes already finds out for themselves.
      if (!known.has(id) && !reading.has(id) && !writing.has(id)) known.set(id, { kept: null });
    },
    async change(namespace, key, write, leaves) {
      const id = idOf(namespace, key);
      const turn = Symbol();
      known.delete(id);
      reading.delete(id);
      writing.set(id, turn);
      try {
        const result = await write();
        const left = leaves(result);
        if (writing.get(id) === turn && left !== "unknown") known.set(id, { kept: left });
        return result;
      } finally {
        if (writing.get(id) === turn) writing.delete(id);
      }
    },
  };
}

function idOf(namespace: string, key: string): string {
  // A length before the first text: two pairs never run together into one.
  return `${namespace.length}:${namespace}${key}`;
}
