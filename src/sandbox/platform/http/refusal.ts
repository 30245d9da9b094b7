/** One faulty field of a request. */
interface FieldError {
  field: string;
  message: string;
}

interface RefusalExtra {
  scope?: string;
  retry_after_seconds?: number;
  details?: FieldError[];
}

/** The platform says no: thrown by checks and handlers, answered as the error envelope (spec 2.1, section 7). */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly extra: RefusalExtra;
  /** Sent with it. */
  readonly headers: Record<string, string> = {};

  constructor(status: number, code: string, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export function badRequest(message: string, details: FieldError[] = []): Refusal {
  return new Refusal(400, "BAD_REQUEST", message, details.length > 0 ? { details } : {});
}

export function badField(field: string, message: string): Refusal {
  return badRequest(message, [{ field, message }]);
}

export function forbidden(message: string, code = "FORBIDDEN"): Refusal {
  return new Refusal(403, code, message);
}

export function notFound(what: string): Refusal {
  return new Refusal(404, "NOT_FOUND", `${what} not found`);
}

export function conflict(message: string, code = "CONFLICT"): Refusal {
  return new Refusal(409, code, message);
}

export function featureDisabled(what: string): Refusal {
  return forbidden(`${what} is switched off`, "FEATURE_DISABLED");
}

export function projectMismatch(): Refusal {
  return forbidden("This key is bound to another project", "PROJECT_SCOPE_MISMATCH");
}
