import { StorageError } from "../errors.ts";

// Sentences for SQLite's result codes (https://sqlite.org/rescode.html): primary codes, and 778 for a write that the disk refused, for
// example over a quota.
const sentences = new Map<number, string>([
  [
    5,
    "The store is in use by another process. Only one Rackbell may use a file at a time: stop the other one first, or name another file in STORE_URL. Nothing was changed.",
  ],
  [8, "The store is read-only. Nothing was changed. Let this user write to the file and its folder."],
  [10, "The disk did not read or write the store as asked. Nothing was changed. Check the disk."],
  [11, "The store's file is damaged. Restore it from a backup."],
  [13, "The disk is full, or the store may not grow. Nothing was changed. Make room on the disk."],
  [14, "The store's file cannot be opened. Let this user read and write the file and its folder."],
  [
    778,
    "The disk did not take what was to be written: no room is left for it, or the disk fails. Nothing was changed. Make room, or check the disk.",
  ],
  [26, "The store's file is not a Rackbell store. Nothing was changed. Name another file in STORE_URL."],
]);

// The same for the codes of the file system.
const fileSentences = new Map([
  ["EEXIST", "It is there already. Name another one."],
  ["ENOENT", "Its folder does not exist. Make the folder, or name another one."],
  ["EACCES", "This user may not do that there. Let it read the file, and write to the folder."],
  ["EPERM", "This user may not do that there. Let it read the file, and write to the folder."],
  ["EROFS", "The disk is mounted read-only. Name a place on another one."],
  ["ENOSPC", "The disk is full. Make room on the disk."],
  ["EDQUOT", "The disk's quota is used up. Make room on the disk."],
  ["EIO", "The disk did not read or write as asked. Check the disk."],
]);

/** A StorageError that an operator understands, with the original error as its cause. */
export function inWords(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = sqliteCode(error);
  const sentence = sentences.get(code) ?? sentences.get(primary(code));
  if (sentence !== undefined) return new StorageError(sentence, { cause: error });
  return new StorageError("The store could not do what it was asked. Nothing was changed.", { cause: error });
}

/** True if the store could not be opened because another process has it open. */
export function isInUse({ cause }: StorageError): boolean {
  return primary(sqliteCode(cause)) === 5 || (cause instanceof StorageError && isInUse(cause));
}

/** The sentence for an error while a file was copied or put in its place. */
export function fileReason(error: unknown): string {
  const ofFile = error instanceof Error && "code" in error ? fileSentences.get(String(error.code)) : undefined;
  return ofFile ?? inWords(error).message;
}

/** True if the file is no database at all. */
export function isOfAnotherKind({ cause }: StorageError): boolean {
  return primary(sqliteCode(cause)) === 26;
}

/** True if the disk did not confirm what SQLite had it flush: the log or the database, or their folder. */
export function isOfFlush(error: unknown): boolean {
  return [1034, 1290].includes(sqliteCode(error));
}

function sqliteCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}

/** The low byte is the primary code; the others distinguish kinds of it. */
function primary(code: number): number {
  return code & 0xff;
}
