import { StorageError } from "../errors.ts";
import type { Client } from "./client.ts";
import { explain, unreachable } from "./failures.ts";

/** One connection, and what may be asked over it. Every call rejects with StorageError. */
export interface Connection {
  /** Asks for what only reads, or is not missed if it is lost. */
  ask<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Asks for what changes something. */
  tell<T>(run: (client: Client) => Promise<T>): Promise<T>;
  /** Looks again whether this is still the store that was opened; until then, and if not, everything is refused. */
  verify(): Promise<void>;
  /** For how long it has been connected, in milliseconds; 0 where it is not. */
  upForMs(): number;
  /** Waits for what was asked, and lets go. */
  close(): Promise<void>;
  /** Lets go at once, as the end of the process would. */
  destroy(): void;
}

/** Nothing at all was answered for so long: people wait for most of what is asked, and nobody for longer. */
const silentForMs = 4_000;
/** An answer that others keep overtaking is waited for no longer. */
const answerWithinMs = 20_000;

/** `check` throws StorageError while the server is not the one that is meant. It is asked anew each time that the client has connected. */
export function createConnection(client: Client, place: string, check: (client: Client) => Promise<void>): Connection {
  const pending = new Set<Promise<unknown>>();
  let closed = false;
  let connectedAt = performance.now();
  let answeredAt = connectedAt;
  let verified: Promise<void> = Promise.resolve();

  /** What is asked meanwhile waits, and sends nothing into a silence: it is seen, and connected anew (see openClient). */
  function verify(): Promise<void> {
    const result = within(check(client));
    verified = result;
    // Whoever asks is told.
    result.catch(() => {});
    return result;
  }

  /** By the machine's time, since Redis answers in it whatever time the app goes by. */
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

  client.on("ready", () => {
    connectedAt = performance.now();
    verify();
  });

  async function call<T>(run: (client: Client) => Promise<T>, writes: boolean): Promise<T> {
    if (closed) throw new StorageError("The store is closed. Nothing was changed.");
    if (!client.isReady) throw unreachable(place);
    const done = verified.then(() => within(run(client)));
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
    ask: (run) => call(run, false),
    tell: (run) => call(run, true),
    async verify() {
      if (closed || !client.isReady) throw unreachable(place);
      await verify().catch((error: unknown) => {
        throw explain(error, place, false);
      });
    },
    upForMs: () => (client.isReady ? performance.now() - connectedAt : 0),
    async close() {
      while (pending.size > 0) await Promise.allSettled(pending);
      closed = true;
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
    destroy() {
      closed = true;
      if (client.isOpen) client.destroy();
    },
  };
}
