import type { Logger } from "pino";
import { type Clock, sleep } from "../../process/clock.ts";
import { tracedCall } from "../../process/trace.ts";
import { type SlackFault, SlackRateLimited, SlackRefused, SlackUnanswered, slackFault } from "./errors.ts";

/** Makes each call of Slack once, and repeats it only if Slack itself said that it did nothing, and to retry within a minute. */
export interface Calling {
  /** Awaits `before` ahead of each try. An error of `before` is not Slack's, and passes through. */
  call<T>(method: string, run: () => Promise<T>, before?: () => Promise<void>): Promise<T>;
  /** Aborts when the app stops. */
  signal: AbortSignal;
  stop(): void;
}

/** The outcome of one call, for the metrics. `reason`: Slack's own code for a refusal. */
export interface SlackCall {
  method: string;
  outcome: "ok" | "refused" | "rate limited" | "unanswered";
  reason?: string;
}

export type OnSlackCall = (call: SlackCall) => void;

/** Milliseconds that a call waits at most because Slack puts it off, again and again if need be. */
const longestPutOffMs = 61_000;

export function createCalling(deps: { clock: Clock; log: Logger; onCall: OnSlackCall }): Calling {
  const { clock, log, onCall } = deps;
  const stopping = new AbortController();
  return {
    signal: stopping.signal,
    stop: () => stopping.abort(new SlackUnanswered("chat", { maybeApplied: false, why: "Rackbell is stopping" })),
    async call(method, run, before) {
      const until = clock.monotonic() + longestPutOffMs;
      for (;;) {
        stopping.signal.throwIfAborted();
        await before?.();
        try {
          return await counted(method, run, onCall);
        } catch (fault) {
          if (!(fault instanceof SlackRateLimited)) throw fault;
          const seconds = fault.retryAfterMs / 1_000;
          log.warn({ method, seconds }, "Slack asks to slow down");
          // Nobody knows of a call that waits for an hour: its caller has other ways, and timers that try again.
          if (clock.monotonic() + fault.retryAfterMs > until)
            throw new SlackUnanswered(method, { maybeApplied: false, why: `Slack asks to wait ${seconds} s` });
          await sleep(clock, fault.retryAfterMs, stopping.signal);
        }
      }
    },
  };
}

/** Makes one call, as a span of its own, and reports its outcome to `onCall`. Rejects with a SlackFault. */
export async function counted<T>(method: string, run: () => Promise<T>, onCall: OnSlackCall): Promise<T> {
  try {
    const answer = await tracedCall(`Slack ${method}`, { "rackbell.slack.method": method }, run);
    onCall({ method, outcome: "ok" });
    return answer;
  } catch (error) {
    const fault = slackFault(method, error);
    onCall({ method, ...outcomeOf(fault) });
    throw fault;
  }
}

function outcomeOf(fault: SlackFault): Pick<SlackCall, "outcome" | "reason"> {
  if (fault instanceof SlackRefused) return { outcome: "refused", reason: fault.reason };
  return { outcome: fault instanceof SlackRateLimited ? "rate limited" : "unanswered" };
}
