import type { Logger } from "pino";
import type * as z from "zod";
import type { Clock } from "../../clock.ts";
import { read } from "./answer.ts";
import { type Budget, createBudgets } from "./budget.ts";
import { conceal, secretsOf } from "./conceal.ts";
import { createWire } from "./connections.ts";
import { isPlatformError, PlatformOffContract } from "./errors.ts";
import type { HttpRequest, HttpResponse } from "./exchange.ts";
import { type Path, type Query, queryText } from "./path.ts";
import { retryRead } from "./retry.ts";

export type { Budget } from "./budget.ts";

/** Times in milliseconds. `readMs` and `writeMs` bound one whole request; `patienceMs` bounds the waits between the tries of a read. */
export interface Limits {
  connectMs: number;
  readMs: number;
  writeMs: number;
  patienceMs: number;
  answerBytes: number;
}

/** Stands for a key where none is sent. */
const nobody = "";

const usual: Limits = {
  connectMs: 5_000,
  readMs: 10_000,
  writeMs: 30_000,
  patienceMs: 5_000,
  answerBytes: 16 * 1024 * 1024,
};

/** One request on the wire, as metrics count it: `status` when an answer came, `error` (the name of its kind) when it was no success. */
export interface Attempt {
  method: string;
  route: string;
  status?: number;
  error?: string;
  ms: number;
}

export type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

export interface Client {
  /** Reads, and gives what `schema` makes of the whole envelope. Rejects with one of the four kinds of `errors.ts`. */
  get<S extends z.ZodType>(path: string | Path, schema: S, query?: Query): Promise<z.output<S>>;
  /** Writes, once: whatever happens, the request is sent at most one time. `applied(error)` says what a failure leaves. */
  send<S extends z.ZodType>(
    method: WriteMethod,
    path: string | Path,
    schema: S,
    body?: unknown,
    headers?: { "Idempotency-Key"?: string },
  ): Promise<z.output<S>>;
  /** The key's hourly window as last told; undefined when nothing is known of the present one. */
  budget(): Budget | undefined;
  /** The same key narrowed to a project (id or slug), or to none. */
  in(project: string | null): Client;
}

export interface Platform {
  url: string;
  /** `patient: false` for what must not wait (typeahead) or has a pace of its own (background): a read is then not tried again after a refusal. */
  client(options: { key: string; project?: string | null; patient?: boolean }): Client;
  /** Sends no key: for the public documents alone. */
  anonymous(): Client;
  /** Lets what is under way end (at the latest when its time is up) and closes the connections. */
  close(): Promise<void>;
}

interface Request {
  key: string;
  method: string;
  path: Path;
  query: Query;
  headers: Record<string, string>;
  body: unknown;
}

/** The platform's HTTP APIs under `url` (the root, ending in /api/v1). Spec sections 2.1, 5, 7 and 8. */
export function createPlatform(options: {
  url: string;
  clock: Clock;
  log: Logger;
  limits?: Partial<Limits>;
  onCall?: (attempt: Attempt) => void;
}): Platform {
  const { clock, log } = options;
  const limits = { ...usual, ...options.limits };
  const { origin, pathname } = new URL(options.url);
  const root = pathname.replace(/\/+$/, "");
  const wire = createWire(origin, limits.connectMs, clock);
  const budgets = createBudgets();
  const underWay = new Set<Promise<unknown>>();

  type Send = (question: HttpRequest) => Promise<HttpResponse>;

  async function attempt<S extends z.ZodType>(send: Send, request: Request, schema: S, limitMs: number) {
    const { key, method, path, body } = request;
    const secrets = secretsOf(key, body);
    const call = { method, path: conceal(path.path, secrets), secrets };
    const started = clock.now();
    let status: number | undefined;

    function report(error?: string): void {
      const seen: Attempt = { method, route: path.route, ms: clock.now() - started };
      if (status !== undefined) seen.status = status;
      if (error !== undefined) seen.error = error;
      options.onCall?.(seen);
      log.debug(seen, "platform call");
    }

    try {
      const answer = await send({
        ...call,
        target: root + path.path + queryText({ ...path.query, ...request.query }),
        headers: request.headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        limitMs,
        maxBytes: limits.answerBytes,
      });
      status = answer.status;
      budgets.learn(key, answer.headers);
      const value = read(answer, schema, { ...call, now: clock.now(), bare: path.bare });
      report();
      return value;
    } catch (error) {
      if (error instanceof PlatformOffContract) {
        log.warn({ method, route: path.route, status, problem: error.problem }, "platform off contract");
      }
      report(isPlatformError(error) ? error.name : "Error");
      throw error;
    }
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  function client({
    key,
    project = null,
    patient = true,
  }: {
    key: string;
    project?: string | null;
    patient?: boolean;
  }): Client {
    if (key !== nobody && !/^[\x21-\x7e]+$/.test(key)) throw new TypeError("The key has characters that no key has");

    const headers: Record<string, string> = {
      ...(key === nobody ? {} : { authorization: `Bearer ${key}` }),
      accept: "application/json",
      "user-agent": "rackbell",
    };
    if (project !== null) headers["x-project-id"] = project;

    return {
      get(path, schema, query = {}) {
        const request: Request = { key, method: "GET", path: pathOf(path), query, headers, body: undefined };
        const work = retryRead(clock, patient ? limits.patienceMs : 0, (tries) =>
          attempt(tries === 1 ? wire.kept : wire.alone, request, schema, limits.readMs),
        );
        return tracked(work);
      },
      send(method, path, schema, body, extra) {
        const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
        const request: Request = {
          key,
          method,
          path: pathOf(path),
          query: {},
          headers: { ...headers, ...type, ...extra },
          body,
        };
        return tracked(attempt(wire.alone, request, schema, limits.writeMs));
      },
      budget: () => budgets.of(key, clock.now()),
      in: (narrowed) => client({ key, project: narrowed, patient }),
    };
  }

  return {
    url: options.url,
    client,
    anonymous: () => client({ key: nobody }),
    async close() {
      await Promise.allSettled(underWay);
      await wire.close();
    },
  };
}

function pathOf(path: string | Path): Path {
  return typeof path === "string" ? { path, route: path } : path;
}
