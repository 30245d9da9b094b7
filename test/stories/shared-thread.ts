import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import type { StoreWorker } from "../../src/storage/embedded/thread.ts";

let thread: Worker | undefined;
/** Resolves once the last story or start that has the file has closed it. */
const closings = new Map<string, Promise<unknown>>();

/** Has a thread that other stories use as well open the file at `path`: a thread for each would take half of the time of a short story. */
export function startInSharedThread(path: string): StoreWorker {
  thread ??= startThread();
  const shared = thread;
  const { port1: port, port2: other } = new MessageChannel();
  const open = () => shared.postMessage({ port: other, path }, [other]);
  // An opening that waits for the file's lock holds up the thread, and with it the closing that it waits for.
  const before = path === ":memory:" ? undefined : closings.get(path);
  closings.set(path, once(port, "close"));
  if (before) before.then(open);
  else open();
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
