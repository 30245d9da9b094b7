import { Agent } from "undici";
import { type Clock, systemClock } from "../clock.ts";
import { SlackUnanswered } from "./errors.ts";

/** Milliseconds for one whole call of Slack. A call with a file may take `fileLimitMs`. */
const callLimitMs = 10_000;
export const fileLimitMs = 60_000;
const connectLimitMs = 5_000;
/** A process that stood still sees its time limit before answers that arrived meanwhile. This is the extra time to read them. */
const readingMs = 100;

export interface WireRequest {
  /** The Web API's method, or another name for the call, for errors. */
  method: string;
  verb?: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  limitMs?: number;
  /** The limit of the answer's size. */
  mostBytes?: number;
}

/** An answer with any status. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  content: Buffer;
}

/** The kept connections to Slack. */
export interface Wire {
  /**
   * Sends once and reads the whole answer; follows no redirect. Rejects with SlackUnanswered, at the latest when its time limit is over.
   */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** `onDate` gets each answer's `Date` header and the milliseconds that the answer took. */
export function createWire(options: { clock: Clock; onDate?: (date: string, tookMs: number) => void }): Wire {
  const { clock, onDate = () => {} } = options;
  // Its own Agent: undici's default one is Node's, whose version may not fit. The clock limits each whole call, so undici's own limits
  // are off.
  const agent = new Agent({
    connect: { timeout: connectLimitMs },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    send: (request) => exchange(agent, request, clock, onDate),
    close: () => agent.destroy(),
  };
}

function exchange(
  agent: Agent,
  request: WireRequest,
  clock: Clock,
  onDate: (date: string, tookMs: number) => void,
): Promise<WireAnswer> {
  const { method, verb = "POST", headers, body = null, limitMs = callLimitMs, mostBytes = 16 * 1024 * 1024 } = request;
  const { origin, pathname, search } = new URL(request.url);
  return new Promise((resolve, reject) => {
    const began = clock.monotonic();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let sent = false;
    let over = false;
    let abort = (_: Error): void => {};
    let head: Omit<WireAnswer, "content"> | undefined;

    const stopWatch = limit(clock, limitMs, () => fail(`Slack did not answer within ${limitMs / 1_000} s`));

    function fail(why: string, cause?: unknown): void {
      if (over) return;
      over = true;
      stopWatch();
      const error = new SlackUnanswered(method, { maybeApplied: sent, why, cause });
      reject(error);
      abort(error);
    }

    agent.dispatch(
      { origin, path: pathname + search, method: verb, headers, body },
      {
        // undici calls this with a connection, before the first byte is written. Until here nothing has left the machine.
        onRequestStart(controller) {
          if (over) return controller.abort(new Error("The time was up before there was a connection"));
          abort = (error) => controller.abort(error);
          sent = true;
        },
        onResponseStart(_, status, told) {
          if (status < 200) return;
          head = { status, headers: plainHeaders(told) };
          if (head.headers.date !== undefined) onDate(head.headers.date, clock.monotonic() - began);
        },
        onResponseData(_, chunk) {
          bytes += chunk.length;
          if (bytes > mostBytes) return fail(`the answer is longer than ${mostBytes} bytes`);
          chunks.push(chunk);
        },
        onResponseEnd() {
          if (over || !head) return;
          over = true;
          stopWatch();
          resolve({ ...head, content: Buffer.concat(chunks) });
        },
        onResponseError(_, error) {
          fail(head ? "Slack's answer broke off" : "Slack could not be reached", error);
        },
      },
    );
  });
}

/** Calls `over` after `ms`, unless the returned function was called before. */
export function limit(clock: Clock, ms: number, over: () => void): () => void {
  let stopReading = (): void => {};
  const stopWatch = clock.after(ms, () => {
    stopReading = systemClock.after(readingMs, over);
  });
  return () => {
    stopWatch();
    stopReading();
  };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]));
}
