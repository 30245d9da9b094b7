import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import type { Batches, Flush } from "./batches.ts";
import type { CheckpointEnd, CheckpointStep } from "./checkpoint-thread.ts";

/** Pages of the log after which it is copied: 16 MB. */
const mostPages = 4_000;
/** Commits between two looks at the log. */
const lookEvery = 100;

/** Copies the log into the database from time to time, and lets the log begin anew. */
export interface Checkpoints {
  /** To be called after each commit. */
  committed(): void;
  /** Resolves when none is under way any more. */
  end(): Promise<void>;
}

/**
 * A thread does the work, since copying 16 MB takes a tenth of a second. Commits go on while it copies nearly all. They wait only for the
 * rest, and for the flush of the log's new beginning, which SQLite has the next writer do: else that would be the event loop.
 */
export function createCheckpoints(
  { path, db, after = mostPages }: { path: string; db: DatabaseSync; after?: number | undefined },
  { pause, flush, log }: { pause: Batches["pause"]; flush: Flush; log: Logger },
): Checkpoints {
  const used = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  let commits = 0;
  let working: Promise<void> | undefined;
  let hasEnded = false;

  async function copy(): Promise<void> {
    const thread = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), { workerData: path });
    const run = (step: CheckpointStep): Promise<void> =>
      new Promise((resolve, reject) => {
        thread.removeAllListeners();
        thread.once("error", reject);
        thread.once("exit", () => reject(new StorageError("The thread that copies the log has ended.")));
        thread.once("message", ({ error, isOfFlush }: CheckpointEnd) => {
          if (error) reject(isOfFlush ? flush.fail(error) : error);
          else resolve();
        });
        thread.postMessage(step);
      });
    try {
      await run("copy");
      await pause(() => run("reset"));
    } catch (error) {
      log.error({ err: error }, "the log of the store could not be copied into its database; it is tried again");
    } finally {
      await thread.terminate();
    }
  }

  return {
    committed() {
      commits += 1;
      if (commits % Math.min(lookEvery, after) !== 0 || working || hasEnded || flush.hasFailed()) return;
      if (Number(used.get()?.log) >= after) working = copy().finally(() => (working = undefined));
    },
    async end() {
      hasEnded = true;
      await working;
    },
  };
}
