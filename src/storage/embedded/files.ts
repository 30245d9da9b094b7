import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { writeBackup } from "./worker/backup.ts";
import { inWords, isInUse } from "./worker/failures.ts";
import { openFile } from "./worker/file.ts";

/** True if a process has the file open. Throws StorageError if it is no store of ours. */
export function isFileInUse(path: string): boolean {
  if (!existsSync(path)) throw new StorageError(`There is no store at ${path}. Nothing was changed.`);
  try {
    openFile(path).close();
    return false;
  } catch (error) {
    if (error instanceof StorageError && isInUse(error)) return true;
    throw error;
  }
}

/** Copies a file that no process has open. Throws StorageError. */
export function backUpFile(path: string, target: string): void {
  const db = openFile(path);
  try {
    writeBackup(db, target);
  } finally {
    db.close();
  }
}

/**
 * Puts a copy of `backup` at `path`. Returns the new path of the former file, or null if there was none. Throws StorageError, with
 * the former file still at `path`.
 */
export function restoreFile(backup: string, path: string, now: number): string | null {
  refuseIfBroken(backup);
  refuseIfInUse(path);
  const before = `${path}.before-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const incoming = `${path}.restoring`;
    copySafely(backup, incoming);
    const there = existsSync(path);
    if (there) putAside(path, before);
    renameSync(incoming, path);
    flush(dirname(path));
    return there ? before : null;
  } catch (cause) {
    throw new StorageError(`The backup could not be put at ${path}. Make room there, and let this user write there.`, {
      cause,
    });
  }
}

/**
 * No other error refuses: a damaged store, or one of a newer version, is a reason to replace it. It only reads, since SQLite deletes the
 * log beside a file that it opens for writing and does not recognize.
 */
function refuseIfInUse(path: string): void {
  if (!existsSync(path)) return;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 500 });
    db.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch (error) {
    if (isInUse(inWords(error)))
      throw new StorageError(`Rackbell is at work on ${path}. Stop it first. Nothing was changed.`, { cause: error });
  } finally {
    if (db?.isOpen) db.close();
  }
}

/** The copy is on the disk before it replaces anything: a power cut would leave an empty store. */
function copySafely(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  flush(to);
}

/**
 * Gives the file a second name, so that a crash before the last rename leaves it at `path`. Its log goes with it: SQLite would write that
 * into the restored file.
 */
function putAside(path: string, before: string): void {
  linkSync(path, before);
  for (const ending of ["-wal", "-shm"]) if (existsSync(path + ending)) renameSync(path + ending, before + ending);
}

function flush(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

function refuseIfBroken(backup: string): void {
  if (!existsSync(backup)) throw new StorageError(`There is no backup at ${backup}. Nothing was changed.`);
  try {
    const db = new DatabaseSync(backup, { readOnly: true });
    const found = db.prepare("PRAGMA integrity_check").get()?.integrity_check;
    const own = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'keyed_value'").get() !== undefined;
    db.close();
    if (found === "ok" && own) return;
  } catch (cause) {
    throw new StorageError(`${backup} is no backup of a store. Nothing was changed.`, { cause });
  }
  throw new StorageError(`${backup} is damaged, or no backup of a store. Nothing was changed.`);
}
