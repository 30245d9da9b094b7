import type { Logger } from "pino";
import { type Clock, sleep } from "../clock.ts";
import { faultOf, type SlackFault, SlackRateLimited, SlackRefused, SlackUnanswered } from "./errors.ts";

/** How every call of Slack's is made: once, and again only where Slack itself said that it did nothing and when to come again. */
export interface Calling {
  call<T>(method: string, run: () => Promise<T>): Promise<T>;
  /** Aborts when the app stops. */
  signal: AbortSignal;
  stop(): void;
}

/** What came of one call, as metrics count it; `reason` is Slack's own word where it refused. */
export interface SlackCall {
  method: string;
  outcome: "ok" | "refused" | "rate limited" | "unanswered";
  reason?: string;
}

export type OnSlackCall = (call: SlackCall) => void;

export function createCalling(deps: { clock: Clock; log: Logger; onCall: OnSlackCall }): Calling {
  const { clock, log, onCall } = deps;
  const stopping = new AbortController();
  return {
    signal: stopping.signal,
    stop: () => stopping.abort(new SlackUnanswered("chat", { maybeApplied: false, why: "Rackbell is stopping" })),
    async call(method, run) {
      for (;;) {
        stopping.signal.throwIfAborted();
        try {
          return await counted(method, run, onCall);
        } catch (fault) {
          if (!(fault instanceof SlackRateLimited)) throw fault;
          log.warn({ method, seconds: fault.retryAfterMs / 1_000 }, "Slack asks to slow down");
          await sleep(clock, fault.retryAfterMs, stopping.signal);
        }
      }
    },
  };
}

/** Makes one call and tells what came of it. Rejects with one of the kinds of fault. */
export async function counted<T>(method: string, run: () => Promise<T>, onCall: OnSlackCall): Promise<T> {
  try {
    const answer = await run();
    onCall({ method, outcome: "ok" });
    return answer;
  } catch (error) {
    const fault = faultOf(method, error);
    onCall({ method, ...outcomeOf(fault) });
    throw fault;
  }
}

function outcomeOf(fault: SlackFault): Pick<SlackCall, "outcome" | "reason"> {
  if (fault instanceof SlackRefused) return { outcome: "refused", reason: fault.reason };
  return { outcome: fault instanceof SlackRateLimited ? "rate limited" : "unanswered" };
}
