import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import { createBatches } from "./batches.ts";
import type { Calls } from "./calls.ts";
import { type StartWorker, startThread, startWorker, type Thread } from "./thread.ts";

/** The connection to the thread that has the SQLite file open. */
export interface ThreadChannel extends Calls {
  /** Finishes pending calls, closes the file and refuses every later call. */
  close(): Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Opens the file at `path` in a thread. A thread that crashes is restarted at once, then with growing pauses while it keeps crashing. Its
 * unanswered calls are rejected and not repeated, since they may have been carried out. Throws StorageError if the file cannot be opened.
 */
export async function openChannel(options: {
  path: string;
  clock: Clock;
  log: Logger;
  start?: StartWorker;
}): Promise<ThreadChannel> {
  const { path, clock, log, start = startWorker } = options;
  let thread: Thread | undefined;
  let refusal = "The store is closed. Nothing was changed.";
  let closing: Promise<void> | undefined;
  let startedAgainAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  let callOff = (): void => {};

  const batches = createBatches((request) => {
    if (!thread) throw new StorageError(refusal);
    thread.post(request);
  });

  function launch(): Thread {
    const launched = startThread(start(path), batches.settle);
    void launched.ended.then((cause) => {
      if (!closing && thread === launched) goOn(cause);
    });
    thread = launched;
    return launched;
  }

  function goOn(cause: Error | undefined): void {
    thread = undefined;
    batches.abandon();
    if (path === ":memory:") {
      refusal = "The store was in memory, and was lost with the thread that kept it. Start Rackbell again.";
      log.error({ err: cause }, refusal);
      return;
    }
    const stayed = clock.now() - startedAgainAt >= longestPauseMs;
    pauseMs = stayed ? 0 : Math.min(longestPauseMs, Math.max(firstPauseMs, 2 * pauseMs));
    refusal = "The store does not answer, and is being started again. Nothing was changed.";
    log.error({ err: cause, pauseMs }, "the store's thread ended, and is started again");
    callOff = clock.after(pauseMs, startAgain);
  }

  function startAgain(): void {
    startedAgainAt = clock.now();
    launch().opened.then(
      () => log.info("the store is open again"),
      (error: unknown) => log.error({ err: error }, "the store could not be opened again"),
    );
  }

  async function close(): Promise<void> {
    callOff();
    batches.flush();
    const last = thread;
    last?.post("close");
    await last?.ended;
    thread = undefined;
    refusal = "The store is closed. Nothing was changed.";
    batches.abandon();
  }

  const first = launch();
  try {
    await first.opened;
  } catch (error) {
    closing = first.ended.then(() => {});
    await closing;
    throw error;
  }

  return {
    read: batches.read,
    write: batches.write,
    later: batches.later,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
