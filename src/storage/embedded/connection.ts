import type { DatabaseSync } from "node:sqlite";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import { commit, type Job } from "./worker/commit.ts";
import { inWords } from "./worker/failures.ts";
import { createMethods, type Reads, type Writes } from "./worker/methods.ts";

/** The one connection. Reads run at once; writes wait for each other and are committed together. */
export interface Connection extends Calls {
  /** Commits what waits, closes the file, and refuses everything after. */
  close(): void;
}

/** So that a long queue does not hold up everything else while it is committed. */
const batchSize = 500;

export function createConnection(db: DatabaseSync): Connection {
  const { reads, writes, recall } = createMethods(db);
  const queue: Job[] = [];
  let scheduled = false;
  let closed = false;

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    // One turn of the event loop: whatever asks to write until then shares one commit, and its one wait for the disk.
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    commit(db, queue.splice(0, batchSize), recall);
    schedule();
  }

  function refuseIfClosed(): void {
    if (closed) throw new StorageError("The store is closed. Nothing was changed.");
  }

  return {
    async read(method, ...args) {
      refuseIfClosed();
      try {
        return read(reads, method, args);
      } catch (error) {
        throw inWords(error);
      }
    },
    async write(method, ...args) {
      refuseIfClosed();
      return new Promise((resolve, reject) => {
        let result: Parameters<typeof resolve>[0];
        queue.push({
          run: () => {
            result = write(writes, method, args);
          },
          done: () => resolve(result),
          failed: reject,
        });
        schedule();
      });
    },
    close() {
      if (closed) return;
      closed = true;
      while (queue.length > 0) commit(db, queue.splice(0, batchSize), recall);
      db.close();
    },
  };
}

type Table<T extends Record<keyof T, (...args: never) => unknown>> = {
  [M in keyof T]: (...args: Parameters<T[M]>) => ReturnType<T[M]>;
};

function read<M extends keyof Reads>(reads: Table<Reads>, method: M, args: Parameters<Reads[M]>): ReturnType<Reads[M]> {
  return reads[method](...args);
}

function write<M extends keyof Writes>(
  writes: Table<Writes>,
  method: M,
  args: Parameters<Writes[M]>,
): ReturnType<Writes[M]> {
  return writes[method](...args);
}
