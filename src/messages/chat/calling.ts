import type { Logger } from "pino";
import * as z from "#zod";
import { type Clock, sleep } from "../../process/clock.ts";
import { readJson } from "../../process/json.ts";
import { tracedCall } from "../../process/trace.ts";
import {
  faultOfCode,
  faultOfStatus,
  type SlackFault,
  SlackRateLimited,
  SlackRefused,
  SlackUnanswered,
  slackFault,
} from "./errors.ts";
import type { Wire, WireRequest } from "./wire.ts";

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

/** The most frequent methods. Slack's own client makes all other calls. */
type ChatMethod = "chat.postMessage" | "chat.update" | "chat.postEphemeral";

const Answer = z.object({
  ok: z.boolean(),
  error: z.unknown().optional(),
  response_metadata: z
    .object({ messages: z.array(z.string()).catch([]) })
    .nullish()
    .catch(null),
});
const Posted = Answer.extend({ channel: z.string().optional(), ts: z.string().optional() });
const Described = Answer.extend({
  channel: z
    .object({
      is_ext_shared: z.unknown(),
      is_pending_ext_shared: z.unknown(),
      is_im: z.unknown(),
      is_mpim: z.unknown(),
      is_private: z.unknown(),
      is_member: z.unknown(),
    })
    .partial()
    .optional(),
});

/**
 * Makes the most frequent calls at a third of the cost of Slack's own client: plain JSON over a kept connection, without preparing text
 * for logs.
 */
interface SlackCaller {
  /** One call, made once. Rejects with SlackRefused, SlackUnanswered or SlackRateLimited. */
  call(method: ChatMethod, args: Record<string, unknown>): Promise<z.infer<typeof Posted>>;
  /** Slack's description of a channel; rejects with the same. */
  channel(id: string): Promise<z.infer<typeof Described>["channel"]>;
  /** One post to the response URL of an interaction; rejects with the same. */
  respond(url: string, body: Record<string, unknown>): Promise<void>;
}

export function createCaller({ wire, apiUrl, token }: { wire: Wire; apiUrl: string; token: string }): SlackCaller {
  const type = { "content-type": "application/json; charset=utf-8" };
  const bearer = { authorization: `Bearer ${token}` };
  const headers = { ...type, ...bearer };
  // Slack reads the arguments of a method that only reads from no JSON.
  const form = { "content-type": "application/x-www-form-urlencoded", ...bearer };

  /** The answer as the schema has it. */
  async function send<T extends z.infer<typeof Answer>>(
    method: string,
    schema: z.ZodType<T>,
    parts: Pick<WireRequest, "headers" | "body">,
  ): Promise<T> {
    const answered = await wire.send({ method, url: apiUrl + method, ...parts });
    if (answered.status !== 200) throw faultOfStatus(method, answered.status, answered.headers["retry-after"]);
    const answer = schema.safeParse(readJson(answered.content.toString()));
    if (!answer.success)
      throw new SlackUnanswered(method, { maybeApplied: true, why: "Slack's answer cannot be read" });
    if (answer.data.ok) return answer.data;
    throw faultOfCode(method, answer.data.error, answer.data.response_metadata?.messages);
  }

  return {
    call: (method, args) => send(method, Posted, { headers, body: JSON.stringify(args) }),
    async channel(id) {
      const body = `channel=${encodeURIComponent(id)}`;
      return (await send("conversations.info", Described, { headers: form, body })).channel;
    },
    async respond(url, body) {
      const method = "response_url";
      const { status, headers, content } = await wire.send({ method, url, headers: type, body: JSON.stringify(body) });
      if (status >= 200 && status <= 299) return;
      // Slack ends a response URL by a bare status, too.
      const code =
        status >= 400 && status < 500 && status !== 429 ? (codeIn(content) ?? `status_${status}`) : undefined;
      throw code === undefined ? faultOfStatus(method, status, headers["retry-after"]) : faultOfCode(method, code);
    },
  };
}

/** The error code in an answer of a response URL, which is plain text or JSON as of the Web API. */
function codeIn(content: Buffer): string | undefined {
  const text = content.toString();
  if (/^[a-z_]{3,50}$/.test(text)) return text;
  const answer = Answer.safeParse(readJson(text));
  return answer.success && typeof answer.data.error === "string" ? answer.data.error : undefined;
}
