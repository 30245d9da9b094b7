import type { FetchFunction } from "@slack/web-api";
import type { Clock } from "../../process/clock.ts";
import { createExchanges, ExchangeFailed, type HttpAnswer } from "../../process/exchange.ts";
import { parseJson, wellFormedJson } from "../../process/json.ts";
import { faultOfStatus, SlackUnanswered } from "./errors.ts";

/** Milliseconds for one whole call of Slack. A call with a file may take `fileLimitMs`. */
const callLimitMs = 10_000;
export const fileLimitMs = 60_000;

export interface WireRequest {
  /** The Web API's method, or another name for the call, for errors. */
  method: string;
  verb?: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  limitMs?: number;
  /** The limit of the answer's size. */
  mostBytes?: number;
}

/** The kept connections to Slack. */
export interface Wire {
  /** Sends once and reads the whole answer, of any status. Rejects with SlackUnanswered, at the latest when its time limit is over. */
  send(request: WireRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** `onDate` gets each answer's `Date` header and the milliseconds until it arrived. */
export function createWire(options: { clock: Clock; onDate?: (date: string, tookMs: number) => void }): Wire {
  const { clock, onDate = () => {} } = options;
  const exchanges = createExchanges({ clock });
  return {
    async send({ method, verb = "POST", headers, body, limitMs = callLimitMs, mostBytes = 16 * 1024 * 1024, ...to }) {
      const { origin, pathname, search } = new URL(to.url);
      const request = { origin, path: pathname + search, method: verb, headers, body, limitMs, mostBytes };
      const answer = await exchanges.send(request).catch((error: unknown) => {
        if (!(error instanceof ExchangeFailed)) throw error;
        const why = {
          unreachable: "Slack could not be reached",
          "no connection in time": "Slack could not be reached",
          "no HTTP": "Slack could not be reached",
          "too late": `Slack did not answer within ${limitMs / 1_000} s`,
          "broken off": "Slack's answer broke off",
          "too long": `the answer is longer than ${mostBytes} bytes`,
        }[error.failing];
        throw new SlackUnanswered(method, { maybeApplied: error.sent, why, cause: error.cause });
      });
      if (answer.headers.date !== undefined) onDate(answer.headers.date, answer.headMs);
      return answer;
    },
    close: exchanges.close,
  };
}

/**
 * The `fetch` for Slack's own client: over our connections, with their limits. The global fetch makes streams and signals that outlive
 * the call; under load they doubled the old garbage. Throws SlackUnanswered or the fault of the status; the client passes it on as its
 * error's `original`.
 */
export function createSlackFetch({ wire }: { wire: Wire }): FetchFunction {
  return async (url, { headers: given, body = "" } = {}) => {
    // The URL of an upload is a secret, so errors name the call by its purpose.
    const method = typeof body === "string" ? (new URL(url).pathname.split("/").at(-1) ?? "") : "files.upload";
    const sent = typeof body === "string" ? { headers: {}, body } : await encoded(body);
    const to = { method, url: String(url) };
    const { status, headers, content } = await wire.send({ ...to, ...sent, headers: { ...given, ...sent.headers } });
    if (status !== 200) throw faultOfStatus(method, status, headers["retry-after"]);
    const text = () => content.toString();
    return {
      ok: true,
      status,
      statusText: "",
      url: String(url),
      // Using the global Headers would load Node's own fetch: a fifteenth of the start.
      headers: { get: (name) => headers[name] ?? null, entries: () => Object.entries(headers) },
      arrayBuffer: async () => new Uint8Array(content).buffer,
      json: async () => parseJson(text()),
      text: async () => wellFormedJson(text()),
    };
  };
}

/** A form with a file as the bytes of its body, which may take longer to send. */
async function encoded(form: FormData) {
  const response = new Response(form);
  const headers = { "content-type": response.headers.get("content-type") ?? "" };
  return { headers, body: Buffer.from(await response.arrayBuffer()), limitMs: fileLimitMs };
}
