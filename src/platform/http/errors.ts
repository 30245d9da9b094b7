import {
  type DeclaredRefusal,
  declaredFor,
  findReason,
  mayNameBalance,
  noFacts,
  type RefusalName,
  type RouteFacts,
} from "./refusals.ts";

/** The platform's two HTTP APIs. */
export type ApiName = "customer" | "reseller";

/** The call that an error belongs to; `path` is without the query. */
export interface HttpCall {
  api: ApiName;
  method: string;
  path: string;
  /** The declarations of its endpoint; absent for a call outside of the endpoints. */
  facts?: RouteFacts | undefined;
}

export interface FieldError {
  field: string;
  message: string;
}

/** Why the platform refused the authentication, whichever of its APIs and words. Customer spec section 7, reseller spec section 5.1. */
export type AuthProblem =
  /** Revoked, expired or unknown; for a reseller also an inactive profile. */
  | "key rejected"
  | "signature missing"
  | "signature wrong"
  | "signature malformed"
  | "clock off"
  | "secret not configured";

export interface RefusalFacts {
  status: number;
  /** The reseller API sends a code in one case only. */
  code?: string | undefined;
  /** The platform's own text: show it, and never branch on it. */
  reason: string;
  auth?: AuthProblem | undefined;
  scope?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** The latest end of the rate limit that is used up (ms). */
  limitEndsAt?: number | undefined;
  details?: readonly FieldError[] | undefined;
  /** The whole parsed answer, without secrets. It may have the order that the refusal belongs to. */
  body?: unknown;
  /** The platform's own clock at its answer (ms), where it sends one. */
  answeredAt?: number | undefined;
}

/** A call that failed. It is one of the four classes below. */
export abstract class PlatformError extends Error {
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly facts: RouteFacts;

  constructor({ api, method, path, facts = noFacts }: HttpCall, outcome: string, options?: ErrorOptions) {
    super(`${method} ${path}${outcome}`, options);
    this.api = api;
    this.method = method;
    this.path = path;
    this.facts = facts;
    // Loggers print enumerable fields, and each line would have the sentences of all refusals.
    Object.defineProperty(this, "facts", { enumerable: false });
  }
}

/** The platform refused the call in a form that its spec describes. */
export class PlatformRefused extends PlatformError {
  override readonly name = "PlatformRefused";
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string;
  readonly auth: AuthProblem | undefined;
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limitEndsAt: number | undefined;
  readonly details: readonly FieldError[];
  readonly body: unknown;
  readonly answeredAt: number | undefined;

