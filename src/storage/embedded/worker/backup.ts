import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "../../errors.ts";

/**
 * Copies the file to `path`, which must not exist yet. The store is blocked meanwhile: about a second for 100 MB. Throws StorageError.
 */
export function writeBackup(db: DatabaseSync, path: string): void {
  let file: number;
  try {
    // Readable only by the user who may read the store itself.
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
