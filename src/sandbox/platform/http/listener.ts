import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { dispatch, type Incoming } from "../customer/api.ts";
import type { World } from "../world/world.ts";
import { bodyWithoutSecrets, type CallLog, type LoggedCall } from "./call-log.ts";
import { type FaultDesk, spoil } from "./faults.ts";
import type { RateWindow } from "./rate-window.ts";
import { notFound, Refusal } from "./refusal.ts";
import { type Answer, refused } from "./response.ts";

/** The one thing that is said in the log: a fault of the practice platform's own. */
export interface ListenerLog {
  error(facts: object, message: string): void;
}

interface Parts {
  world: World;
  window: RateWindow;
  desk: FaultDesk;
  calls: CallLog;
  latencyMs: number;
  log: ListenerLog | undefined;
}

const root = "/api/v1";
const maxBody = 1_048_576;

/** From the wire to `dispatch` and back, through whatever faults a test has told. */
export function createListener(parts: Parts): { handle: RequestListener; close(): void } {
  const { world, window, desk, calls } = parts;
  const waiting = new Set<() => void>();

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = world.clock.after(ms, () => {
        waiting.delete(cancel);
        resolve();
      });
      waiting.add(cancel);
    });
  }

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const incoming = readRequest(request, text);
    if (incoming === undefined) return send(response, refused(notFound("Route")));
    const entry = logged(world, incoming);
    calls.add(entry);
    if (parts.latencyMs > 0) await pause(parts.latencyMs);

    const fault = desk.take(incoming.method, incoming.path);
    let answer = fault === undefined || fault.applied ? dispatch(world, window, incoming) : undefined;
    if (fault?.how === "hang") await desk.untilResumed();
    if (fault?.how === "late") await pause(fault.lateMs);
    if (fault?.how === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    answer = (fault && spoil(fault.how, answer)) ?? answer ?? dispatch(world, window, incoming);
    entry.status = answer.status;
    send(response, answer);
  }

  return {
    handle(request, response) {
      answerTo(request, response).catch((error: unknown) => {
        parts.log?.error({ err: error }, "The practice platform failed");
        send(response, refused(new Refusal(500, "INTERNAL_ERROR", "The practice platform failed")));
      });
    },
    close() {
      for (const cancel of waiting) cancel();
    },
  };
}

function readRequest(request: IncomingMessage, text: string): Incoming | undefined {
  const url = new URL(request.url ?? "/", "http://practice");
  if (url.pathname !== root && !url.pathname.startsWith(`${root}/`)) return undefined;
  return {
    method: request.method ?? "GET",
    path: url.pathname.slice(root.length) || "/",
    query: url.searchParams,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    address: request.socket.remoteAddress ?? "",
    text,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBody) throw new Error("The body is too large");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function logged(world: World, incoming: Incoming): LoggedCall {
  const secret = incoming.header("authorization")?.replace(/^Bearer /, "");
  return {
    method: incoming.method,
    path: incoming.path,
    query: Object.fromEntries(incoming.query),
    key: secret === undefined ? null : (world.people.keys.get(secret)?.label ?? null),
    project: incoming.header("x-project-id") ?? incoming.query.get("project"),
    status: null,
    body: bodyWithoutSecrets(incoming.text),
    at: world.clock.now(),
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(answer.status, {
    "content-type": answer.contentType,
    "content-length": Buffer.byteLength(answer.text),
    ...answer.headers,
  });
  response.end(answer.text);
}
