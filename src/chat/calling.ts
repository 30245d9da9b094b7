import type { Logger } from "pino";
import { type Clock, sleep } from "../clock.ts";
import { faultOf, SlackRateLimited, SlackUnanswered } from "./errors.ts";

/** How every call of Slack's is made: once, and again only where Slack itself said that it did nothing and when to come again. */
export interface Calling {
  call<T>(method: string, run: () => Promise<T>): Promise<T>;
  /** Aborts when the app stops. */
  signal: AbortSignal;
  stop(): void;
}

export function createCalling({ clock, log }: { clock: Clock; log: Logger }): Calling {
  const stopping = new AbortController();
  return {
    signal: stopping.signal,
    stop: () => stopping.abort(new SlackUnanswered("chat", { maybeApplied: false, why: "Rackbell is stopping" })),
    async call(method, run) {
      for (;;) {
        stopping.signal.throwIfAborted();
        try {
          return await run();
        } catch (error) {
          const fault = faultOf(method, error);
          if (!(fault instanceof SlackRateLimited)) throw fault;
          log.warn({ method, seconds: fault.retryAfterMs / 1_000 }, "Slack asks to slow down");
          await sleep(clock, fault.retryAfterMs, stopping.signal);
        }
      }
    },
  };
}
