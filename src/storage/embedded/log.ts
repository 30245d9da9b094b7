import { z } from "zod";
import type { Clock } from "../../clock.ts";
import type { Log, LogEntry } from "../store.ts";
import type { Connection } from "./connection.ts";

const idDigits = 16;
const usualLimit = 50;

const Row = z.object({ id: z.number(), at: z.number(), subjects: z.string(), data: z.string() });
const Subjects = z.array(z.string());

/** Append-only logs, all in one table. Ids are never given twice, even after the newest entry has gone. */
export function createLogs(
  connection: Connection,
  clock: Clock,
): (name: string, options: { retentionMs: number }) => Log {
  const { db, read, write } = connection;
  const known = db.prepare("SELECT 1 FROM log_unique WHERE log = ? AND name = ? AND expires_at > ?");
  const keepUnique = db.prepare("INSERT OR REPLACE INTO log_unique (log, name, expires_at) VALUES (?, ?, ?)");
  const keepEntry = db.prepare(
    "INSERT INTO log_entry (log, at, subjects, data, expires_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
  );
  const keepSubject = db.prepare("INSERT OR IGNORE INTO log_subject (log, subject, entry) VALUES (?, ?, ?)");
  const ofLog = db.prepare(`SELECT id, at, subjects, data FROM log_entry
    WHERE log = ? AND id < ? AND expires_at > ? ORDER BY id DESC LIMIT ?`);
  const ofSubject = db.prepare(`SELECT id, at, subjects, data FROM log_subject JOIN log_entry ON id = entry
    WHERE log_subject.log = ? AND subject = ? AND entry < ? AND expires_at > ? ORDER BY entry DESC LIMIT ?`);

  return (name, { retentionMs }) => ({
    async append({ at, subjects, data }, uniques = []) {
      const text = JSON.stringify(data ?? null);
      return write(() => {
        const now = clock.now();
        if (uniques.some((unique) => known.get(name, unique, now) !== undefined)) return false;
        // Counted from the later of the two: an entry dated ahead is remembered until its own date is out of retention.
        const expiresAt = Math.ceil(Math.max(at, now) + retentionMs);
        const id = Number(keepEntry.get(name, Math.trunc(at), JSON.stringify(subjects), text, expiresAt)?.id);
        for (const unique of uniques) keepUnique.run(name, unique, expiresAt);
        for (const subject of subjects) keepSubject.run(name, subject, id);
        return true;
      });
    },
    async newest({ limit = usualLimit, before, subject } = {}) {
      const below = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
      // To SQLite, a limit below 0 is none.
      const count = Math.max(0, Math.floor(limit));
      const rows = read(() =>
        subject === undefined
          ? ofLog.all(name, below, clock.now(), count)
          : ofSubject.all(name, subject, below, clock.now(), count),
      );
      return rows.map(entry);
    },
  });
}

function entry(row: unknown): LogEntry {
  const { id, at, subjects, data } = Row.parse(row);
  return {
    id: String(id).padStart(idDigits, "0"),
    at,
    subjects: Subjects.parse(JSON.parse(subjects)),
    data: JSON.parse(data),
  };
}
