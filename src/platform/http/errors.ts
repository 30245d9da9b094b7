/** The call that an error is about: `path` is what was asked for, without the query. */
export interface Call {
  method: string;
  path: string;
}

export interface FieldFault {
  field: string;
  message: string;
}

/** The platform said no, in the words of its contract. `words` and `details` are its own text: data, to be shown and never branched on. */
export class PlatformRefused extends Error {
  override readonly name = "PlatformRefused";
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: readonly FieldFault[];

  constructor(
    call: Call,
    refusal: {
      status: number;
      code: string;
      words: string;
      scope?: string | undefined;
      retryAfterSeconds?: number | undefined;
      details?: readonly FieldFault[] | undefined;
    },
  ) {
    super(`${call.method} ${call.path} was refused with ${refusal.status} ${refusal.code}`);
    this.method = call.method;
    this.path = call.path;
    this.status = refusal.status;
    this.code = refusal.code;
    this.reason = refusal.words;
    this.scope = refusal.scope;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.details = refusal.details ?? [];
  }
}

/** Nobody answered: no address, no connection, or it broke before an answer began. `sent`: some of the request may have left this machine. */
export class PlatformUnanswered extends Error {
  override readonly name = "PlatformUnanswered";
  readonly method: string;
  readonly path: string;
  readonly sent: boolean;

  constructor(call: Call, sent: boolean, cause?: unknown) {
    super(`${call.method} ${call.path} got no answer`, { cause });
    this.method = call.method;
    this.path = call.path;
    this.sent = sent;
  }
}

/** The time limit passed before the answer was complete. `sent`: some of the request may have left this machine. */
export class PlatformTooLate extends Error {
  override readonly name = "PlatformTooLate";
  readonly method: string;
  readonly path: string;
  readonly sent: boolean;
  readonly limitMs: number;

  constructor(call: Call, sent: boolean, limitMs: number, cause?: unknown) {
    super(`${call.method} ${call.path} was not answered within ${limitMs} ms`, { cause });
    this.method = call.method;
    this.path = call.path;
    this.sent = sent;
    this.limitMs = limitMs;
  }
}

/** An answer came that the contract does not allow. `problem` says in a sentence what is wrong with it, and quotes nothing from it. */
export class PlatformOffContract extends Error {
  override readonly name = "PlatformOffContract";
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly problem: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    call: Call,
    answer: { status?: number | undefined; problem: string; retryAfterSeconds?: number | undefined; cause?: unknown },
  ) {
    super(`${call.method} ${call.path}: ${answer.problem}`, { cause: answer.cause });
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

/**
 * What a failed write has done. "no": the platform refused it below 500, or not a byte of it left this machine (no address, no
 * connection, or the time was up before there was one). "unknown": everything else; re-read before trying again. Spec section 7.
 */
export function applied(error: unknown): "no" | "unknown" {
  if (error instanceof PlatformRefused) return error.status < 500 ? "no" : "unknown";
  if (error instanceof PlatformUnanswered || error instanceof PlatformTooLate) return error.sent ? "unknown" : "no";
  return "unknown";
}
