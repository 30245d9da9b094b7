import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

// A static import would also load Node's fetch and WebSocket, which the module re-exports: a tenth of the start.
const { createServer } = process.getBuiltinModule("node:http");

/** Answers one request. The body is unread: the handler limits its size. If it throws, the client gets a 500 without details. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Http {
  /** Base URL with the real port; loopback if it listens on every address. */
  url: string;
  /** Resolves when the requests that run now have been answered. */
  settled(): Promise<void>;
  /** Accepts no new request, lets the running ones end, then resolves. */
  close(): Promise<void>;
}

/** Limits of time, header size and connections. */
export interface HttpLimits {
  /** Milliseconds for the headers, counted from the connection if nothing arrives. `requestMs` is for the whole request. */
  headersMs: number;
  requestMs: number;
  /** Milliseconds without traffic in a request, for example because the other end is gone or does not read its answer. */
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

/** Characters. A route's longest last part is a link's code of some forty. */
const longestPath = 1_024;

/**
 * The app's one HTTP listener. `routes` match exactly, as "GET /healthz", or all but the last part, as "GET /approve/*"; a GET route
 * answers HEAD, too. An unknown path gets 404, a
 * known one with another method 405. Rejects if the address cannot be bound.
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
  /** Each open connection with its current request; the least recently used comes first. */
  const connections = new Map<Socket, IncomingMessage | null>();
  const running = new Set<Promise<void>>();
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
      const { socket } = request;
      connections.set(socket, request);
      response.once("close", () => {
        // Move it to the end: a proxy's connection that was just used is closed last when room is needed.
        if (connections.delete(socket)) connections.set(socket, null);
        if (closing) server.closeIdleConnections();
      });
      const answering = answer(request, response).finally(() => running.delete(answering));
      running.add(answering);
    },
  );

  server.timeout = limits.stillMs;
  server.on("connection", (socket: Socket) => {
    connections.set(socket, null);
    socket.once("close", () => connections.delete(socket));
    if (connections.size > limits.connections) makeRoom();
  });

  /**
   * Closes the oldest connection without a whole request. Refusing new ones would let a flood of silent connections lock Slack and the
   * supplier out.
   */
  function makeRoom(): void {
    const [waiting] = connections.entries().find(([, request]) => !request?.complete) ?? [];
    waiting?.destroy();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = pathIn(request);
    // Node takes an address as long as all headers. No route of ours is: the rest of such an address is not read.
    if (asked.length > longestPath) return refuse(request, response, "");
    // The last part may be a secret, so a route with a star is logged by its star.
    const path = starred(asked) ?? asked;
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
      else answerPlainly(response, 500, "Something went wrong here. Nothing more is known outside the log.");
    }
  }

  /** The path with a star for its last part, if there is such a route. */
  function starred(path: string): string | null {
    const pattern = withStar(path);
    return ["GET", "POST"].some((method) => routes.has(`${method} ${pattern}`)) ? pattern : null;
  }

  function refuse(request: IncomingMessage, response: ServerResponse, path: string): void {
    const methods = [...routes.keys()]
      .filter((route) => route.endsWith(` ${path}`))
      .map((route) => route.split(" ")[0]);
    // The connection closes with the answer, so that the body of a refused request is never read.
    if (request.method !== "GET" && request.method !== "HEAD") response.setHeader("connection", "close");
    if (methods.length === 0) {
      answerPlainly(response, 404, "There is nothing here.");
      return;
    }
    response.setHeader("allow", methods.join(", "));
    answerPlainly(response, 405, "This address wants another method.");
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  server.on("error", (error) => log.error({ err: error }, "the HTTP listener failed"));

  return {
    url: addressOf(server.address(), options.host),
    async settled() {
      await Promise.allSettled(running);
    },
    close() {
      closing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

/** The path with a star for its last part, unless that is empty. */
export function withStar(path: string): string {
  return path.endsWith("/") ? path : `${path.slice(0, path.lastIndexOf("/") + 1)}*`;
}

/** The path of a request, without its query. */
export function pathIn({ url }: Pick<IncomingMessage, "url">): string {
  const [path = ""] = (url ?? "").split("?", 1);
  return path;
}

/** Answers with `status` and one sentence as plain text. */
export function answerPlainly(response: ServerResponse, status: number, sentence: string): void {
  const text = `${sentence}\n`;
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "content-length": length });
  response.end(text);
}

const quietMs = 60_000;

/**
 * Counts refused requests, and logs their kind without their content. Each kind is logged at once and then once a minute, so that a flood
 * fills no disk.
 */
export function createRefusals<K extends string>(options: {
  clock: Clock;
  log: Logger;
  onRefused: (kind: K) => void;
  /** The message of the log line. */
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
