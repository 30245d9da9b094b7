import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { fileReason, inWords, isInUse, isOfAnotherKind } from "./failures.ts";
import { flushFolder, lockFile } from "./file.ts";

/** Copies the file to `target`, which must not exist yet, whether a process has it open or not. Throws StorageError. */
export function backUpFile(path: string, target: string): void {
  if (!existsSync(path)) throw new StorageError(`There is no store at ${path}. Nothing was changed.`);
  const unlock = locked(path, "reading");
  try {
    const file = makeTarget(target);
    try {
      copyInto(path, target);
      // A commit that the disk has not confirmed may be in the copy: the store must not lose it after that.
      if (existsSync(`${path}-wal`)) flushed(`${path}-wal`);
      fsyncSync(file);
      flushFolder(dirname(resolve(target)));
    } catch (cause) {
      rmSync(target, { force: true });
      throw new StorageError(`The backup could not be written to ${target}. ${fileReason(cause)}`, { cause });
    } finally {
      closeSync(file);
    }
  } finally {
    unlock();
  }
}

/** Readable only by the user who may read the store itself. */
function makeTarget(target: string): number {
  try {
    return openSync(target, "wx", 0o600);
  } catch (cause) {
    throw new StorageError(`No backup can be written to ${target}. ${fileReason(cause)}`, { cause });
  }
}

function copyInto(path: string, target: string): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    db.prepare("VACUUM INTO ?").run(target);
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
  const before = `${path}.before-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  const unlock = locked(path, "replacing");
  try {
    const incoming = `${path}.restoring`;
    copySafely(backup, incoming);
    const there = existsSync(path);
    if (there) putAside(path, before);
    renameSync(incoming, path);
    flushFolder(dirname(path));
    return there ? before : null;
  } catch (cause) {
    throw new StorageError(`The backup could not be put at ${path}. ${fileReason(cause)}`, { cause });
  } finally {
    unlock();
  }
}

/** Takes the lock beside the file. A damaged store, or one of a newer version, is a reason to replace it, so the file itself is not opened. */
function locked(path: string, how: "reading" | "replacing"): () => void {
  try {
    return lockFile(path, how);
  } catch (error) {
    if (!isInUse(inWords(error))) throw error;
    const holder =
      how === "reading"
        ? `A restore of ${path} is under way. Wait for its end.`
        : `Rackbell is at work on ${path}, or a backup reads it. Stop it first.`;
    throw new StorageError(`${holder} Nothing was changed.`, { cause: error });
  }
}

/** The copy is on the disk before it replaces anything: a power cut would leave an empty store. */
function copySafely(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  flushed(to);
}

/** Gives the file a second name, so that a crash before the last rename leaves it at `path`. Its log goes with it: SQLite would write that into the restored file. */
function putAside(path: string, before: string): void {
  linkSync(path, before);
  for (const ending of ["-wal", "-shm"]) if (existsSync(path + ending)) renameSync(path + ending, before + ending);
}

function flushed(path: string): void {
  const file = openSync(path, "r+");
  fdatasyncSync(file);
  closeSync(file);
}

function refuseIfBroken(backup: string): void {
  if (!existsSync(backup)) throw new StorageError(`There is no backup at ${backup}. Nothing was changed.`);
  try {
    const db = new DatabaseSync(backup, { readOnly: true });
    const found = db.prepare("PRAGMA integrity_check").get()?.integrity_check;
    const own = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'member'").get() !== undefined;
    db.close();
    if (found === "ok" && own) return;
  } catch (cause) {
    const reason = inWords(cause);
    throw new StorageError(
      isOfAnotherKind(reason)
        ? `${backup} is no backup of a store. Nothing was changed.`
        : `${backup} was not restored. ${reason.message}`,
      { cause },
    );
  }
  throw new StorageError(`${backup} is damaged, or no backup of a store. Nothing was changed.`);
}
