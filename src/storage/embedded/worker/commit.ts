import type { DatabaseSync } from "node:sqlite";
import type { StorageError } from "../../errors.ts";
import { inWords } from "./failures.ts";

/** What came of a write. */
export type Outcome = { result: unknown } | { error: StorageError };

/**
 * Runs the writes in one transaction, which is on disk when this returns. One that throws fails alone: the transaction is taken
 * back, `onLost` is called, and each write gets a transaction of its own. So a write may run twice, and touches the file only.
 */
export function commit(db: DatabaseSync, writes: readonly (() => unknown)[], onLost: () => void): Outcome[] {
  const outcomes: Outcome[] = [];
  try {
    db.exec("BEGIN IMMEDIATE");
    for (const write of writes) outcomes.push({ result: write() });
    db.exec("COMMIT");
    return outcomes;
  } catch (error) {
    rollBack(db);
    onLost();
    return writes.length === 1 ? [{ error: inWords(error) }] : writes.flatMap((write) => commit(db, [write], onLost));
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
