import type { DatabaseSync } from "node:sqlite";
import { number } from "./columns.ts";

/**
 * The index of subjects is kept in blocks of this many entries, so that an append touches a few pages however long the log is.
 * The migrations divide by it, too.
 */
const blockSize = 4_096;

/** Two row ids of one log, neither of them included. */
interface Between {
  low: number;
  high: number;
}

export interface SubjectIndex {
  keep(entry: number, subjects: readonly string[]): void;
  forget(entry: number, subjects: readonly string[]): void;
  /** The entries that bear all of the subjects, of which there is at least one. */
  find(subjects: readonly string[], between: Between, forward: boolean): Generator<number>;
}

export function createSubjectIndex(db: DatabaseSync): SubjectIndex {
  const keep = db.prepare("INSERT OR IGNORE INTO log_subject (block, subject, entry) VALUES (?, ?, ?)");
  const forget = db.prepare("DELETE FROM log_subject WHERE block = ? AND subject = ? AND entry = ?");
  const bears = db.prepare("SELECT 1 FROM log_subject WHERE block = ? AND subject = ? AND entry = ?");
  const occurs = db.prepare("SELECT 1 FROM log_subject WHERE block = ? AND subject = ? LIMIT 1");
  const entries = "SELECT entry FROM log_subject WHERE block = ? AND subject = ? AND entry > ? AND entry < ?";
  const forwards = db.prepare(`${entries} ORDER BY entry`);
  const backwards = db.prepare(`${entries} ORDER BY entry DESC`);

  const blockOf = (entry: number): number => Math.floor(entry / blockSize);

  function* within(block: number, subjects: readonly string[], { low, high }: Between, forward: boolean) {
    // Most blocks know nothing of a rare subject, and are passed over at once.
    if (!subjects.every((subject) => occurs.get(block, subject))) return;
    const [first = "", ...others] = subjects;
    for (const row of (forward ? forwards : backwards).iterate(block, first, low, high)) {
      const entry = number(row.entry);
      if (others.every((subject) => bears.get(block, subject, entry))) yield entry;
    }
  }

  function* find(subjects: readonly string[], between: Between, forward: boolean): Generator<number> {
    const lowest = blockOf(between.low);
    const highest = blockOf(between.high);
    for (let step = 0; step <= highest - lowest; step += 1) {
      yield* within(forward ? lowest + step : highest - step, subjects, between, forward);
    }
  }

  return {
    keep(entry, subjects) {
      for (const subject of subjects) keep.run(blockOf(entry), subject, entry);
    },
    forget(entry, subjects) {
      for (const subject of subjects) forget.run(blockOf(entry), subject, entry);
    },
    find,
  };
}
