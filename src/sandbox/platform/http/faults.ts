import type { ServerResponse } from "node:http";
import { Refusal } from "./refusal.ts";
import { type ApiResponse, json, plain } from "./response.ts";
import { pathPattern } from "./router.ts";

export const faultKinds = ["500", "html", "half-json", "empty", "hang", "reset", "late", "wrong-shape"] as const;

/** Sends what it likes. `own` has the platform carry out the request, and gives the answer that it would send. */
export type SendByHand = (
  response: ServerResponse,
  own: () => ApiResponse,
  call: { method: string; path: string },
) => void;

/** A fault by its name, an answer of one's own, the platform's own answer with another body, or bytes that are sent by hand. */
export type FaultKind =
  | (typeof faultKinds)[number]
  | { rewrite: (body: unknown) => unknown }
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { send: SendByHand };

interface FaultOptions {
  how: FaultKind;
  method?: string;
  /** Below /api/v1: a path, one with `{…}` as the spec writes it, or an expression. */
  path?: string | RegExp;
  /** How many requests it spoils; 1 by default. */
  times?: number;
  /** True: the platform carries out the request and then answers badly. True by default for `late` and `rewrite` only. */
  applied?: boolean;
  /** How much later `late` is, in milliseconds; a minute by default. */
  lateMs?: number;
}

export interface Faults {
  /** Spoils the next matching requests. Of several faults that match, the one added first comes first. */
  next(fault: FaultOptions): void;
  /** From now on nothing that matches is answered, until `resume`. */
  hang(path?: string | RegExp): void;
  /** Answers the requests that hang, and removes every fault. */
  resume(): void;
}

export interface FaultInjector extends Faults {
  take(method: string, path: string): Required<Pick<FaultOptions, "how" | "applied" | "lateMs">> | undefined;
  /** Resolves at `resume`. */
  untilResumed(): Promise<void>;
}

export function createFaultInjector(): FaultInjector {
  let planned: (FaultOptions & { left: number })[] = [];
  let resume = (): void => {};
  let resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });

  return {
    next(fault) {
      planned.push({ ...fault, left: fault.times ?? 1 });
    },
    hang(path) {
      planned.push({ how: "hang", left: Number.POSITIVE_INFINITY, ...(path === undefined ? {} : { path }) });
    },
    resume() {
      planned = [];
      resume();
      resumed = new Promise((resolve) => {
        resume = resolve;
      });
    },
    take(method, path) {
      const fault = planned.find((one) => one.left > 0 && matches(one, method, path));
      if (fault === undefined) return undefined;
      fault.left -= 1;
      planned = planned.filter((one) => one.left > 0);
      return { how: fault.how, applied: fault.applied ?? isOwnAnswer(fault.how), lateMs: fault.lateMs ?? 60_000 };
    },
    untilResumed: () => resumed,
  };
}

/** Of a fault whose answer is sent by hand. */
export function sendOf(how: FaultKind | undefined): SendByHand | undefined {
  return typeof how === "object" && "send" in how ? how.send : undefined;
}

/** The response after a fault; `undefined` if the fault leaves the text as it is. `refuse` writes the API's envelope. */
export function spoil(
  how: FaultKind | undefined,
  response: ApiResponse | undefined,
  refuse: (refusal: Refusal) => ApiResponse,
): ApiResponse | undefined {
  if (typeof how === "object" && "rewrite" in how) return response && rewritten(response, how.rewrite);
  if (typeof how === "object")
    return "send" in how ? undefined : { ...json(how.status, how.body), headers: how.headers ?? {} };
  if (how === "500") return refuse(new Refusal(500, "INTERNAL_ERROR", "Something went wrong on the platform"));
  if (how === "html") return plain(502, "text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>");
  if (how === "empty") return { ...plain(200, "application/json", ""), headers: response?.headers ?? {} };
  if (how === "half-json") return halved(response ?? json(200, { success: true, data: { id: "unfinished" } }));
  if (how === "wrong-shape") return json(200, { success: true, data: { id: 42, status: ["?"], order: "none" } });
  return undefined;
}

/** The platform answers by itself, and its answer is then late or another. */
function isOwnAnswer(how: FaultKind): boolean {
  return how === "late" || (typeof how === "object" && "rewrite" in how);
}

function rewritten(response: ApiResponse, rewrite: (body: unknown) => unknown): ApiResponse {
  return { ...response, body: JSON.stringify(rewrite(JSON.parse(String(response.body)))) };
}

function halved(response: ApiResponse): ApiResponse {
  return { ...response, body: response.body.slice(0, Math.ceil(response.body.length / 2)) };
}

function matches({ method, path }: FaultOptions, itsMethod: string, itsPath: string): boolean {
  if (method !== undefined && method.toUpperCase() !== itsMethod) return false;
  if (path === undefined) return true;
  if (path instanceof RegExp) return path.test(itsPath);
  return pathPattern(path).test(itsPath);
}
