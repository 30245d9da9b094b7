import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import { type Handler, plain } from "./http.ts";

/** What stands in the way of work, as sentences; none when all is well. */
export type Check = () => Promise<string[]>;

/** `GET /healthz`: the process answers. */
export const alive: Handler = (_, response) => plain(response, 200, "ok");

/**
 * `GET /readyz`: 200, or 503, with a JSON list of problems. Each named check has `limit` milliseconds (3 s); one that fails or takes longer is
 * a problem itself. `notes` are told in the same list, and the app is ready all the same.
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

/** `GET /metrics`, Prometheus's text. With a `token` it wants it as a bearer token; without, it is there for this machine only. */
export function metricsPage(options: {
  registry: { contentType: string; metrics(): Promise<string> };
  token?: string | undefined;
  /** Sets the gauges, right before they are read. */
  collect?: () => Promise<void>;
}): Handler {
  const { registry, token, collect } = options;
  return async (request, response) => {
    if (token === undefined && !isLocal(request)) {
      plain(response, 404, "There is nothing here.");
      return;
    }
    if (token !== undefined && !same(request.headers.authorization ?? "", `Bearer ${token}`)) {
      response.setHeader("www-authenticate", "Bearer");
      plain(response, 401, "This address wants a token.");
      return;
    }
    await collect?.();
    const text = await registry.metrics();
    response.writeHead(200, { "content-type": registry.contentType });
    response.end(text);
  };
}

/** A proxy on this machine speaks for somebody else. */
function isLocal(request: IncomingMessage): boolean {
  const forwarded = ["forwarded", "x-forwarded-for", "via"].some((name) => request.headers[name] !== undefined);
  return !forwarded && /^(::1|(::ffff:)?127(\.\d+){3})$/.test(request.socket.remoteAddress ?? "");
}

/** In a time that tells nothing of where they differ, or of their lengths. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
