import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { Reading } from "../face.ts";
import type { StoredValue } from "./worker/values.ts";

/**
 * A cache of stored values. No other process writes to the file, so the last read or written value is still valid. A write counts once it
 * is on disk, as for every other reader.
 */
export interface ValueCache {
  /** The cached value, or a promise of the result of `ask`, which is then cached. */
  read(namespace: string, key: string, ask: () => Promise<StoredValue>): Reading<string | undefined>;
  /** Runs `write`, which makes these changes if `written` is true of its result. */
  change<T>(changes: readonly ValueChange[], write: () => Promise<T>, written?: (result: T) => boolean): Promise<T>;
}

/** The result of a write under a key: a text, or nothing. */
interface ValueChange {
  namespace: string;
  key: string;
  text: string | undefined;
  expiresAt: number | null;
}

/** In characters: more than all links and open requests of a busy team. */
const mostKept = 3_000_000;
const sizeOfNone = 100;

export function createValueCache(clock: Clock): ValueCache {
  const known = new LRUCache<string, { kept: StoredValue }>({
    maxSize: mostKept,
    sizeCalculation: ({ kept }, id) => id.length + (kept?.text.length ?? 0) + sizeOfNone,
  });
  /** The last unanswered write or read of each key. During a write the file is asked; a read that a write has overtaken is not cached. */
  const writing = new Map<string, symbol>();
  const reading = new Map<string, symbol>();

  async function ask(id: string, find: () => Promise<StoredValue>): Promise<StoredValue> {
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

  function liveText(kept: StoredValue): string | undefined {
    return kept && (kept.expiresAt === null || kept.expiresAt > clock.now()) ? kept.text : undefined;
  }

  return {
    read(namespace, key, find) {
      const id = idOf(namespace, key);
      const found = writing.has(id) ? undefined : known.get(id);
      return found ? liveText(found.kept) : ask(id, find).then(liveText);
    },
    async change(changes, write, written = () => true) {
      const turn = Symbol();
      const left = changes.map(({ namespace, key, text, expiresAt }) => ({
        id: idOf(namespace, key),
        kept: text === undefined ? null : { text, expiresAt },
      }));
      for (const { id } of left) {
        reading.delete(id);
        writing.set(id, turn);
      }
      let isWritten = false;
      try {
        const result = await write();
        isWritten = written(result);
        return result;
      } finally {
        // Without those that a later write has by now. A write that failed or lost may have left anything.
        const own = left.filter(({ id }) => writing.get(id) === turn);
        for (const { id, kept } of own) {
          if (isWritten) known.set(id, { kept });
          else known.delete(id);
        }
        for (const { id } of own) writing.delete(id);
      }
    },
  };
}

function idOf(namespace: string, key: string): string {
  // The length prefix keeps two different pairs from becoming the same text.
  return `${namespace.length}:${namespace}${key}`;
}