  constructor(call: HttpCall, refusal: RefusalFacts) {
    super(call, ` was refused with ${refusal.status}${refusal.code ? ` ${refusal.code}` : ""}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.auth = refusal.auth;
    this.scope = refusal.scope;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.limitEndsAt = refusal.limitEndsAt;
    this.details = refusal.details ?? [];
    this.answeredAt = refusal.answeredAt;
    this.body = refusal.body;
    // Loggers print enumerable fields, and the body may have data that must not reach a log.
    Object.defineProperty(this, "body", { enumerable: false });
  }
}

/** True where the platform would refuse the same read again: the resource does not exist, or the key may not see it. */
export function isPermanentRefusal(error: unknown): error is PlatformRefused {
  return error instanceof PlatformRefused && error.status < 500 && error.status !== 429;
}

/** True where the key may not read this, or the operator has switched it off. */
export function isForbidden(error: unknown): error is PlatformRefused {
  return error instanceof PlatformRefused && error.status === 403;
}

/** For the `catch` of a read: null where the platform refused with one of these statuses. Other errors are thrown. */
export function nullIfRefused(...statuses: number[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof PlatformRefused && statuses.includes(error.status)) return null;
    throw error;
  };
}

/** No answer: no address, no connection, or it broke before an answer began. `sent`: part of the request may have left this machine. */
export class PlatformUnanswered extends PlatformError {
  override readonly name = "PlatformUnanswered";
  readonly sent: boolean;

  constructor(call: HttpCall, sent: boolean, cause?: unknown) {
    super(call, " got no answer", { cause });
    this.sent = sent;
  }
}

/** The time limit passed before the answer was complete. `sent`: part of the request may have left this machine. */
export class PlatformTooLate extends PlatformError {
  override readonly name = "PlatformTooLate";
  readonly sent: boolean;

  constructor(call: HttpCall, sent: boolean, limitMs: number, cause?: unknown) {
    super(call, ` was not answered within ${limitMs} ms`, { cause });
    this.sent = sent;
  }
}

/** The spec does not allow this answer. `problem` says in a sentence what is wrong, without quoting the answer. */
export class PlatformOffContract extends PlatformError {
  override readonly name = "PlatformOffContract";
  readonly status: number | undefined;
  readonly problem: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    call: HttpCall,
    answer: { status?: number | undefined; problem: string; retryAfterSeconds?: number | undefined; cause?: unknown },
  ) {
    super(call, `: ${answer.problem}`, { cause: answer.cause });
    this.status = answer.status;
    this.problem = answer.problem;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

export function isPlatformError(error: unknown): error is PlatformError {
  return error instanceof PlatformError;
}

/** True where the platform refused the key itself: revoked, expired, unknown, or of an inactive profile. */
export function keyRejected(error: unknown): error is PlatformRefused {
  return error instanceof PlatformRefused && error.auth === "key rejected";
}

/** The reasons that the route's endpoint declares for this answer. None: the spec does not name it, and it proves nothing. */
export function declaredReasons({ facts, status, code }: PlatformRefused): readonly DeclaredRefusal[] {
  return declaredFor(facts.refusals, { status, code });
}

/** True for a refusal that callers know by a name of its own, such as a missing webhook address. */
export function isRefusal(error: unknown, name: RefusalName): boolean {
  if (!(error instanceof PlatformRefused)) return false;
  const reason = findReason(declaredReasons(error), error.reason);
  return "stated" in reason && reason.stated.is === name;
}

/** True where the platform says that the balance of the key's owner is too low: more credit lets the same act pass. */
export function isShortOfCredit(error: unknown): boolean {
  if (!(error instanceof PlatformRefused)) return false;
  const declared = declaredReasons(error);
  const reason = findReason(declared.length > 0 ? declared : error.facts.refusals.filter(statesBalance), error.reason);
  return "stated" in reason && statesBalance(reason.stated);
}

/**
 * True where the platform's words may name a balance, which nobody but the key's owner may read. An answer that the spec does not name for
 * the route may be of any kind.
 */
export function hidesBalance(error: unknown): boolean {
  if (!(error instanceof PlatformRefused) || !error.facts.refusals.some(statesBalance)) return false;
  const declared = declaredReasons(error);
  if (declared.length > 0 && !declared.some(statesBalance)) return false;
  const reason = findReason(declared, error.reason);
  if ("stated" in reason && typeof reason.stated.says === "string") return false;
  return [error.reason, ...error.details.map(({ message }) => message)].some(mayNameBalance);
}

function statesBalance({ states }: DeclaredRefusal): boolean {
  return states === "balance";
}

/** True where the provider behind a resold service refused. Reseller spec section 7 gives its 503 this one meaning. */
export function providerRefused({ api, status }: Pick<PlatformRefused, "api" | "status">): boolean {
  return api === "reseller" && status === 503;
}

/**
 * True if a failed write may have run; read the resource again before another try. A route that charges may have charged unless its endpoint
 * declares the refusal, or none of it left this machine. Another write has not run if the platform refused it below 500, or the provider of
 * a resold service did. Customer spec section 7.
 */
export function mayHaveRun(error: unknown): boolean {
  if (error instanceof PlatformRefused) {
    if (error.facts.charges) return declaredReasons(error).length === 0;
    return error.status >= 500 && !providerRefused(error);
  }
  if (error instanceof PlatformUnanswered || error instanceof PlatformTooLate) return error.sent;
  return true;
}
