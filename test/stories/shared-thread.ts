import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";
import type { FromThread } from "../../src/storage/embedded/protocol.ts";
import type { StoreWorker } from "../../src/storage/embedded/thread.ts";

let thread: Worker | undefined;
/** Resolves once the last story or start that has the file has closed it. */
const closings = new Map<string, Promise<unknown>>();

let owed = 0;

/** How many answers the thread owes. */
export function unanswered(): number {
  return owed;
}

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
  let own = 0;
  const owe = (answers: number) => {
    own += answers;
    owed += answers;
  };
  port.on("message", (word: FromThread) => {
    if (typeof word === "object" && "of" in word) owe(-1);
  });
  port.on("close", () => owe(-own));
  return {
    postMessage(message) {
      // Reads and writes are answered apart.
      if (message !== "close") owe(Math.sign(message.reads.length) + Math.sign(message.writes.length));
      port.postMessage(message);
    },
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
