/** Which of the platform's two HTTP APIs a call was made to. */
export type ApiName = "customer" | "reseller";

/** The call that an error is about: `path` is what was asked for, without the query. */
export interface HttpCall {
  api: ApiName;
  method: string;
  path: string;
}

export interface FieldError {
  field: string;
  message: string;
}

/** What a refused authentication means, whichever API says it and in whatever words. Customer spec section 7, reseller spec section 5.1. */
export type AuthProblem =
  /** Revoked, expired, unknown, or used from an address that it does not allow; of a reseller also: the profile is not active. */
  | "key rejected"
  | "signature missing"
  | "signature wrong"
  | "signature malformed"
  | "clock off"
  | "secret not configured";

/** What a refusal that has no code of its own is known to be about, by the fixed sentence that its spec gives it. Reseller spec sections 1.1, 4.1, 6 and 7. */
export type KnownRefusal =
  | "cycle not sold"
  | "location missing"
  | "quantity cap"
  | "no upgrade path"
  | "no webhook address"
  | "peer connections off";

export interface RefusalFacts {
  status: number;
  /** The reseller API has a code in one case only. */
  code?: string | undefined;
  /** The platform's own text: data, to be shown and never branched on. */
  reason: string;
  auth?: AuthProblem | undefined;
  known?: KnownRefusal | undefined;
  scope?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** When the window of calls that is used up has ended at the latest (ms). */
  limitEndsAt?: number | undefined;
  details?: readonly FieldError[] | undefined;
  /** The whole parsed answer, without secrets: a refusal may carry what it is about (an order). */
  body?: unknown;
  /** When the platform answered by its own clock (ms), where it says so. */
  answeredAt?: number | undefined;
}

/** The platform said no, in the words of its contract. */
export class PlatformRefused extends Error {
  override readonly name = "PlatformRefused";
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string;
  readonly auth: AuthProblem | undefined;
  readonly known: KnownRefusal | undefined;
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limitEndsAt: number | undefined;
  readonly details: readonly FieldError[];
  readonly body: unknown;
  readonly answeredAt: number | undefined;

  constructor(call: HttpCall, refusal: RefusalFacts) {
    super(`${call.method} ${call.path} was refused with ${refusal.status}${refusal.code ? ` ${refusal.code}` : ""}`);
    this.api = call.api;
    this.method = call.method;
    this.path = call.path;
    this.status = refusal.status;
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.auth = refusal.auth;
    this.known = refusal.known;
    this.scope = refusal.scope;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.limitEndsAt = refusal.limitEndsAt;
    this.details = refusal.details ?? [];
    this.answeredAt = refusal.answeredAt;
    this.body = refusal.body;
    // A log prints what it can enumerate, and a body may hold what belongs in no log.
    Object.defineProperty(this, "body", { enumerable: false });
  }
}

/** Nobody answered: no address, no connection, or it broke before an answer began. `sent`: some of the request may have left this machine. */
export class PlatformUnanswered extends Error {
  override readonly name = "PlatformUnanswered";
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly sent: boolean;

  constructor(call: HttpCall, sent: boolean, cause?: unknown) {
    super(`${call.method} ${call.path} got no answer`, { cause });
    this.api = call.api;
    this.method = call.method;
    this.path = call.path;
    this.sent = sent;
  }
}

/** The time limit passed before the answer was complete. `sent`: some of the request may have left this machine. */
export class PlatformTooLate extends Error {
  override readonly name = "PlatformTooLate";
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly sent: boolean;
  readonly limitMs: number;

  constructor(call: HttpCall, sent: boolean, limitMs: number, cause?: unknown) {
    super(`${call.method} ${call.path} was not answered within ${limitMs} ms`, { cause });
    this.api = call.api;
    this.method = call.method;
    this.path = call.path;
    this.sent = sent;
    this.limitMs = limitMs;
  }
}

/** An answer came that the contract does not allow. `problem` says in a sentence what is wrong with it, and quotes nothing from it. */
export class PlatformOffContract extends Error {
  override readonly name = "PlatformOffContract";
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly problem: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    call: HttpCall,
    answer: { status?: number | undefined; problem: string; retryAfterSeconds?: number | undefined; cause?: unknown },
  ) {
    super(`${call.method} ${call.path}: ${answer.problem}`, { cause: answer.cause });
    this.api = call.api;
    this.method = call.method;
    this.path = call.path;
    this.status = answer.status;
    this.problem = answer.problem;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

export type PlatformError = PlatformRefused | PlatformUnanswered | PlatformTooLate | PlatformOffContract;

export function isPlatformError(error: unknown): error is PlatformError {
  return (
    error instanceof PlatformRefused ||
    error instanceof PlatformUnanswered ||
    error instanceof PlatformTooLate ||
    error instanceof PlatformOffContract
  );
}

/** True when the platform itself refused the key: revoked, expired, unknown, or of a profile that is not active. */
export function keyRejected(error: unknown): error is PlatformRefused {
  return error instanceof PlatformRefused && error.auth === "key rejected";
}

/**
 * What a failed write has done. "no": the platform refused it below 500, or not a byte of it left this machine (no address, no
 * connection, or the time was up before there was one). "unknown": everything else; re-read before trying again. Customer spec section 7.
 */
export function applied(error: unknown): "no" | "unknown" {
  if (error instanceof PlatformRefused) return error.status < 500 ? "no" : "unknown";
  if (error instanceof PlatformUnanswered || error instanceof PlatformTooLate) return error.sent ? "unknown" : "no";
  return "unknown";
}
