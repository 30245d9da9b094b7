// http/: what every API of the practice platform shares on the wire: the listener, bodies, faults, the log, the window.
// It knows no API and nothing of the world behind one; an API reaches it as an argument (api.ts).

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Clock } from "../../../process/clock.ts";
import type { Api, ApiRequest } from "./api.ts";
import { bodyWithoutSecrets, type CallLog, type LoggedCall } from "./call-log.ts";
import { type FaultInjector, type SendByHand, sendOf, spoil } from "./faults.ts";
import { notFound, Refusal } from "./refusal.ts";
import type { ApiResponse } from "./response.ts";

/** The only line in the log: a fault in the practice platform itself. */
export interface ListenerLog {
  error(facts: object, message: string): void;
}

interface Parts {
  clock: Clock;
  /** The platform's own clock: milliseconds since the epoch. */
  wallClock(): number;
  /** One of them has the prefix "": it answers what no other does. */
  apis: [Api, ...Api[]];
  faults: FaultInjector;
  calls: CallLog;
  latencyMs: number;
  log: ListenerLog | undefined;
  /** Gets the body of each answer that is sent. */
  answered?(body: string | Buffer): void;
}

const root = "/api/v1";
const usualMostBytes = 1_048_576;

/** Passes each request to the API of its path and the answer back, through the faults that a test has planned. */
export function createListener(parts: Parts): { handle: RequestListener; close(): void } {
  const { clock, faults, calls } = parts;
  const [first, ...others] = parts.apis;
  const waiting = new Set<() => void>();

  function apiFor(path: string): Api {
    const fitting = others.filter(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    return fitting.sort((a, b) => b.prefix.length - a.prefix.length)[0] ?? first;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, () => {
        waiting.delete(cancel);
        resolve();
      });
      waiting.add(cancel);
    });
  }

  async function respondTo(request: IncomingMessage, response: ServerResponse, at: Address): Promise<void> {
    const { api, path } = at;
    const most = api.mostBytes?.(path.slice(api.prefix.length)) ?? usualMostBytes;
    const incoming = readRequest(request, at, await bodyOf(request, most));
    const entry = logged(incoming, path, api, clock.now());
    calls.add(entry);
    if (parts.latencyMs > 0) await pause(parts.latencyMs);

    const fault = faults.take(incoming.method, path);
    const byHand = sendOf(fault?.how);
    if (byHand) return sendByHand(byHand, response, { api, incoming, entry });
    let answer = fault === undefined || fault.applied ? api.respond(incoming) : undefined;
    if (fault?.how === "hang") await faults.untilResumed();
    if (fault?.how === "late") await pause(fault.lateMs);
    if (fault?.how === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    answer = spoil(fault?.how, answer, api.refuse) ?? answer ?? api.respond(incoming);
    entry.status = answer.status;
    send(response, answer);
  }

  function sendByHand(
    send: SendByHand,
    response: ServerResponse,
    { api, incoming, entry }: { api: Api; incoming: ApiRequest; entry: LoggedCall },
  ): void {
    send(response, () => ownAnswer(api, incoming, entry), entry);
    entry.status ??= response.headersSent ? response.statusCode : null;
  }

  /** The status in the log says what the platform did, whatever is sent in its place. */
  function ownAnswer(api: Api, incoming: ApiRequest, entry: LoggedCall): ApiResponse {
    const answer = api.respond(incoming);
    entry.status = answer.status;
    parts.answered?.(answer.body);
    return answer;
  }

  function send(response: ServerResponse, answer: ApiResponse): void {
    if (response.destroyed || response.headersSent) return;
    parts.answered?.(answer.body);
    response.writeHead(answer.status, {
      date: new Date(parts.wallClock()).toUTCString(),
      "content-type": answer.contentType,
      "content-length": Buffer.byteLength(answer.body),
      ...answer.headers,
    });
    response.end(answer.body);
  }

  return {
    handle(request, response) {
      const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://practice");
      if (pathname !== root && !pathname.startsWith(`${root}/`)) return send(response, first.refuse(notFound("Route")));
      const path = pathname.slice(root.length) || "/";
      const api = apiFor(path);
      respondTo(request, response, { api, path, query }).catch((error: unknown) => {
        if (error instanceof Refusal) return send(response, api.refuse(error));
        parts.log?.error({ err: error }, "The practice platform failed");
        send(response, api.refuse(new Refusal(500, "INTERNAL_ERROR", "The practice platform failed")));
      });
    },
    close() {
      for (const cancel of waiting) cancel();
    },
  };
}

interface Address {
  api: Api;
  /** Below /api/v1. */
  path: string;
  query: URLSearchParams;
}

function readRequest(request: IncomingMessage, { api, path, query }: Address, body: Buffer): ApiRequest {
  return {
    method: request.method ?? "GET",
    path: path.slice(api.prefix.length) || "/",
    query,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    address: request.socket.remoteAddress ?? "",
    body,
  };
}

async function bodyOf(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    // Read the body to its end all the same: a client that is cut off while it sends gets no answer.
    if (size <= most) chunks.push(bytes);
  }
  if (size > most) throw new Refusal(413, "PAYLOAD_TOO_LARGE", "The body is too large");
  return Buffer.concat(chunks);
}

function logged(request: ApiRequest, path: string, api: Api, at: number): LoggedCall {
  return {
    method: request.method,
    path,
    query: Object.fromEntries(request.query),
    ...api.caller(request),
    status: null,
    body: bodyWithoutSecrets(request.body.toString("utf8")),
    at,
  };
}
