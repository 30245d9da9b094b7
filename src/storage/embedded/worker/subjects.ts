import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { number, text } from "./columns.ts";

/**
 * Subjects are indexed a block of this many entries at a time, when the block is full: an append writes its entry alone, however
 * many subjects it bears. The migrations divide by it, too.
 */
const blockSize = 512;

/** Two row ids of one log, neither of them included. */
interface Between {
  low: number;
  high: number;
}

export interface SubjectIndex {
  /** To be called after the entry with the row id `last` was written. */
  appended(last: number): void;
  /** Forgets the blocks from `base` on that have no entry any more, `first` being the first there is. */
  forget(base: number, first: number): void;
  /** The entries that bear all of the subjects, of which there is at least one; `last` is the last entry of their log. */
  find(subjects: readonly string[], between: Between, forward: boolean, last: number): Generator<number>;
}

export function createSubjectIndex(db: DatabaseSync): SubjectIndex {
  const keep = db.prepare("INSERT INTO log_subject (block, subject, entries) VALUES (?, ?, ?)");
  const forget = db.prepare("DELETE FROM log_subject WHERE block >= ? AND block < ?");
  const bearing = db.prepare("SELECT entries FROM log_subject WHERE block = ? AND subject = ?");
  const some = db.prepare("SELECT id, subjects FROM log_entry WHERE id > ? AND id < ? ORDER BY id");

  function bears(row: Record<string, SQLOutputValue>): string[] {
    return JSON.parse(text(row.subjects));
  }

  /** In the order of the entries. */
  function inIndex(block: number, subjects: readonly string[]): number[] {
    let common: number[] | undefined;
    for (const subject of subjects) {
      const row = bearing.get(block, subject);
      if (row === undefined) return [];
      const entries: number[] = JSON.parse(text(row.entries));
      const before: Set<number> = new Set(common ?? entries);
      common = entries.filter((entry) => before.has(entry));
    }
    return (common ?? []).map((entry) => block * blockSize + entry);
  }

  /** In the order of the entries, by looking at each. */
  function inEntries(block: number, subjects: readonly string[], { low, high }: Between): number[] {
    const rows = some.all(Math.max(low, block * blockSize - 1), Math.min(high, (block + 1) * blockSize));
    const found = rows.filter((row) => {
      const borne = bears(row);
      return subjects.every((subject) => borne.includes(subject));
    });
    return found.map(({ id }) => number(id));
  }

  function* find(subjects: readonly string[], between: Between, forward: boolean, last: number): Generator<number> {
    const lowest = blockOf(between.low);
    const highest = blockOf(between.high);
    const filling = blockOf(last + 1);
    for (let step = 0; step <= highest - lowest; step += 1) {
      const block = forward ? lowest + step : highest - step;
      const entries = block < filling ? inIndex(block, subjects) : inEntries(block, subjects, between);
      for (const entry of forward ? entries : entries.reverse()) {
        if (entry > between.low && entry < between.high) yield entry;
      }
    }
  }

  return {
    appended(last) {
      if ((last + 1) % blockSize !== 0) return;
      const block = blockOf(last);
      const index = new Map<string, number[]>();
      for (const row of some.all(block * blockSize - 1, last + 1)) {
        for (const subject of new Set(bears(row))) {
          const entries = index.get(subject) ?? [];
          entries.push(number(row.id) % blockSize);
          index.set(subject, entries);
        }
      }
      for (const [subject, entries] of index) keep.run(block, subject, JSON.stringify(entries));
    },
    forget(base, first) {
      forget.run(blockOf(base), blockOf(first));
    },
    find,
  };
}

/** The row ids with which the blocks of a log were filled, from its base to its last entry. */
export function* lastOfBlocks(base: number, last: number): Generator<number> {
  for (let end = base + blockSize - 1; end <= last; end += blockSize) yield end;
}

function blockOf(entry: number): number {
  return Math.floor(entry / blockSize);
}
