import { accessSync, closeSync, constants, existsSync, fdatasync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { inWords } from "./failures.ts";

// "Rack" in ASCII, in the file's header: distinguishes our files from other databases.
const applicationId = 0x5261636b;
const format = 1;
const lockWithinMs = 500;

const schema = `
  CREATE TABLE text (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, ends INTEGER, text TEXT NOT NULL) STRICT;
  CREATE TABLE member (name TEXT NOT NULL, member TEXT NOT NULL, score REAL NOT NULL, PRIMARY KEY (name, member))
    STRICT, WITHOUT ROWID;
  CREATE INDEX member_by_score ON member (name, score);
  CREATE TABLE appended (name TEXT NOT NULL, score INTEGER NOT NULL, member TEXT NOT NULL, PRIMARY KEY (name, score))
    STRICT, WITHOUT ROWID;
  CREATE TABLE counter (name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** An open file, and the lock that keeps other processes out. */
export interface File {
  db: DatabaseSync;
  /** Has the disk confirm all commits that were made before. */
  sync(): Promise<void>;
  /** Copies the log into the database from time to time. Absent for a file in memory, which has no log. */
  checkpoints?: (options: Parameters<typeof createCheckpoints>[1]) => Checkpoints;
  close(): void;
}

/** Opens the file at `path` (or ":memory:") for this process alone. Throws StorageError. */
export function openFile(path: string): File {
  const ends: (() => void)[] = [];
  const close = (): void => {
    for (const end of ends.splice(0).toReversed()) end();
  };
  try {
    if (path !== ":memory:") {
      makeFile(path);
      ends.push(lockFile(path, "alone"));
    }
    const db = new DatabaseSync(path, { timeout: lockWithinMs });
    ends.push(() => db.close());
    prepareFile(db);
    if (path === ":memory:") return { db, sync: async () => {}, close };
    const log = openLog(path);
    ends.push(() => closeSync(log));
    return {
      db,
      // `promisify` would make a function of 10 kB at each call.
      sync: () => new Promise((resolve, reject) => fdatasync(log, (error) => (error ? reject(error) : resolve()))),
      checkpoints: (options) => createCheckpoints({ path, db }, options),
      close,
    };
  } catch (error) {
    close();
    throw unopened(path, error);
  }
}

/** Opens an existing store to read it, while no other process is at work on it. The file stays as it is. Throws StorageError. */
export function openToRead(path: string): Pick<File, "db" | "close"> {
  if (!existsSync(path)) throw new StorageError(`There is no store at ${path}. Nothing was changed.`);
  // Nobody is at work on a file in a folder that takes no writes, such as a mounted backup. The lock could not be made there.
  const unlock = mayWrite(dirname(resolve(path))) ? lockedAlone(path) : () => {};
  let db: DatabaseSync | undefined;
  const close = (): void => {
    db?.close();
    unlock();
  };
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: lockWithinMs });
    if (identify(db).empty) throw new StorageError("The store's file is empty: no Rackbell has used it.");
    return { db, close };
  } catch (cause) {
    close();
    throw unopened(path, cause);
  }
}

function lockedAlone(path: string): () => void {
  try {
    return lockFile(path, "alone");
  } catch (cause) {
    throw unopened(path, cause);
  }
}

function unopened(path: string, cause: unknown): StorageError {
  return new StorageError(`The store ${path} cannot be opened. ${inWords(cause).message}`, { cause });
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The ways to hold the lock beside a file: the process that is at work on it admits those that read it for a backup, and a restore admits
 * nobody.
 */
const locks = {
  alone: "BEGIN IMMEDIATE",
  reading: "BEGIN; SELECT 1 FROM sqlite_schema",
  replacing: "BEGIN EXCLUSIVE",
} as const;

/**
 * Takes the lock beside the file until the returned function is called. It is one of the operating system, so that it ends with the process
 * in any case, and SQLite's: nothing else may open or close that file, since closing it drops the locks of the process.
 */
export function lockFile(path: string, how: keyof typeof locks): () => void {
  makeFile(`${path}-lock`);
  const lock = new DatabaseSync(`${path}-lock`, { timeout: lockWithinMs });
  try {
    lock.exec(`PRAGMA journal_mode = MEMORY; ${locks[how]}`);
    return () => lock.close();
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Makes an empty file that only this user may read, and has the disk keep its name. */
function makeFile(path: string): void {
  if (existsSync(path)) return;
  const folder = dirname(resolve(path));
  try {
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
    const highest = first === undefined ? folder : dirname(first);
    for (let made = folder; ; made = dirname(made)) {
      flushFolder(made);
      if (made === highest) return;
    }
  } catch (cause) {
    throw new StorageError(`The store's file cannot be made in ${folder}. Let this user write there.`, { cause });
  }
}

/** Without it a power cut may take the name of a file that was made or renamed in the folder. */
export function flushFolder(folder: string): void {
  const open = openSync(folder, "r");
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/** The log that SQLite has made and is using. It stays the same file as long as a connection is open. */
function openLog(path: string): number {
  const log = openSync(`${path}-wal`, "r+");
  flushFolder(dirname(resolve(path)));
  return log;
}

/** Throws StorageError for a file of a newer app or of another program. */
function identify(db: DatabaseSync): { empty: boolean } {
  const found = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  const owner = Number(db.prepare("PRAGMA application_id").get()?.application_id);
  const empty = db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (owner !== applicationId && !(owner === 0 && empty))
    throw new StorageError(
      "The store's file belongs to another program. Nothing was changed. Name another file in STORE_URL.",
    );
  if (found > format) {
    throw new StorageError(
      `The store was written by a newer version of Rackbell (format ${found}; this one knows up to ${format}). ` +
        "Nothing was changed. Start the newer version, or name another file in STORE_URL.",
    );
  }
  return { empty };
}

/** Throws StorageError, before any change, for a file of a newer app or of another program. */
export function prepareFile(db: DatabaseSync): void {
  const { empty } = identify(db);
  // A commit only hands its pages to the system. `batches.ts` has the disk confirm them, and `checkpoints.ts` copies them, without blocking the process.
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY",
  );
  if (empty)
    db.exec(`BEGIN; ${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}; COMMIT`);
  // SQLite makes the log when it first reads.
  db.prepare("SELECT 1 FROM sqlite_schema").get();
}
