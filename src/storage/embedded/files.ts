import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { writeBackup } from "./worker/backup.ts";
import { isInUse } from "./worker/failures.ts";
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
 * nothing changed.
 */
export function restoreFile(backup: string, path: string, now: number): string | null {
  refuseIfBroken(backup);
  const there = existsSync(path);
  if (there && isFileInUse(path)) {
    throw new StorageError(`Rackbell is at work on ${path}. Stop it first. Nothing was changed.`);
  }
  const incoming = `${path}.restoring`;
  rmSync(incoming, { force: true });
  copyFileSync(backup, incoming);
  const before = `${path}.before-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  if (there) renameSync(path, before);
  renameSync(incoming, path);
  return there ? before : null;
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
