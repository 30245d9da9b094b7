import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { StorageError } from "../errors.ts";
import { type FromThread, fromFailure, type Reply, type ToThread } from "./protocol.ts";

/** The thread that has the file, from its start to its end. */
export interface Thread {
  post(message: ToThread): void;
  /** Resolves when the file is open. Throws StorageError where it cannot be had. */
  opened: Promise<void>;
  /** Resolves when the thread has ended, with what ended it if it was not asked to. */
  ended: Promise<Error | undefined>;
}

export function startWorker(path: string): Worker {
  const cache = getCompileCacheDir();
  return new Worker(new URL("./worker/worker.ts", import.meta.url), {
    name: "store",
    workerData: path,
    // A thread has a compile cache only if its environment says so, and starts three times as fast with one. It needs nothing else.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
  });
}

export function startThread(worker: Worker, onReplies: (replies: Reply[]) => void): Thread {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Error | undefined>();
  let failure: Error | undefined;
  worker.on("message", (word: FromThread) => {
    if (word === "open") opened.resolve();
    else if ("replies" in word) onReplies(word.replies);
    else opened.reject(fromFailure(word.refused));
  });
  worker.on("error", (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on("exit", () => {
    opened.reject(new StorageError("The store's thread ended before the file was open.", { cause: failure }));
    ended.resolve(failure);
  });
  // Whoever waits for it is told; nobody need.
  opened.promise.catch(() => {});
  return {
    post: (message) => worker.postMessage(message),
    opened: opened.promise,
    ended: ended.promise,
  };
}
