import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { type DestinationStream, pino } from "pino";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { CustomerClient } from "../../src/platform/customer/client.ts";
import { inData } from "../../src/platform/http/data.ts";
import type { Attempt, CallLimits } from "../../src/platform/http/transport.ts";
import { createPlatform, type Platform } from "../../src/platform/platform.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";
import type { Clock } from "../../src/process/clock.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

export function makeResellerKey(): string {
  return `rsk_${randomBytes(4).toString("hex")}_${randomBytes(32).toString("hex")}`;
}

export function makeKey(): string {
  return `fbk_${randomBytes(4).toString("hex")}_${randomBytes(48).toString("hex")}`;
}

/** A request at the server; `socket` counts connections from 1, `nth` the requests on this connection. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** The body's exact text. */
  text: string;
  socket: number;
  nth: number;
}

export type Reply = (response: ServerResponse, seen: Seen) => void;

/** A real HTTP server on loopback that answers with `reply` until the test ends. */
export async function startServer(reply: Reply): Promise<{ url: string; port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const sockets = new Map<object, { socket: number; requests: number }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    const connection = sockets.get(request.socket) ?? { socket: sockets.size + 1, requests: 0 };
    connection.requests += 1;
    sockets.set(request.socket, connection);
    const one: Seen = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      text,
      socket: connection.socket,
      nth: connection.requests,
    };
    seen.push(one);
    reply(response, one);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/api/v1`, port, seen };
}

/** A TCP server that sends `greeting` after its first input, or nothing at all. */
export async function startTcp(greeting?: string): Promise<{ port: number }> {
  const open = new Set<{ destroy(): void }>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      if (greeting !== undefined) socket.end(greeting);
    });
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port };
}

function listen(server: Server | TcpServer): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const ok =
  (data: unknown, beside: object = {}) =>
  (response: ServerResponse) =>
    json(response, 200, { success: true, data, ...beside });

export const refusal =
  (status: number, code: string, beside: object = {}, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    json(response, status, { success: false, error: `No: ${code}`, code, ...beside }, headers);

/** A clock on which short waits take no time and are recorded, and long waits never end. */
export function createHastyClock(): Clock & { waits: number[] } {
  let now = Date.UTC(2026, 10, 20);
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    monotonic: () => now,
    after(ms, action) {
      if (ms >= 10_000) return () => {};
      waits.push(ms);
      now += ms;
      const soon = setImmediate(action);
      return () => clearImmediate(soon);
    },
  };
}

export interface Practice {
  client: CustomerClient<string>;
  key: string;
  attempts: Attempt[];
  lines: string[];
  budgets: Platform["budgets"];
  withKey(key: string): CustomerClient<string>;
  reseller(options: { key: string; signingSecret: string | null }): ResellerClient<string>;
  close(): Promise<void>;
}

/** The real client for `url`, with everything that it logs and counts. */
export function connect(
  url: string,
  options: { clock?: Clock; limits?: Partial<CallLimits>; patient?: boolean; project?: string } = {},
): Practice {
  const { clock = createSandboxClock(), limits = {}, ...rest } = options;
  const lines: string[] = [];
  const attempts: Attempt[] = [];
  const sink: DestinationStream = { write: (line) => void lines.push(line) };
  const log = pino({ level: "trace" }, sink);
  const platform = createPlatform({ url, clock, log, limits, onCall: (attempt) => attempts.push(attempt) });
  onTestFinished(() => platform.close());
  const key = makeKey();
  return {
    client: platform.customer({ key, ...rest }),
    key,
    attempts,
    lines,
    budgets: platform.budgets,
    reseller: (options) => platform.reseller(options),
    withKey: (other) => platform.customer({ key: other }),
    close: () => platform.close(),
  };
}

/** The error with which `work` rejects. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expectNothing(),
    (error: unknown) => error,
  );
}

function expectNothing(): never {
  throw new Error("It was expected to fail, and did not");
}

/** A schema for tests in which the answer does not matter. */
export const Sample = inData(z.object({ n: z.number() }));

/** Lets the event loop turn, so that a served connection becomes free again. */
export function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
