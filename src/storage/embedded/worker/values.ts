import type { DatabaseSync } from "node:sqlite";
import { numberOrNone, text } from "./columns.ts";

/** A stored value, or null if there is none. `expiresAt` null means never. */
export type StoredValue = { text: string; expiresAt: number | null } | null;

/** Rows that one sweep visits at most. */
const portion = 500;

/** The values of all namespaces, in one table. Times are milliseconds since the epoch; `expiresAt` null means never. */
export function createValueMethods(db: DatabaseSync) {
  const live = "(expires_at IS NULL OR expires_at > ?)";
  const one = db.prepare(`SELECT value, expires_at FROM keyed_value WHERE namespace = ? AND key = ? AND ${live}`);
  const some = db.prepare(`SELECT key, value FROM keyed_value
    WHERE namespace = ? AND key > ? AND ${live} ORDER BY key LIMIT ?`);
  const first = db.prepare(`SELECT key, value FROM keyed_value
    WHERE namespace = ? AND ${live} ORDER BY key LIMIT ?`);
  const put = db.prepare(`INSERT INTO keyed_value (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`);
  const remove = db.prepare("DELETE FROM keyed_value WHERE namespace = ? AND key = ?");
  const portionEnd = db.prepare(
    `SELECT max(id) AS id FROM (SELECT id FROM keyed_value WHERE id > ? ORDER BY id LIMIT ${portion})`,
  );
  const removeExpired = db.prepare("DELETE FROM keyed_value WHERE id > ? AND id <= ? AND expires_at <= ?");

  function getValue(namespace: string, key: string, now: number): StoredValue {
    const row = one.get(namespace, key, now);
    return row ? { text: text(row.value), expiresAt: numberOrNone(row.expires_at) ?? null } : null;
  }

  return {
    reads: {
      getValue,
      /** At most `limit` entries after the key `after`, in the order of their keys. */
      scanValues(
        namespace: string,
        after: string | undefined,
        limit: number,
        now: number,
      ): [key: string, text: string][] {
        const rows = after === undefined ? first.all(namespace, now, limit) : some.all(namespace, after, now, limit);
        return rows.map(({ key, value }) => [text(key), text(value)]);
      },
    },
    writes: {
      setValue(namespace: string, key: string, value: string, expiresAt: number | null): void {
        put.run(namespace, key, value, expiresAt);
      },
      deleteValue: (namespace: string, key: string): boolean => remove.run(namespace, key).changes > 0,
      /** Deletes expired values among one portion after the row `after`. Returns the row to continue from, or undefined at the end. */
      sweepValues(after: number, now: number): number | undefined {
        const end = numberOrNone(portionEnd.get(after)?.id);
        if (end !== undefined) removeExpired.run(after, end, now);
        return end;
      },
    },
  };
}
