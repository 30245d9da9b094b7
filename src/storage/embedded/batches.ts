import { systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import { fromFailure, type Reply, type Request } from "./protocol.ts";

/** A caller's promise. Messages have no types; `Calls` ensures that the result fits the method. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: StorageError): void;
}

interface Batch {
  request: Request;
  reads: Waiting[];
  writes: Waiting[];
}

/**
 * Milliseconds that a write without a waiting caller is held for others to join it. By the machine's clock, since this is about disk
 * writes.
 */
const patienceMs = 20;

/** Calls that are not answered yet, one batch per turn of the event loop. */
export interface Batches extends Calls {
  /** Sends the open batch now. */
  flush(): void;
  settle(replies: readonly Reply[]): void;
  /** Rejects every call that was sent and not answered. */
  abandon(): void;
}

/** If `send` throws StorageError, every call of the batch rejects with it. */
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

  /** The batch for a call with a waiting caller. It is sent at the end of this turn, together with the held writes. */
  function batch(): Batch {
    leaving ??= setImmediate(flush);
    return opened();
  }

  /** The batch for writes without a waiting caller. */
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
      // Resolving a promise that was rejected above has no effect.
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
