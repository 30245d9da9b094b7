import type { DatabaseSync } from "node:sqlite";
import { digestOf } from "../../digest.ts";
import { number, numberOrNone } from "./columns.ts";
import { idsPerLog, type LogState, type Logs } from "./logs.ts";
import type { SubjectIndex } from "./subjects.ts";

export interface EntryRow {
  at: number;
  expiresAt: number;
  /** JSON, as `data`. */
  subjects: string;
  data: string;
}

/** Rows that one call deletes at most. */
const portion = 500;

/** Append-only logs. The one writer assigns the next id inside its transaction, so that readers see the log grow only at its end. */
export function createLogWrites(db: DatabaseSync, logs: Logs, subjectIndex: SubjectIndex) {
  const known = db.prepare("SELECT 1 FROM log_unique WHERE digest = ? AND expires_at > ?");
  const keepUnique = db.prepare(`INSERT INTO log_unique (digest, expires_at) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`);
  const keepEntry = db.prepare("INSERT INTO log_entry (id, at, expires_at, subjects, data) VALUES (?, ?, ?, ?, ?)");
  const noteGone = db.prepare("UPDATE log SET last_gone = max(last_gone, ?) WHERE number = ?");
  const oldest = db.prepare(
    `SELECT id, expires_at FROM log_entry WHERE id > ? AND id < ? ORDER BY id LIMIT ${portion}`,
  );
  const first = db.prepare("SELECT min(id) AS id FROM log_entry WHERE id > ? AND id < ?");
  const removeEntry = db.prepare("DELETE FROM log_entry WHERE id = ?");
  const uniquesEnd = db.prepare(
    `SELECT max(digest) AS digest FROM (SELECT digest FROM log_unique WHERE digest > ? ORDER BY digest LIMIT ${portion})`,
  );
  const removeUniques = db.prepare("DELETE FROM log_unique WHERE digest > ? AND digest <= ? AND expires_at <= ?");

  function remove(log: LogState, ids: number[]): void {
    for (const id of ids) removeEntry.run(id);
    // Notes the highest deleted id, so that it is never reused, even if no entry is left.
    noteGone.run((ids.at(-1) ?? log.base) - log.base, log.number);
    subjectIndex.forget(log.base, numberOrNone(first.get(log.base, log.base + idsPerLog)?.id) ?? log.last + 1);
  }

  return {
    /** The new entry's id, or undefined if a unique is known. */
    appendToLog(name: string, entry: EntryRow, uniques: readonly string[], now: number): number | undefined {
      const digests = uniques.map((unique) => digestOf(name, unique));
      if (digests.some((digest) => known.get(digest, now))) return undefined;
      const log = logs.findOrAdd(name);
      log.last += 1;
      const { at, expiresAt, subjects, data } = entry;
      keepEntry.run(log.last, at, expiresAt, subjects, data);
      for (const digest of digests) keepUnique.run(digest, expiresAt);
      subjectIndex.appended(log.last);
      return log.last - log.base;
    },
    /** Deletes expired entries among one portion after `after`. Returns the id to continue from, or undefined if none had expired. */
    sweepLog(name: string, after: number, now: number): number | undefined {
      const log = logs.find(name);
      if (!log) return undefined;
      const rows = oldest.all(log.base + after, log.base + idsPerLog);
      const gone = rows.filter((row) => number(row.expires_at) <= now).map((row) => number(row.id));
      if (gone.length === 0) return undefined;
      remove(log, gone);
      return number(rows.at(-1)?.id) - log.base;
    },
    /** Deletes one portion of the entries up to `through`. Returns true if there may be more. */
    cutLog(name: string, through: number): boolean {
      const log = logs.find(name);
      if (!log) return false;
      const rows = oldest.all(log.base, log.base + Math.min(through + 1, idsPerLog));
      if (rows.length === 0) return false;
      remove(
        log,
        rows.map((row) => number(row.id)),
      );
      return rows.length === portion;
    },
    /** Deletes expired uniques among one portion after the digest. Returns the digest to continue from, or undefined at the end. */
    sweepUniques(after: Uint8Array, now: number): Uint8Array | undefined {
      const end = uniquesEnd.get(after)?.digest;
      if (!(end instanceof Uint8Array)) return undefined;
      removeUniques.run(after, end, now);
      return end;
    },
  };
}
