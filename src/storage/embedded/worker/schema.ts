import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "../../errors.ts";

// "Rack" in ASCII, in the file's header: distinguishes our files from other databases.
const applicationId = 0x5261636b;

/** The migrations from an empty file. A released step is never edited: each change is a new step. */
const migrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE keyed_value (
    id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, key TEXT NOT NULL, expires_at INTEGER, value TEXT NOT NULL,
    UNIQUE (namespace, key)
  ) STRICT;

  CREATE TABLE index_member (
    name TEXT NOT NULL, member TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (name, member)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX index_member_by_score ON index_member (name, score);

  CREATE TABLE log (
    name TEXT NOT NULL UNIQUE, number INTEGER PRIMARY KEY CHECK (number < 256), last_gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE log_entry (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, expires_at INTEGER NOT NULL, subjects TEXT NOT NULL, data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE log_subject (
    block INTEGER NOT NULL, subject TEXT NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (block, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE log_unique (digest BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE wakeup (
    lane TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, next_at INTEGER, failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (lane, id)
  ) STRICT, WITHOUT ROWID;
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
