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
    WHERE namespace = ? AND key >= ? AND key > ? AND ${live} ORDER BY key LIMIT ?`);
  const first = db.prepare(`SELECT key, value FROM keyed_value
    WHERE namespace = ? AND key >= ? AND ${live} ORDER BY key LIMIT ?`);
  const put = db.prepare(`INSERT INTO keyed_value (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`);
  const putIfAbsent = db.prepare(`INSERT INTO keyed_value (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE keyed_value.expires_at <= ?`);
  const putIfSame = db.prepare(`UPDATE keyed_value SET value = ?, expires_at = ?
    WHERE namespace = ? AND key = ? AND value = ? AND ${live}`);
  const remove = db.prepare("DELETE FROM keyed_value WHERE namespace = ? AND key = ?");
  const removeIfSame = db.prepare(`DELETE FROM keyed_value WHERE namespace = ? AND key = ? AND value = ? AND ${live}`);
  const removeReturning = db.prepare(
    `DELETE FROM keyed_value WHERE namespace = ? AND key = ? RETURNING CASE WHEN ${live} THEN value END AS value`,
  );
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
      scanValues(
        namespace: string,
        query: { prefix: string; after?: string | undefined; limit: number },
        now: number,
      ): { entries: [key: string, text: string][]; next: string | undefined } {
        const { prefix, after, limit } = query;
        const rows =
          after === undefined
            ? first.all(namespace, prefix, now, limit)
            : some.all(namespace, prefix, after, now, limit);
        const entries: [string, string][] = [];
        for (const { key, value } of rows) {
          if (!text(key).startsWith(prefix)) return { entries, next: undefined };
          entries.push([text(key), text(value)]);
        }
        return { entries, next: rows.length === limit ? entries.at(-1)?.[0] : undefined };
      },
    },
    writes: {
      setValue(namespace: string, key: string, value: string, expiresAt: number | null): void {
        put.run(namespace, key, value, expiresAt);
      },
      deleteValue: (namespace: string, key: string): boolean => remove.run(namespace, key).changes > 0,
      takeValue(namespace: string, key: string, now: number): string | undefined {
        const value = removeReturning.get(namespace, key, now)?.value;
        return typeof value === "string" ? value : undefined;
      },
      /** Sets `value` (undefined: deletes) if the key has `expected` (undefined: absent or expired). True if it did. */
      replaceValue(
        namespace: string,
        key: string,
        change: { expected: string | undefined; value: string | undefined; expiresAt: number | null },
        now: number,
      ): boolean {
        const { expected, value, expiresAt } = change;
        if (value === undefined) {
          if (expected === undefined) return getValue(namespace, key, now) === null;
          return removeIfSame.run(namespace, key, expected, now).changes > 0;
        }
        if (expected === undefined) return putIfAbsent.run(namespace, key, value, expiresAt, now).changes > 0;
        return putIfSame.run(value, expiresAt, namespace, key, expected, now).changes > 0;
      },
      /** Deletes expired values among one portion after the row `after`. Returns the row to continue from, or undefined at the end. */
      sweepValues(after: number, now: number): number | undefined {
        const end = numberOrNone(portionEnd.get(after)?.id);
        if (end !== undefined) removeExpired.run(after, end, now);
        return end;
      },
    },
  };
}
