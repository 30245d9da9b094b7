import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { explain, notReached } from "./failures.ts";
import { isMoved, type RedisLine } from "./line.ts";

/** One connection. Every call rejects with StorageError. */
export interface RedisConnection {
  /** Runs a call that only reads, or whose loss does not matter. */
  read<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Runs a call that changes data. */
  write<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Checks that this is still the store that was opened. Until then, and if it is not, every call is refused. */
  verify(): Promise<void>;
  /** Milliseconds since it connected; 0 if it is offline. */
  upForMs(): number;
  /** Waits for pending calls, then closes the connection. */
  close(): Promise<void>;
  /** Closes at once, as a crash would. */
  destroy(): void;
}

/** Milliseconds without any answer after which a call fails: people wait for most calls. */
const silentForMs = 4_000;
/** Milliseconds that a call waits at most, even while other calls are answered. */
const answerWithinMs = 20_000;

/** `check` runs after each connect, and throws StorageError if the server is not the expected store. */
export function createRedisConnection(
  line: RedisLine,
  place: string,
  check: (client: Client) => Promise<void>,
): RedisConnection {
  const pending = new Set<Promise<unknown>>();
  let closed = false;
  let connectedAt = performance.now();
  let answeredAt = connectedAt;
  let verified: Promise<void> = Promise.resolve();

  /** Checks the store. Calls wait for it, and send nothing to a silent server, whose connection is then replaced (see openClient). */
  function verify(): Promise<void> {
    const result = within(asked(check));
    verified = result;
    // Callers await `verified` and see the rejection. Without one Node must not treat it as unhandled.
    result.catch(() => {});
    return result;
  }

  /** By the machine's clock: Redis answers in real time, whatever the app's clock says. */
  function within<T>(answer: Promise<T>): Promise<T> {
    const askedAt = performance.now();
    return new Promise((resolve, reject) => {
      let timer = setTimeout(look, silentForMs);
      function look(): void {
        const now = performance.now();
        const left = Math.min(answeredAt + silentForMs, askedAt + answerWithinMs) - now;
        if (left > 0) {
          timer = setTimeout(look, left);
          return;
        }
        reject(new Error(`no answer within ${Math.round(now - askedAt)} ms`));
      }
      answer.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        answeredAt = performance.now();
      });
    });
  }

  /** Runs a call, and repeats it at the new node if the keys have moved; the refused call had no effect. */
  async function asked<T>(run: (client: Client) => Promise<T>): Promise<T> {
    const client = line.client();
    try {
      return await run(client);
    } catch (error) {
      if (!isMoved(error)) throw error;
      await line.moved(client);
      return run(line.client());
    }
  }

  function offline(): StorageError {
    const refusal = line.refusal();
    return refusal ? explain(refusal, place, false) : notReached(place);
  }

  line.onReady(() => {
    connectedAt = performance.now();
    verify();
  });

  async function call<T>(run: (client: Client) => Promise<T>, writes: boolean): Promise<T> {
    if (closed) throw new StorageError("The store is closed. Nothing was changed.");
    if (!line.client().isReady) throw offline();
    const done = verified.then(() => within(asked(run)));
    pending.add(done);
    try {
      return await done;
    } catch (error) {
      throw explain(error, place, writes);
    } finally {
      pending.delete(done);
    }
  }

  return {
    read: (run) => call(run, false),
    write: (run) => call(run, true),
    async verify() {
      if (closed || !line.client().isReady) throw offline();
      await verify().catch((error: unknown) => {
        throw explain(error, place, false);
      });
    },
    upForMs: () => (line.client().isReady ? performance.now() - connectedAt : 0),
    async close() {
      while (pending.size > 0) await Promise.allSettled(pending);
      closed = true;
      await line.close();
    },
    destroy() {
      closed = true;
      line.destroy();
    },
  };
}
