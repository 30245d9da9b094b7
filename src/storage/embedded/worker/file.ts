import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../../errors.ts";
import { inWords } from "./failures.ts";
import { migrate } from "./schema.ts";

/**
 * Opens the file at `path` (or ":memory:") for this process alone and migrates it. The operating system holds the lock, so it ends with
 * the process in any case. Throws StorageError.
 */
export function openFile(path: string): DatabaseSync {
  if (path !== ":memory:") makeRoom(path);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 500 });
    prepareFile(db);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw new StorageError(`The store ${path} cannot be opened. ${inWords(error).message}`, { cause: error });
  }
}

function makeRoom(path: string): void {
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o700 });
    // Only for a missing file: closing any handle of an open database would drop this process's own lock on it.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  } catch (cause) {
    throw new StorageError(`The store's file cannot be made at ${resolve(path)}. Let this user write there.`, {
      cause,
    });
  }
}

/** Locks an open file for this process alone, migrates it, and has each transaction be on disk when it ends. */
export function prepareFile(db: DatabaseSync): void {
  db.exec("PRAGMA locking_mode = EXCLUSIVE");
  // In this locking mode the first write takes the lock and keeps it.
  db.exec("BEGIN EXCLUSIVE; COMMIT");
  migrate(db);
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 33554432",
  );
}
