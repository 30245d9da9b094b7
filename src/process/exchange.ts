import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { Agent, buildConnector, Client, type Dispatcher } from "undici";
import { type Clock, systemClock } from "./clock.ts";

/** One outgoing HTTP request, which is sent once. No redirect is followed. */
export interface OutgoingRequest {
  origin: string;
  /** The path with the query, exactly as it is sent. */
  path: string;
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Milliseconds for the whole exchange. */
  limitMs: number;
  /** The limit of the answer's size. */
  mostBytes: number;
}

/** A whole answer, of any status. */
export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  content: Buffer;
  /** Milliseconds until its head arrived. */
  headMs: number;
}

export type Failing = "unreachable" | "no connection in time" | "too late" | "no HTTP" | "broken off" | "too long";

/**
 * An exchange without a whole answer. `sent`: part of the request may have left this machine. `status`: of an answer that began. Its
 * cause may hold raw bytes of the connection.
 */
export class ExchangeFailed extends Error {
  override readonly name = "ExchangeFailed";
  readonly failing: Failing;
  readonly sent: boolean;
  readonly status: number | undefined;

  constructor(failing: Failing, options: ErrorOptions & { sent: boolean; status: number | undefined }) {
    super(`The exchange failed: ${failing}`, options);
    this.failing = failing;
    this.sent = options.sent;
    this.status = options.status;
  }
}

