import { Agent } from "undici";
import { type Clock, systemClock } from "../clock.ts";
import { SlackUnanswered } from "./errors.ts";

/** Milliseconds that one call of Slack's may take, whole; what carries a file may take longer. */
const callLimitMs = 10_000;
export const fileLimitMs = 60_000;
const connectLimitMs = 5_000;
/** A process that stood still finds its time up before it has read what came meanwhile: so long it gets to read it. */
const readingMs = 100;

export interface WireRequest {
  /** The Web API's method, or what stands for one: what an error calls it. */
  method: string;
  verb?: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  limitMs?: number;
  /** The most that the answer may hold. */
  mostBytes?: number;
}

/** What was answered, of any status. */
export interface Answered {
  status: number;
  headers: Record<string, string>;
  content: Buffer;
}

/** The kept connections to Slack. */
export interface Wire {
  /** Sends once and takes the whole answer; follows no redirect. Rejects with SlackUnanswered, at the latest when its time is up. */
  send(request: WireRequest): Promise<Answered>;
  close(): Promise<void>;
}

/** `onDate`: told of each answer's `Date` header, and of the milliseconds that the answer took. */
export function createWire(options: { clock: Clock; onDate?: (date: string, tookMs: number) => void }): Wire {
  const { clock, onDate = () => {} } = options;
  // Of its own: the one that undici shares with Node's fetch is of Node's own version, and the two need not fit. The clock limits
  // each call whole, so undici's own limits rest.
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
): Promise<Answered> {
  const { method, verb = "POST", headers, body = null, limitMs = callLimitMs, mostBytes = 16 * 1024 * 1024 } = request;
  const { origin, pathname, search } = new URL(request.url);
  return new Promise((resolve, reject) => {
    const began = clock.monotonic();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let sent = false;
    let over = false;
    let abort = (_: Error): void => {};
    let head: Omit<Answered, "content"> | undefined;

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
        // Called when there is a connection and before the first byte is written to it: until here, nothing has left the machine.
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

/** Calls `over` when the time is up, unless the returned function was called by then. */
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
