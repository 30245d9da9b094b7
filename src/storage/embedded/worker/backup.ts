import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "../../errors.ts";

/**
 * Writes a copy of the file as it is at this moment to `path`, where nothing may be yet. Nothing else happens to the store
 * meanwhile: a second or so for 100 MB. Throws StorageError.
 */
export function writeBackup(db: DatabaseSync, path: string): void {
  let file: number;
  try {
    // Only for whoever may read the store itself.
    file = openSync(path, "wx", 0o600);
  } catch (cause) {
    throw new StorageError(`No backup can be written to ${path}: it is there already, or its folder is not.`, {
      cause,
    });
  }
  try {
    db.prepare("VACUUM INTO ?").run(path);
    fsyncSync(file);
  } catch (cause) {
    rmSync(path, { force: true });
    throw new StorageError(`The backup could not be written to ${path}. Make room on the disk.`, { cause });
  } finally {
    closeSync(file);
  }
}
