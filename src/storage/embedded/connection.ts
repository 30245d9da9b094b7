import type { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import { inWords } from "./failures.ts";

/** The one connection. Reads run at once; writes wait for each other and are committed together. */
export interface Connection {
  db: DatabaseSync;
  read<T>(work: () => T): T;
  /**
   * Runs `work` inside the next transaction and resolves with its result once that is on disk. `work` may be run a second
   * time if the first transaction was lost, so it touches the database only. If it throws, only its own caller fails.
   */
  write<T>(work: () => T): Promise<T>;
  /** Commits what waits, closes the file, and refuses everything after. */
  close(): void;
}

interface Job {
  /** Does the work and returns what tells its caller. */
  run(): () => void;
  reject(error: StorageError): void;
}

/** So that a long queue does not hold up everything else while it is committed. */
const batchSize = 500;

/** A commit stops everything, acknowledgements too, until the disk has it: the slower the disk, the more writes share one. */
const restsFor = 2;
const longestRestMs = 20;

export function createConnection(db: DatabaseSync): Connection {
  const queue: Job[] = [];
  let scheduled = false;
  let restUntil = 0;
  let closed = false;

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    const restMs = restUntil - performance.now();
    // One turn of the event loop: whatever asks to write until then shares one commit, and its one wait for the disk.
    if (restMs < 1) setImmediate(flush);
    else systemClock.after(restMs, flush);
  }

  function flush(): void {
    scheduled = false;
    const began = performance.now();
    commit(db, queue.splice(0, batchSize));
    const ended = performance.now();
    restUntil = ended + Math.min(longestRestMs, restsFor * (ended - began));
    schedule();
  }

  function refuseIfClosed(): void {
    if (closed) throw new StorageError("The store is closed. Nothing was changed.");
  }

  return {
    db,
    read(work) {
      refuseIfClosed();
      try {
        return work();
      } catch (error) {
        throw inWords(error);
      }
    },
    async write(work) {
      refuseIfClosed();
      return new Promise((resolve, reject) => {
        queue.push({
          run() {
            const result = work();
            return () => resolve(result);
          },
          reject,
        });
        schedule();
      });
    },
    close() {
      if (closed) return;
      closed = true;
      while (queue.length > 0) commit(db, queue.splice(0, batchSize));
      db.close();
    },
  };
}

function commit(db: DatabaseSync, jobs: Job[]): void {
  const [first] = jobs;
  if (first === undefined) return;
  const told: (() => void)[] = [];
  try {
    db.exec("BEGIN IMMEDIATE");
    for (const job of jobs) told.push(attempt(db, job));
    db.exec("COMMIT");
  } catch (error) {
    rollBack(db);
    if (jobs.length === 1) first.reject(inWords(error));
    // The whole transaction was lost, as on a full disk: alone, each job that can still be kept is kept.
    else for (const job of jobs) commit(db, [job]);
    return;
  }
  for (const tell of told) tell();
}

function attempt(db: DatabaseSync, job: Job): () => void {
  db.exec("SAVEPOINT job");
  try {
    const tell = job.run();
    db.exec("RELEASE job");
    return tell;
  } catch (error) {
    if (!db.isTransaction) throw error;
    db.exec("ROLLBACK TO job; RELEASE job");
    return () => job.reject(inWords(error));
  }
}

function rollBack(db: DatabaseSync): void {
  if (!db.isTransaction) return;
  try {
    db.exec("ROLLBACK");
  } catch {
    // Nothing of it was committed, and the next BEGIN reports a connection that is beyond help to its own callers.
  }
}
