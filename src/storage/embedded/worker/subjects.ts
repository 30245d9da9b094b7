import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { number, text } from "./columns.ts";

/**
 * Subjects are indexed in blocks of this many entries, once a block is full. So an append writes one row for any number of subjects. The
 * migrations use this number, too.
 */
const blockSize = 512;

/** Two row ids of one log, both exclusive. */
interface Between {
  low: number;
  high: number;
}

export interface SubjectIndex {
  /** Call it after the entry with the row id `last` was written. */
  appended(last: number): void;
  /** Deletes the blocks from `base` on that have no entry left. `first` is the first remaining entry. */
  forget(base: number, first: number): void;
  /** Ids of the entries with all of the subjects (at least one). `last` is the last entry of the log. */
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

  /** Finds entries by the index, in ascending order. */
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

  /** Finds entries by reading each one, in ascending order. */
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

/** The last row id of each full block of a log, from its base to its last entry. */
export function* lastOfBlocks(base: number, last: number): Generator<number> {
  for (let end = base + blockSize - 1; end <= last; end += blockSize) yield end;
}

function blockOf(entry: number): number {
  return Math.floor(entry / blockSize);
}
