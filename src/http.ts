import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

// An import would have Node load its own fetch and WebSocket for the names that the module has besides: a tenth of the start.
const { createServer } = process.getBuiltinModule("node:http");

/** Answers one request; its body is unread, and the handler's to cap. A failure it lets out becomes a 500 that says nothing. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Http {
  /** Where it listens, with the real port; loopback when it listens on every address. */
  url: string;
  /** Takes no new request, lets the running ones end, then resolves. */
  close(): Promise<void>;
}

/** What one sender may take up. */
export interface HttpLimits {
  /** Milliseconds for a request's headers, counted from the connection where nothing comes at all, and for the whole of a request. */
  headersMs: number;
  requestMs: number;
  /** Milliseconds that a connection may stand still over a request, as where its other end has gone or does not take its answer. */
  stillMs: number;
  headerBytes: number;
  connections: number;
}

const usual: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  stillMs: 30_000,
  headerBytes: 16_384,
  connections: 2_000,
};

/**
 * The app's one HTTP listener. `routes` are exact: "GET /healthz"; a GET route answers HEAD, too. An unknown path is 404, a known one with another method 405.
 * Rejects when the address cannot be listened on.
 */
export async function createHttp(options: {
  host: string;
  port: number;
  routes: Record<string, Handler>;
  log: Logger;
  limits?: Partial<HttpLimits>;
}): Promise<Http> {
  const { log } = options;
  const routes = new Map(Object.entries(options.routes));
  const limits = { ...usual, ...options.limits };
  let closing = false;

  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      keepAliveTimeout: 65_000, // longer than a proxy's usual minute, so that it never sends on a connection that has just ended
      maxHeaderSize: limits.headerBytes,
    },
    (request, response) => {
      if (closing) response.setHeader("connection", "close");
      response.once("close", () => {
        if (closing) server.closeIdleConnections();
      });
      void answer(request, response);
    },
  );

  server.timeout = limits.stillMs;
  server.maxConnections = limits.connections;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/\?.*/s, "");
    const method = request.method === "HEAD" ? "GET" : request.method;
    const handler = routes.get(`${method} ${path}`);
    if (!handler) {
      refuse(request, response, path);
      return;
    }
    try {
      await handler(request, response);
    } catch (error) {
      log.error({ err: error, method: request.method, path }, "a request failed");
      if (response.headersSent) response.destroy();
      else plain(response, 500, "Something went wrong here. Nothing more is known outside the log.");
    }
  }

  function refuse(request: IncomingMessage, response: ServerResponse, path: string): void {
    const methods = [...routes.keys()]
      .filter((route) => route.endsWith(` ${path}`))
      .map((route) => route.split(" ")[0]);
    // What is not wanted is not read: the connection ends with the answer.
    if (request.method !== "GET" && request.method !== "HEAD") response.setHeader("connection", "close");
    if (methods.length === 0) {
      plain(response, 404, "There is nothing here.");
      return;
    }
    response.setHeader("allow", methods.join(", "));
    plain(response, 405, "This address wants another method.");
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  server.on("error", (error) => log.error({ err: error }, "the HTTP listener failed"));

  return {
    url: addressOf(server.address(), options.host),
    close() {
      closing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** Ends `response` with one sentence. */
export function plain(response: ServerResponse, status: number, sentence: string): void {
  const text = `${sentence}\n`;
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "content-length": length });
  response.end(text);
}

/** The whole body as it came; or why there is none: it is over `mostBytes`, or its sender left before its end. Never rejects. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | "too large" | "broken off"> {
  return new Promise((resolve) => {
    if (Number(request.headers["content-length"] ?? 0) > mostBytes) return resolve("too large");
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) return void chunks.push(chunk);
      request.pause();
      resolve("too large");
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", () => resolve("broken off"));
    request.on("close", () => resolve("broken off"));
  });
}

const quietMs = 60_000;

/** Counts what an address refuses, and logs it without its content: each kind at once, and then once a minute, so that a flood of them fills no disk. */
export function createRefusals<K extends string>(options: {
  clock: Clock;
  log: Logger;
  onRefused: (kind: K) => void;
  /** What the log says. */
  words: string;
}): (kind: K) => void {
  const { clock, log, onRefused, words } = options;
  const seen = new Map<K, { loggedAt: number; unlogged: number }>();

  return (kind) => {
    onRefused(kind);
    const now = clock.monotonic();
    const last = seen.get(kind);
    if (last && now - last.loggedAt < quietMs) {
      last.unlogged += 1;
      return;
    }
    seen.set(kind, { loggedAt: now, unlogged: 0 });
    log.warn({ kind, before: last?.unlogged ?? 0 }, words);
  };
}

function addressOf(address: ReturnType<ReturnType<typeof createServer>["address"]>, host: string): string {
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
