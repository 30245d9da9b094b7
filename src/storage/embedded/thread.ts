import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { StorageError } from "../errors.ts";
import { type FromThread, fromFailure, type ThreadReply, type ToThread } from "./protocol.ts";

/** The part of a worker thread that the channel uses. A simulation replaces it with one that runs on simulated time. */
export interface StoreWorker {
  postMessage(message: ToThread): void;
  on(event: "message", listener: (word: FromThread) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
}

/** Starts the worker that opens the file at `path`. */
export type StartWorker = (path: string) => StoreWorker;

/** A running store thread. */
export interface Thread {
  post(message: ToThread): void;
  /** Resolves when the file is open. Rejects with StorageError if it cannot be opened. */
  opened: Promise<void>;
  /** Resolves when the thread has ended, with the error if it crashed. */
  ended: Promise<Error | undefined>;
}

export function startWorker(path: string): Worker {
  const cache = getCompileCacheDir();
  return new Worker(new URL("./worker/worker.ts", import.meta.url), {
    name: "store",
    workerData: path,
    // A thread uses the compile cache only if its environment names it, and then starts three times as fast. It needs no other variable.
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
  });
}

export function startThread(worker: StoreWorker, onReply: (reply: ThreadReply) => void): Thread {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Error | undefined>();
  let failure: Error | undefined;
  worker.on("message", (word: FromThread) => {
    if (word === "open") opened.resolve();
    else if ("refused" in word) opened.reject(fromFailure(word.refused));
    else onReply(word);
  });
  worker.on("error", (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on("exit", () => {
    opened.reject(new StorageError("The store's thread ended before the file was open.", { cause: failure }));
    ended.resolve(failure);
  });
  // Callers that await it see the rejection. Without one Node must not treat it as unhandled.
  opened.promise.catch(() => {});
  return {
    post: (message) => worker.postMessage(message),
    opened: opened.promise,
    ended: ended.promise,
  };
}
