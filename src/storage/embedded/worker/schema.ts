import type { DatabaseSync } from "node:sqlite";
import { digestOf } from "../../digest.ts";
import { StorageError } from "../../errors.ts";

// "Rack" in ASCII, in the file's header: distinguishes our files from other databases.
const applicationId = 0x5261636b;

/** The migrations from an empty file. A released step is never edited: each change is a new step. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE keyed (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires_at INTEGER,
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE INDEX keyed_by_expiry ON keyed (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE log_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log TEXT NOT NULL, at INTEGER NOT NULL, subjects TEXT NOT NULL, data TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX log_entry_by_log ON log_entry (log, id);
  CREATE INDEX log_entry_by_expiry ON log_entry (expires_at);
  CREATE TABLE log_subject (
    log TEXT NOT NULL, subject TEXT NOT NULL, entry INTEGER NOT NULL REFERENCES log_entry (id) ON DELETE CASCADE,
    PRIMARY KEY (log, subject, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX log_subject_by_entry ON log_subject (entry);
  CREATE TABLE log_unique (
    log TEXT NOT NULL, name TEXT NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (log, name)
  ) STRICT;
  CREATE INDEX log_unique_by_expiry ON log_unique (expires_at);

  CREATE TABLE wakeup (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, next_at INTEGER, failures INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX wakeup_by_time ON wakeup (at);
  `,
  // This step makes a write touch fewer pages. It drops indexes that only a sweep would use, and puts long columns last. Each log gets a
  // range of 2^45 row ids, and subjects are indexed by full blocks of 512 entries. Uniques become digests, and timers are keyed by lane.
  `
  ALTER TABLE keyed RENAME TO old_keyed;
  CREATE TABLE keyed_value (
    id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, key TEXT NOT NULL, expires_at INTEGER, value TEXT NOT NULL,
    UNIQUE (namespace, key)
  ) STRICT;
  INSERT INTO keyed_value (namespace, key, expires_at, value)
    SELECT namespace, key, expires_at, value FROM old_keyed ORDER BY rowid;
  DROP TABLE old_keyed;

  CREATE TABLE index_member (
    name TEXT NOT NULL, member TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (name, member)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX index_member_by_score ON index_member (name, score);

  CREATE TABLE log (
    name TEXT NOT NULL UNIQUE, number INTEGER PRIMARY KEY CHECK (number < 256), last_gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO log (name, last_gone)
    SELECT log, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'log_entry'), 0)
    FROM (SELECT log FROM log_entry UNION SELECT log FROM log_unique);
  ALTER TABLE log_entry RENAME TO old_log_entry;
  CREATE TABLE log_entry (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, expires_at INTEGER NOT NULL, subjects TEXT NOT NULL, data TEXT NOT NULL
  ) STRICT;
  INSERT INTO log_entry (id, at, expires_at, subjects, data)
    SELECT number * 35184372088832 + id, at, expires_at, subjects, data FROM old_log_entry JOIN log ON name = log ORDER BY 1;

  ALTER TABLE log_subject RENAME TO old_log_subject;
  CREATE TABLE log_subject (
    block INTEGER NOT NULL, subject TEXT NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (block, subject)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO log_subject (block, subject, entries)
    SELECT (number * 35184372088832 + entry) / 512 AS block, subject, json_group_array(entry % 512 ORDER BY entry)
    FROM old_log_subject JOIN log ON name = log
    WHERE entry / 512 < (last_gone + 1) / 512 GROUP BY number, block, subject;
  DROP TABLE old_log_subject;
  DROP TABLE old_log_entry;

  ALTER TABLE log_unique RENAME TO old_log_unique;
  CREATE TABLE log_unique (digest BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO log_unique (digest, expires_at) SELECT digest(log, name), expires_at FROM old_log_unique ORDER BY 1;
  DROP TABLE old_log_unique;

  ALTER TABLE wakeup RENAME TO old_wakeup;
  CREATE TABLE wakeup (
    lane TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, next_at INTEGER, failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO wakeup (lane, id, at, next_at, failures)
    SELECT substr(id, 1, instr(id, ':')), substr(id, instr(id, ':') + 1), at, next_at, failures FROM old_wakeup;
  DROP TABLE old_wakeup;
  CREATE INDEX wakeup_by_time ON wakeup (lane, at);
  `,
];

/**
 * Migrates the file to the newest version, each step atomically. Throws StorageError, before any change, for a file of a newer app or of
 * another program.
 */
export function migrate(db: DatabaseSync, steps: readonly string[] = migrations): void {
  const version = pragma(db, "user_version");
  const owner = pragma(db, "application_id");
  const empty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (owner !== applicationId && !(owner === 0 && empty)) {
    throw new StorageError(
      "The store's file belongs to another program. Nothing was changed. Name another file in STORE_URL.",
    );
  }
  if (version > steps.length) {
    throw new StorageError(
      `The store was written by a newer version of Rackbell (format ${version}; this one knows up to ${steps.length}). ` +
        "Nothing was changed. Start the newer version, or name another file in STORE_URL.",
    );
  }
  // The migrations call this function by its SQL name.
  db.function("digest", (log, unique) => digestOf(String(log), String(unique)));
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    db.exec(
      `BEGIN IMMEDIATE; ${step}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${index + 1}; COMMIT`,
    );
  }
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  const value = db.prepare(`PRAGMA ${name}`).get()?.[name];
  return typeof value === "number" ? value : 0;
}
