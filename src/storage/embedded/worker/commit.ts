import type { DatabaseSync } from "node:sqlite";
import type { StorageError } from "../../errors.ts";
import { inWords } from "./failures.ts";

/** The outcome of one write. */
export type WriteOutcome = { result: unknown } | { error: StorageError };

/**
 * Runs the writes in one transaction, which is on disk when this returns. If a write throws, the transaction is rolled back and `onLost`
 * is called. Each write then gets its own transaction, so that the wrong one fails alone. A write may therefore run twice, so it may
 * change only the file.
 */
export function commit(db: DatabaseSync, writes: readonly (() => unknown)[], onLost: () => void): WriteOutcome[] {
  const outcomes: WriteOutcome[] = [];
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
    // Nothing was committed. If the connection is beyond repair, the next BEGIN fails for its own callers.
  }
}
