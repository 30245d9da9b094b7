import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import { answerPlainly, type Handler } from "./http.ts";

/** Resolves with the problems as sentences; an empty list means ready. */
export type Check = () => Promise<string[]>;

export const alive: Handler = (_, response) => answerPlainly(response, 200, "ok");

/**
 * `GET /readyz`: 200, or 503 if there are problems, with a JSON list of them. A named check that fails or takes longer than `limit`
 * milliseconds (3 s) is itself a problem. `notes` are warnings in the same list; the app stays ready with them.
 */
export function ready(options: {
  checks: Record<string, Check>;
  notes?: () => Promise<string[]>;
  clock: Clock;
  log: Logger;
  limit?: number;
}): Handler {
  const { checks, notes = async () => [], clock, log, limit = 3_000 } = options;

  async function run(name: string, check: Check): Promise<string[]> {
    try {
      return await check();
    } catch (error) {
      log.warn({ err: error, check: name }, "a readiness check failed");
      return [`${name} could not be checked.`];
    }
  }

  function inTime(name: string, check: Check): Promise<string[]> {
    return new Promise((resolve) => {
      const stop = clock.after(limit, () => resolve([`${name} did not answer within ${limit / 1_000} s.`]));
      void run(name, check).then((problems) => {
        stop();
        resolve(problems);
      });
    });
  }

  return async (_, response) => {
    const problems = (await Promise.all(Object.entries(checks).map(([name, check]) => inTime(name, check)))).flat();
    response.writeHead(problems.length === 0 ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify({ ready: problems.length === 0, problems: [...problems, ...(await notes())] }));
  };
}

/** `GET /metrics` in Prometheus's text format. With a `token` it needs that bearer token; without one it answers this machine only. */
export function metricsPage(options: {
  registry: { contentType: string; metrics(): Promise<string> };
  token?: string | undefined;
  /** Sets the gauges, right before they are read. */
  collect?: () => Promise<void>;
}): Handler {
  const { registry, token, collect } = options;
  return async (request, response) => {
    if (token === undefined && !isLocal(request)) {
      answerPlainly(response, 404, "There is nothing here.");
      return;
    }
    if (token !== undefined && !same(request.headers.authorization ?? "", `Bearer ${token}`)) {
      response.setHeader("www-authenticate", "Bearer");
      answerPlainly(response, 401, "This address wants a token.");
      return;
    }
    await collect?.();
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType });
    response.end(text);
  };
}

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * A loopback connection alone proves little. A proxy may forward for somebody else. A web page may resolve its own name to loopback, so
 * that a local browser reads this for it. Both send a Host that is not this machine's.
 */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const forwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  const host = (headers.host ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
  const named = host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
  return !forwarded && named && /^(::1|(::ffff:)?127(\.\d+){3})$/.test(socket.remoteAddress ?? "");
}

/** Compares in constant time, so that the duration reveals neither the first difference nor the length. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", wanted, "buffer"));
}
