import type { DatabaseSync } from "node:sqlite";
import type { StorageError } from "../../errors.ts";
import { inWords } from "./failures.ts";

/** A write, and how its caller is told. */
export interface Job {
  run(): unknown;
  done(result: unknown): void;
  failed(error: StorageError): void;
}

/**
 * Runs the jobs in one transaction and tells their callers once it is on disk. A job that throws fails alone: the transaction is
 * taken back, `onLost` is called, and each job gets a transaction of its own. So a job may run twice, and touches the file only.
 */
export function commit(db: DatabaseSync, jobs: readonly Job[], onLost: () => void): void {
  const [first] = jobs;
  if (first === undefined) return;
  const results: unknown[] = [];
  try {
    db.exec("BEGIN IMMEDIATE");
    for (const job of jobs) results.push(job.run());
    db.exec("COMMIT");
  } catch (error) {
    rollBack(db);
    onLost();
    if (jobs.length === 1) first.failed(inWords(error));
    else for (const job of jobs) commit(db, [job], onLost);
    return;
  }
  for (const [at, job] of jobs.entries()) job.done(results[at]);
}

function rollBack(db: DatabaseSync): void {
  if (!db.isTransaction) return;
  try {
    db.exec("ROLLBACK");
  } catch {
    // Nothing of it was committed, and the next BEGIN reports a connection that is beyond help to its own callers.
  }
}
