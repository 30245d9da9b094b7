import type { DatabaseSync } from "node:sqlite";

/** Rows that one step of a sweep visits. */
const portion = 500;

/** The texts of a file. */
export function createTexts(db: DatabaseSync, now: () => number) {
  const one = db.prepare("SELECT text, ends FROM text WHERE key = ?");
  const put = db.prepare(`INSERT INTO text (key, ends, text) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET text = excluded.text, ends = excluded.ends`);
  const remove = db.prepare("DELETE FROM text WHERE key = ?");
  const some = db.prepare(`SELECT key, text FROM text
    WHERE key > ? AND key >= ? AND key < ? AND (ends IS NULL OR ends > ?) ORDER BY key LIMIT ?`);
  const portionEnd = db.prepare(
    `SELECT max(id) AS id FROM (SELECT id FROM text WHERE id > ? ORDER BY id LIMIT ${portion})`,
  );
  const removeExpired = db.prepare("DELETE FROM text WHERE id > ? AND id <= ? AND ends <= ?");

  return {
    get(key: string): string | undefined {
      const row = one.get(key);
      return row && (row.ends === null || Number(row.ends) > now()) ? String(row.text) : undefined;
    },
    set(key: string, text: string | undefined, ttlMs: number | undefined): void {
      if (text === undefined) remove.run(key);
      else put.run(key, ttlMs === undefined ? null : Math.ceil(now() + ttlMs), text);
    },
    /** The next ones whose keys begin so, in order. */
    page: (prefix: string, after: string, limit: number) =>
      some
        // Prefixes end with a colon, and ";" is the character after it.
        .all(after, prefix, `${prefix.slice(0, -1)};`, now(), limit)
        .map((row): [string, string] => [String(row.key), String(row.text)]),
    /** Deletes what has expired among one portion after the row; returns the row to go on from, undefined at the end. */
    sweep(after: number): number | undefined {
      const end = portionEnd.get(after)?.id;
      if (typeof end !== "number") return undefined;
      removeExpired.run(after, end, now());
      return end;
    },
  };
}

/**
 * The texts that may be lost with the process: they are in its memory alone. `now`: by the monotonic clock, since a time of day that is set
 * forward must not end a lock.
 */
export function createMarks(now: () => number) {
  const marks = new Map<string, { text: string; ends: number }>();
  return {
    get(key: string): string | undefined {
      const mark = marks.get(key);
      return mark && mark.ends > now() ? mark.text : undefined;
    },
    /** Returns what puts back the former text. */
    set(key: string, text: string | undefined, ttlMs: number | undefined): () => void {
      const before = marks.get(key);
      if (text === undefined) marks.delete(key);
      else marks.set(key, { text, ends: ttlMs === undefined ? Number.POSITIVE_INFINITY : now() + ttlMs });
      return () => void (before ? marks.set(key, before) : marks.delete(key));
    },
    starting: (prefix: string) =>
      [...marks].flatMap(([key, { text, ends }]): [string, string][] =>
        key.startsWith(prefix) && ends > now() ? [[key, text]] : [],
      ),
    /** Forgets those that have expired. */
    sweep(): void {
      for (const [key, { ends }] of marks) if (ends <= now()) marks.delete(key);
    },
  };
}
