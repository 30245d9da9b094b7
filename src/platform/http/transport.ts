import type { Logger } from "pino";
import { type Clock, sleep } from "../../process/clock.ts";
import { createExchanges, ExchangeFailed, type HttpAnswer } from "../../process/exchange.ts";
import { tracedCall, type Work } from "../../process/trace.ts";
import { type Budget, createBudgets, type KeyBudget } from "./budget.ts";
import { conceal, concealSecrets } from "./conceal.ts";
import type { AnsweredCall } from "./envelope.ts";
import {
  type ApiName,
  type HttpCall,
  isPlatformError,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
  PlatformUnanswered,
} from "./errors.ts";
import { type Path, type Query, queryText } from "./path.ts";

/** Times in milliseconds. `readMs` and `writeMs` bound one whole request; `patienceMs` bounds the pauses between the tries of a read. */
export interface CallLimits {
  connectMs: number;
  readMs: number;
  writeMs: number;
  patienceMs: number;
  answerBytes: number;
}

const defaultLimits: CallLimits = {
  connectMs: 5_000,
  readMs: 10_000,
  writeMs: 30_000,
  patienceMs: 5_000,
  answerBytes: 16 * 1024 * 1024,
};

/**
 * One HTTP request for the metrics: `status` where an answer came, `error` (the name of its kind) where it failed, or where a row of its
 * list was off the contract.
 */
export interface Attempt {
  api: ApiName;
  method: string;
  route: string;
  status?: number;
  error?: string;
  ms: number;
}

/** One whole call of an API, and its secrets, which no log or error may repeat. */
export interface ApiRequest {
  api: ApiName;
  /** The key whose rate limit this call counts against; "" for none. */
  key: string;
  method: string;
  path: Path;
  query: Query;
  headers: Record<string, string>;
  /** The exact text to send: its signature was made over these bytes. */
  body: string | undefined;
  secrets: readonly string[];
}

/** Parses an answer with the API's own envelope. Throws PlatformRefused or PlatformOffContract. */
export type ReadResponse<T> = (response: HttpAnswer, call: AnsweredCall) => T;

/** Sends calls to one platform, for both of its APIs. Each API reads its own answers. */
export interface Transport {
  /** Reads; retries while that can help, where `patient` allows it. */
  read<T>(request: ApiRequest, read: ReadResponse<T>, options: { patient: boolean }): Promise<T>;
  /** Writes: sends at most once, on a connection of its own. */
  write<T>(request: ApiRequest, read: ReadResponse<T>): Promise<T>;
  budget(key: string): Budget | undefined;
  budgets(): KeyBudget[];
  now(): number;
  /** Waits for calls under way, each until its time limit at most, then closes the connections. */
  close(): Promise<void>;
}

/** How one try is sent. */
interface Sending {
  send: ReturnType<typeof createExchanges>["send"];
  limitMs: number;
}

