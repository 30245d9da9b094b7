import { DatabaseSync } from "node:sqlite";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isOfFlush } from "./failures.ts";

/** "copy": nearly all of the log, while others write. "reset": the rest of it, and the log begins anew. */
export type CheckpointStep = "copy" | "reset";

export interface CheckpointEnd {
  error: Error | undefined;
  isOfFlush: boolean;
}

// The image runs this file as a program, to compile it.
if (parentPort) listen(parentPort, String(workerData));

function listen(port: MessagePort, path: string): void {
  // Somebody may read for a backup meanwhile: then the log stays as it is until the next time.
  const db = new DatabaseSync(path, { timeout: 50 });
  // With NORMAL, SQLite flushes the log before it copies, and the database before the log is given up.
  db.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
  // A writer that found all copied would begin the log anew by itself, and flush that in the event loop: while somebody reads, it cannot.
  const reader = new DatabaseSync(path, { readOnly: true, timeout: 50 });
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  const steps = {
    copy() {
      reader.exec("BEGIN; SELECT 1 FROM sqlite_schema");
      db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    },
    reset() {
      reader.exec("COMMIT");
      db.exec("PRAGMA wal_checkpoint(RESTART)");
      // The first write begins the log anew, and flushes that.
      db.exec(`PRAGMA user_version = ${version}`);
    },
  } satisfies Record<CheckpointStep, () => void>;

  port.on("message", (step: CheckpointStep) => {
    let end: CheckpointEnd = { error: undefined, isOfFlush: false };
    try {
      steps[step]();
    } catch (error) {
      end = { error: error instanceof Error ? error : new Error(String(error)), isOfFlush: isOfFlush(error) };
    }
    port.postMessage(end);
  });
}
