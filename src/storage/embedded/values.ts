import { Keyv } from "keyv";
import type { Clock } from "../../clock.ts";
import type { Values } from "../store.ts";
import type { Connection } from "./connection.ts";

const page = 200;

/** Namespaces of keyed values in one table. Expiry goes by `clock`. */
export function createValues(connection: Connection, clock: Clock): (namespace: string) => Values {
  const { db, read, write } = connection;
  const live = "(expires_at IS NULL OR expires_at > ?)";
  const one = db.prepare(`SELECT value FROM keyed WHERE namespace = ? AND key = ? AND ${live}`);
  const put = db.prepare(`INSERT INTO keyed (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`);
  const putIfAbsent = db.prepare(`INSERT INTO keyed (namespace, key, value, expires_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE keyed.expires_at <= ?
    RETURNING key`);
  const remove = db.prepare("DELETE FROM keyed WHERE namespace = ? AND key = ?");
  const removeAll = db.prepare("DELETE FROM keyed WHERE namespace = ?");
  const removeReturning = db.prepare(
    `DELETE FROM keyed WHERE namespace = ? AND key = ? RETURNING CASE WHEN ${live} THEN value END AS value`,
  );
  const some = db.prepare(`SELECT key, value FROM keyed
    WHERE namespace = ? AND key >= ? AND key IS NOT ? AND ${live} ORDER BY key LIMIT ${page}`);

  function expiry(ttlMs: number | undefined): number | null {
    return ttlMs === undefined ? null : Math.ceil(clock.now() + ttlMs);
  }

  function keyed(namespace: string): Keyv<unknown> {
    return new Keyv({
      namespace,
      useKeyPrefix: false,
      throwOnErrors: true,
      // Keyv would expire by the machine's clock: its own date stays out of what is stored, and the row's counts.
      serialize: ({ value }) => encode(value),
      deserialize: (text: string) => ({ value: JSON.parse(text) }),
      store: {
        get: async (key: string) => read(() => one.get(namespace, key, clock.now())?.value),
        set: async (key: string, text: string, ttlMs?: number) =>
          void (await write(() => put.run(namespace, key, text, expiry(ttlMs)))),
        delete: async (key: string) => (await write(() => remove.run(namespace, key))).changes > 0,
        clear: async () => void (await write(() => removeAll.run(namespace))),
      },
    });
  }

  return (namespace) => {
    const keyv = keyed(checkText(namespace));
    return {
      get: async (key) => keyv.get(checkText(key)),
      async set(key, value, ttlMs) {
        // Keyv takes 0 for "forever".
        if (hasPassed(ttlMs)) await keyv.delete(checkText(key));
        else await keyv.set(checkText(key), value, ttlMs);
      },
      async delete(key) {
        await keyv.delete(checkText(key));
      },
      async claim(key, value, ttlMs) {
        checkText(key);
        hasPassed(ttlMs);
        const text = encode(value);
        return write(() => putIfAbsent.get(namespace, key, text, expiry(ttlMs), clock.now()) !== undefined);
      },
      async take(key) {
        checkText(key);
        const text = await write(() => removeReturning.get(namespace, key, clock.now())?.value);
        return typeof text === "string" ? JSON.parse(text) : undefined;
      },
      async *entries(prefix = "") {
        checkText(prefix);
        let rows = read(() => some.all(namespace, prefix, null, clock.now()));
        while (rows.length > 0) {
          let last = "";
          for (const { key, value } of rows) {
            if (typeof key !== "string" || typeof value !== "string" || !key.startsWith(prefix)) return;
            yield [key, JSON.parse(value)];
            last = key;
          }
          rows = read(() => some.all(namespace, last, last, clock.now()));
        }
      },
    };
  };
}

function encode(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("Only JSON values can be stored.");
  return text;
}

/** SQLite keeps text as UTF-8, where two different broken strings would become the same key. */
function checkText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("A key must be well-formed Unicode.");
  return text;
}

function hasPassed(ttlMs: number | undefined): boolean {
  if (ttlMs !== undefined && !Number.isFinite(ttlMs)) throw new RangeError("A time to live must be a finite number.");
  return ttlMs !== undefined && ttlMs <= 0;
}
