import { systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import { fromFailure, type Reply, type Request } from "./protocol.ts";

/** A caller. A message has no types: that the result is what the method answers with is seen to by `Calls`. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: StorageError): void;
}

interface Batch {
  request: Request;
  reads: Waiting[];
  writes: Waiting[];
}

/** How long what nobody waits for waits for company: by the machine's time, since it is about what the disk takes. */
const patienceMs = 20;

/** What was asked and not answered yet, a batch for each turn of the event loop. */
export interface Batches extends Calls {
  /** Sends what has been asked so far. */
  flush(): void;
  settle(replies: readonly Reply[]): void;
  /** Whoever still waits for an answer gets none. */
  abandon(): void;
}

/** `send` throws StorageError, which all in the batch are told, or takes it. */
export function createBatches(send: (request: Request) => void): Batches {
  const sent = new Map<number, Batch>();
  let open: Batch | undefined;
  let last = 0;
  let leaving: NodeJS.Immediate | undefined;
  let callOff = (): void => {};

  function opened(): Batch {
    if (open) return open;
    last += 1;
    open = { request: { id: last, reads: [], writes: [] }, reads: [], writes: [] };
    return open;
  }

  /** For what somebody waits for: it leaves with all that is asked in this turn, and all that was waiting for company. */
  function batch(): Batch {
    leaving ??= setImmediate(flush);
    return opened();
  }

  /** For what has time. */
  function waitingBatch(): Batch {
    if (!open) callOff = systemClock.after(patienceMs, flush);
    return opened();
  }

  function flush(): void {
    callOff();
    clearImmediate(leaving);
    leaving = undefined;
    if (!open) return;
    const full = open;
    open = undefined;
    try {
      send(full.request);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      for (const { reject } of [...full.reads, ...full.writes]) reject(error);
      return;
    }
    sent.set(full.request.id, full);
  }

  function settle(replies: readonly Reply[]): void {
    for (const { id, of, results, failures } of replies) {
      const answered = sent.get(id);
      if (!answered) continue;
      const waiting = answered[of];
      answered[of] = [];
      if (answered.reads.length + answered.writes.length === 0) sent.delete(id);
      for (const [at, failure] of failures) waiting[at]?.reject(fromFailure(failure));
      // Those that failed have been told: nothing else reaches them any more.
      for (const [at, { resolve }] of waiting.entries()) resolve(results[at]);
    }
  }

  return {
    flush,
    settle,
    read: (method, ...args) =>
      new Promise((resolve, reject) => {
        const { request, reads } = batch();
        request.reads.push([method, args]);
        reads.push({ resolve, reject });
      }),
    write: (method, ...args) =>
      new Promise((resolve, reject) => {
        const { request, writes } = batch();
        request.writes.push([method, args]);
        writes.push({ resolve, reject });
      }),
    later: (method, ...args) =>
      new Promise((resolve, reject) => {
        const { request, writes } = waitingBatch();
        request.writes.push([method, args]);
        writes.push({ resolve, reject });
      }),
    abandon() {
      for (const { reads, writes } of sent.values()) {
        for (const { reject } of reads) reject(new StorageError("The store did not answer."));
        for (const { reject } of writes) {
          reject(new StorageError("The store did not answer. It is not known whether this was kept."));
        }
      }
      sent.clear();
    },
  };
}
