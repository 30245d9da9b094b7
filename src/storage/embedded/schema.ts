import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";

// "Rack" in ASCII, in the file's header: tells our files from other programs' databases.
const applicationId = 0x5261636b;

/** The steps from an empty file to the present one. A released step is never edited: a change is one more step. */
const migrations: readonly string[] = [
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
];

/**
 * Brings the file to the newest version, each step whole or not at all. Throws StorageError for a file that a newer app has
 * written or that is not ours, before it changes anything.
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
