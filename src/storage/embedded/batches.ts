import { systemClock } from "../../clock.ts";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import { fromFailure, type MethodCall, type ThreadReply, type ThreadRequest } from "./protocol.ts";

/** A caller's promise. Messages have no types; `Calls` ensures that the result fits the method. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: StorageError): void;
}

interface Batch {
  request: ThreadRequest;
  reads: Waiting[];
  writes: Waiting[];
}

/**
 * Milliseconds that a write without a waiting caller is held for others to join it. By the machine's clock, since this is about disk
 * writes.
 */
const patienceMs = 20;

/** A limit for one batch, so that new calls do not wait for one long transaction. */
const mostWritesTogether = 1_000;

/** Calls that are not answered yet, in batches. */
export interface Batches extends Calls {
  /** Sends the open batch now. */
  flush(): void;
  /** Takes a reply to the earliest batch that is not answered. */
  settle(reply: ThreadReply): void;
  /** Rejects every call that was sent and not answered. */
  abandon(): void;
}

/**
 * A batch leaves at the end of the turn of its first call, or once the thread has answered the one before. The thread works on one at a
 * time, so waiting for it costs no time, and each message less saves both threads a wake-up. If `send` throws StorageError, every call
 * of the batch rejects with it.
 */
export function createBatches(send: (request: ThreadRequest) => void): Batches {
  /** In the order of sending, which is also that of the replies. */
  let sent: Batch[] = [];
  let open: Batch | undefined;
  let isDue = false;
  let leaving: NodeJS.Immediate | undefined;
  let callOff = (): void => {};

  function opened(): Batch {
    if (open && open.writes.length >= mostWritesTogether) flush();
    open ??= { request: { reads: [], writes: [] }, reads: [], writes: [] };
    return open;
  }

  /** The batch for a call with a waiting caller. It is sent at the end of this turn, together with the held writes. */
  function batch(): Batch {
    const joined = opened();
    leaving ??= setImmediate(leave);
    return joined;
  }

  /** The batch for writes without a waiting caller. */
  function waitingBatch(): Batch {
    const joined = opened();
    if (joined.reads.length + joined.writes.length === 0) callOff = systemClock.after(patienceMs, leave);
    return joined;
  }

  function leave(): void {
    leaving = undefined;
    if (sent.length > 0) isDue = true;
    else flush();
  }

  function flush(): void {
    callOff();
    clearImmediate(leaving);
    leaving = undefined;
    isDue = false;
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
    sent.push(full);
  }

  function settle({ of, results, failures }: ThreadReply): void {
    const [answered] = sent;
    if (!answered) return;
    const waiting = answered[of];
    answered[of] = [];
    for (const [at, failure] of failures) waiting[at]?.reject(fromFailure(failure));
    // Resolving a promise that was rejected above has no effect.
    for (const [at, { resolve }] of waiting.entries()) resolve(results[at]);
    if (answered.reads.length + answered.writes.length > 0) return;
    sent.shift();
    leaveIfDue();
  }

  /** At the end of the turn, when the callers that go on now have made their next calls. */
  function leaveIfDue(): void {
    if (isDue) leaving ??= setImmediate(leave);
  }

  function add<T>(joined: Batch, of: "reads" | "writes", call: MethodCall): Promise<T> {
    return new Promise((resolve, reject) => {
      joined.request[of].push(call);
      joined[of].push({ resolve, reject });
    });
  }

  return {
    flush,
    settle,
    read: (method, ...args) => add(batch(), "reads", [method, args]),
    write: (method, ...args) => add(batch(), "writes", [method, args]),
    later: (method, ...args) => add(waitingBatch(), "writes", [method, args]),
    abandon() {
      for (const { reads, writes } of sent) {
        for (const { reject } of reads) reject(new StorageError("The store did not answer."));
        for (const { reject } of writes) {
          reject(new StorageError("The store did not answer. It is not known whether this was kept."));
        }
      }
      sent = [];
      leaveIfDue();
    },
  };
}
