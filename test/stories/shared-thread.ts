import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import type { StoreWorker } from "../../src/storage/embedded/thread.ts";

let thread: Worker | undefined;

/** Has a thread that other stories use as well open the file at `path`: a thread for each would take half of the time of a short story. */
export function startInSharedThread(path: string): StoreWorker {
  thread ??= startThread();
  const { port1: port, port2: other } = new MessageChannel();
  thread.postMessage({ port: other, path }, [other]);
  return {
    postMessage: (message) => port.postMessage(message),
    on: (event: string, listener: (...args: never[]) => void) =>
      port.on(event === "exit" ? "close" : event, (...args) => Reflect.apply(listener, null, args)),
  };
}

function startThread(): Worker {
  const cache = getCompileCacheDir();
  const started = new Worker(new URL("./store-thread.ts", import.meta.url), {
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
  });
  started.unref();
  return started;
}