/** Why no connection came about, by the codes of Node.js, for the operator. */
const connectionFaults = new Map([
  ["ENOTFOUND", "no address was found for the name. Check the name, and the DNS of this machine"],
  ["EAI_AGAIN", "no DNS server answered. Check the network of this machine"],
  ["ECONNREFUSED", "the connection was refused. Check the port, and that the server runs"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection came about in time. Check the network and its firewall"],
  ["CERT_HAS_EXPIRED", "the certificate has expired, or this machine's clock is wrong"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another host name. Check the name"],
  ...[
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ].map((code): [string, string] => [
    code,
    "the certificate is of an authority that Node.js does not know. Name the authority's file in NODE_EXTRA_CA_CERTS",
  ]),
]);

/** The cause of a failed call in words, wherever it is in the chain of causes; null if none is known. */
export function connectionFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const found = "code" in error ? connectionFaults.get(String(error.code)) : undefined;
  return found ?? connectionFault("original" in error ? error.original : error.cause);
}

/** All outgoing HTTP but Slack's socket: kept connections, the limits of time and size, and one kind of failure. */
export interface Exchanges {
  /** Sends over a connection that earlier requests may have used. Rejects with ExchangeFailed, as below. */
  send(request: OutgoingRequest): Promise<HttpAnswer>;
  /**
   * Sends over a new connection, which is closed after this one request. The server may close an idle connection unnoticed, and a request
   * on it then fails without showing whether the server read it. On its own connection it is never sent, or sent exactly once.
   */
  sendAlone(request: OutgoingRequest): Promise<HttpAnswer>;
  /** Cuts what is under way. */
  close(): Promise<void>;
}

/**
 * One shared error for closing served connections, inside the end of the answer. With `pipelining: 0` undici would close them, each with an
 * error of its own, and Node would build the stack of each (57 µs of a command's 3.2 ms on the main thread).
 */
const served = new Error("This connection has served its one request");

/** An answer of more bytes is large. So many large ones are read at a time, and others wait: the memory for all of them is bounded. */
const largeBytes = 1024 * 1024;
const mostLarge = 4;

/** A process that stood still sees its time limit before answers that arrived meanwhile. This is the extra time to read them. */
const readingMs = 100;

export function createExchanges({ clock, connectMs = 5_000 }: { clock: Clock; connectMs?: number }): Exchanges {
  // HTTP/2 would put reads and writes on one long-lived connection. The clock limits the whole exchange, so undici's own limits are off.
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  const options = { connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  // Its own Agent: undici's default one is Node's, whose version may not fit.
  const agent = new Agent({ ...options, connections: 64 });
  const takeTurn = createTurns(mostLarge);
  return {
    send: (request) => exchange(agent, request, { clock, takeTurn }, () => {}),
    sendAlone(request) {
      const connection = new Client(request.origin, options);
      return exchange(connection, request, { clock, takeTurn }, () => void connection.destroy(served));
    },
    close: () => agent.destroy(),
  };
}

/** Calls `begin` when it is one's turn: at once, or when another has left. The result leaves, also before that. */
type TakeTurn = (begin: () => void) => () => void;

function createTurns(most: number): TakeTurn {
  const taken = new Set<() => void>();
  const waiting = new Set<() => void>();
  return (begin) => {
    const isNow = taken.size < most;
    (isNow ? taken : waiting).add(begin);
    if (isNow) begin();
    return () => {
      waiting.delete(begin);
      if (!taken.delete(begin)) return;
      const [next] = waiting;
      if (!next) return;
      waiting.delete(next);
      taken.add(next);
      // One parser of undici's must not go on within the callback of another.
      queueMicrotask(next);
    };
  };
}

/** Calls `end` once, as soon as there is an answer or a failure. */
function exchange(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  { clock, takeTurn }: { clock: Clock; takeTurn: TakeTurn },
  end: () => void,
): Promise<HttpAnswer> {
  const { origin, path, method, headers, body = null, limitMs, mostBytes } = request;
  return new Promise((resolve, reject) => {
    const began = clock.monotonic();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let sent = false;
    let over = false;
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<HttpAnswer, "content"> | undefined;
    let leave: (() => void) | undefined;

    const stopWatch = limit(clock, limitMs, () => fail("too late"));

    function settle(): void {
      over = true;
      stopWatch();
      leave?.();
    }

    /** Nothing more of the answer is read until its turn has come. */
    function awaitTurn(): void {
      let begun = false;
      leave = takeTurn(() => {
        begun = true;
        controller?.resume();
      });
      if (!begun) controller?.pause();
    }

    function fail(failing: Failing, cause?: unknown): void {
      if (over) return;
      settle();
      const error = new ExchangeFailed(failing, { sent, status: head?.status, cause });
      reject(error);
      controller?.abort(error);
      end();
    }

    dispatcher.dispatch(
      { origin, path, method, headers, body },
      {
        // undici calls this with a connection, before it writes the first byte. Until here nothing has left the machine.
        onRequestStart(started) {
          controller = started;
          if (over) return started.abort(new Error("The time was up before there was a connection"));
          sent = true;
        },
        onResponseStart(_, status, rawHeaders) {
          if (status >= 200) head = { status, headers: singleHeaders(rawHeaders), headMs: clock.monotonic() - began };
        },
        onResponseData(_, chunk) {
          bytes += chunk.length;
          if (bytes > mostBytes) return fail("too long");
          chunks.push(chunk);
          if (bytes > largeBytes && !leave) awaitTurn();
        },
        onResponseEnd() {
          if (over || !head) return;
          const content = unpacked(Buffer.concat(chunks), head.headers["content-encoding"], mostBytes);
          if (typeof content === "string") return fail(content);
          settle();
          resolve({ ...head, content });
          end();
        },
        onResponseError(_, error) {
          fail(head ? "broken off" : failingOf(error), error);
        },
      },
    );
  });
}

const decompress = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

/** The content as it was before a proxy compressed it, which some do unasked; bounded, since a small answer can unpack to any size. */
function unpacked(content: Buffer, encoding: string | undefined, mostBytes: number): Buffer | Failing {
  const unpack = decompress.get(encoding?.toLowerCase() ?? "");
  if (!unpack || content.length === 0) return content;
  try {
    return unpack(content, { maxOutputLength: mostBytes });
  } catch (error) {
    return error instanceof RangeError ? "too long" : "broken off";
  }
}

/** Calls `over` after `ms`, unless the returned function was called before. */
function limit(clock: Clock, ms: number, over: () => void): () => void {
  let stopReading = (): void => {};
  const stopWatch = clock.after(ms, () => {
    stopReading = systemClock.after(readingMs, over);
  });
  return () => {
    stopWatch();
    stopReading();
  };
}

/** A header that came more than once is left out: the app reads only those that have one value. */
function singleHeaders(headers: Record<string, string | string[] | undefined>): HttpAnswer["headers"] {
  if (areSingle(headers)) return headers;
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") single[name] = value;
  return single;
}

function areSingle(headers: Record<string, string | string[] | undefined>): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== "string") return false;
  return true;
}

const noHttp = ["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

/** How an exchange failed that had no answer yet. */
function failingOf(error: Error): Failing {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "no connection in time";
  if (error.name === "HTTPParserError" || noHttp.includes(code)) return "no HTTP";
  return "unreachable";
}