/** The connections to the platform at `url` (the root, ending in /api/v1). Customer spec sections 2.1, 7 and 8. */
export function createTransport(options: {
  url: string;
  clock: Clock;
  log: Logger;
  limits?: Partial<CallLimits>;
  onCall?: (attempt: Attempt) => void;
  /** Called with the platform's own time at each answer that has one, and the duration of that call (ms). */
  onDate?: (date: string, tookMs: number) => void;
}): Transport {
  const { clock, log } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { origin, pathname } = new URL(options.url);
  const root = pathname.replace(/(?<!\/)\/+$/, "");
  const exchanges = createExchanges({ clock, connectMs: limits.connectMs });
  const budgets = createBudgets();
  const underWay = new Set<Promise<unknown>>();

  /** One try, as a span of its own. Its name has the route as in the spec: a path may hold what a member typed. */
  function attempt<T>(request: ApiRequest, read: ReadResponse<T>, how: Sending): Promise<T> {
    const { api, method, path } = request;
    const attributes = { "rackbell.api": api, "http.request.method": method, "url.template": path.route };
    return tracedCall(`${method} ${path.route}`, attributes, (span) => exchange(request, read, how, span));
  }

  async function exchange<T>(
    request: ApiRequest,
    read: ReadResponse<T>,
    { send, limitMs }: Sending,
    span: Work,
  ): Promise<T> {
    const { api, method, path, body, headers, secrets } = request;
    const call = { api, method, path: conceal(path.path, secrets), facts: path.facts, secrets };
    const started = clock.monotonic();
    let status: number | undefined;
    let fault: string | undefined;

    function report(error?: string): void {
      const counted: Attempt = { api, method, route: path.route, ms: Math.round(clock.monotonic() - started) };
      if (status !== undefined) counted.status = status;
      if (error !== undefined) counted.error = error;
      options.onCall?.(counted);
      log.debug(counted, "platform call");
    }

    function warn(problem: string): void {
      fault = PlatformOffContract.name;
      log.warn({ api, method, route: path.route, status, problem }, "platform off contract");
    }

    try {
      const target = root + path.path + queryText({ ...path.query, ...request.query });
      const bounds = { limitMs, mostBytes: limits.answerBytes };
      const response = await send({ origin, path: target, method, headers, body, ...bounds }).catch(
        (error: unknown) => {
          throw error instanceof ExchangeFailed ? failureOf(error, call, bounds) : error;
        },
      );
      status = response.status;
      span.set({ "http.response.status_code": status });
      const { date } = response.headers;
      if (date !== undefined) options.onDate?.(date, response.headMs);
      budgets.update(request, response.headers, clock.now());
      const value = read(response, { ...call, now: clock.now(), warn });
      report(fault);
      return value;
    } catch (error) {
      if (error instanceof PlatformOffContract) warn(error.problem);
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

  return {
    read: (request, read, { patient }) =>
      tracked(
        retryRead(clock, patient ? limits.patienceMs : 0, (tries) =>
          attempt(request, read, {
            send: tries === 1 ? exchanges.send : exchanges.sendAlone,
            limitMs: limits.readMs,
          }),
        ),
      ),
    write: (request, read) => tracked(attempt(request, read, { send: exchanges.sendAlone, limitMs: limits.writeMs })),
    budget: (key) => budgets.of(key, clock.now()),
    budgets: () => budgets.all(clock.now()),
    now: () => clock.now(),
    async close() {
      await Promise.allSettled(underWay);
      await exchanges.close();
    },
  };
}

/** The platform's error for an exchange without a whole answer. Its cause repeats no secret. */
function failureOf(
  { failing, sent, status, cause }: ExchangeFailed,
  call: HttpCall & { secrets: readonly string[] },
  { limitMs, mostBytes }: { limitMs: number; mostBytes: number },
): PlatformTooLate | PlatformOffContract | PlatformUnanswered {
  const concealed = cause === undefined ? undefined : concealSecrets(cause, call.secrets);
  const offContract = (problem: string) => new PlatformOffContract(call, { status, problem, cause: concealed });
  if (failing === "too late" || failing === "no connection in time")
    return new PlatformTooLate(call, sent, limitMs, concealed);
  if (failing === "too long") return offContract(`The answer is longer than ${mostBytes} bytes.`);
  if (failing === "broken off") return offContract("The answer was cut off.");
  if (failing === "no HTTP") return offContract("The answer is not proper HTTP.");
  return new PlatformUnanswered(call, sent, concealed);
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;

/** Tries a read up to three times, while the pauses fit into `patienceMs`. `tryOnce` gets the number of the try, from 1. Never use it for a write. */
async function retryRead<T>(clock: Clock, patienceMs: number, tryOnce: (attempt: number) => Promise<T>): Promise<T> {
  const deadline = clock.monotonic() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(attempt);
    } catch (error) {
      const pause = pauseAfter(error, attempt);
      if (pause === undefined || (pause > 0 && clock.monotonic() + pause > deadline)) throw error;
      if (pause > 0) await sleep(clock, pause);
    }
  }
}

/** The pause before the next try in ms, or undefined for no further try. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (attempt >= ATTEMPTS) return undefined;
  // A request on a keep-alive connection that the server has just closed fails so. One more try is enough: it gets its own connection.
  if (error instanceof PlatformUnanswered) return error.sent && attempt === 1 ? 0 : undefined;
  if (!(error instanceof PlatformRefused || error instanceof PlatformOffContract)) return undefined;
  const { status = 0, retryAfterSeconds } = error;
  if (status !== 429 && status < 500) return undefined;
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return status === 429 ? undefined : FIRST_PAUSE_MS * 2 ** (attempt - 1);
}
