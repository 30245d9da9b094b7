import type { Dispatcher } from "undici";
import type { Clock } from "../../clock.ts";
import { bare } from "./conceal.ts";
import { type HttpCall, PlatformOffContract, PlatformTooLate, PlatformUnanswered } from "./errors.ts";

export interface HttpRequest extends HttpCall {
  /** The path in the HTTP request, with the API root and the query. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  limitMs: number;
  maxBytes: number;
  secrets: readonly string[];
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpResponse {
  status: number;
  headers: Headers;
  content: Buffer;
}

/**
 * Sends one request once and reads its whole answer, of any status. Rejects with PlatformUnanswered, PlatformTooLate (over `limitMs`, or
 * no connection in time) or PlatformOffContract (not HTTP, broken off, or over `maxBytes`). Calls `onEnd` once, as soon as the exchange
 * ends in any way.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  clock: Clock,
  onEnd = () => {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let sent = false;
    let over = false;
    let controller: Dispatcher.DispatchController | undefined;
    let head: { status: number; headers: Headers } | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const stopWatch = clock.after(request.limitMs, () => fail(new PlatformTooLate(request, sent, request.limitMs)));

    function end(): boolean {
      if (over) return false;
      over = true;
      stopWatch();
      onEnd();
      return true;
    }

    function fail(error: Error): void {
      if (!end()) return;
      reject(error);
      controller?.abort(error);
    }

    dispatcher.dispatch(
      { path: request.target, method: request.method, headers: request.headers, body: request.body ?? null },
      {
        // undici calls this with a connection, before it writes the first byte. Until here nothing has left the machine.
        onRequestStart(started) {
          controller = started;
          if (over) return started.abort(new Error("The time was up before there was a connection"));
          sent = true;
        },
        onResponseStart(_, status, headers) {
          if (status >= 200) head = { status, headers };
        },
        onResponseData(_, chunk) {
          bytes += chunk.length;
          if (bytes > request.maxBytes) return fail(tooLong(request, head?.status));
          chunks.push(chunk);
        },
        onResponseEnd() {
          if (head && end()) resolve({ ...head, content: Buffer.concat(chunks) });
        },
        onResponseError(_, error) {
          fail(errorOf(request, sent, head?.status, error));
        },
      },
    );
  });
}

function tooLong(request: HttpRequest, status: number | undefined): PlatformOffContract {
  return new PlatformOffContract(request, {
    status,
    problem: `The answer is longer than ${request.maxBytes} bytes.`,
  });
}

const NOT_HTTP = ["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"];

function errorOf(request: HttpRequest, sent: boolean, status: number | undefined, error: Error): Error {
  const cause = bare(error, request.secrets);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return new PlatformTooLate(request, sent, request.limitMs, cause);
  if (status !== undefined) {
    return new PlatformOffContract(request, { status, problem: "The answer broke off in the middle.", cause });
  }
  if (error.name === "HTTPParserError" || NOT_HTTP.includes(code)) {
    return new PlatformOffContract(request, { problem: "The answer is not proper HTTP.", cause });
  }
  return new PlatformUnanswered(request, sent, cause);
}
