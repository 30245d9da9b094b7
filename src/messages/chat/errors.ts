import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";

/**
 * Slack refused the call and did nothing. `reason`: its own code, such as "not_in_channel". `details`: further messages in its answer.
 */
export class SlackRefused extends Error {
  override readonly name = "SlackRefused";
  readonly method: string;
  readonly reason: string;
  readonly details: readonly string[];

  constructor(method: string, reason: string, options: ErrorOptions & { details?: readonly string[] } = {}) {
    super(`Slack refused ${method}: ${reason}`, options);
    this.method = method;
    this.reason = reason;
    this.details = options.details ?? [];
  }
}

/** Slack gave no readable answer, or none in time. `maybeApplied`: Slack may have done it; if false, it did not. */
export class SlackUnanswered extends Error {
  override readonly name = "SlackUnanswered";
  readonly method: string;
  readonly maybeApplied: boolean;

  constructor(method: string, options: ErrorOptions & { maybeApplied: boolean; why: string }) {
    const known = options.maybeApplied ? "so the outcome is unknown" : "nothing was sent";
    super(`${method}: ${options.why}; ${known}`, options);
    this.method = method;
    this.maybeApplied = options.maybeApplied;
  }
}

/** Slack did nothing, and says when to retry. Only this room sees it: the call waits and is repeated, or becomes SlackUnanswered. */
export class SlackRateLimited extends Error {
  override readonly name = "SlackRateLimited";
  readonly retryAfterMs: number;

  constructor(method: string, retryAfterSeconds: number) {
    super(`Slack asks to come again with ${method} in ${retryAfterSeconds} s`);
    this.retryAfterMs = retryAfterSeconds * 1_000;
  }
}

export type SlackFault = SlackRefused | SlackUnanswered | SlackRateLimited;

/** Seconds to wait if Slack names no time. */
const usualRetryAfter = 30;

/** Codes for a failure inside Slack. By its reference "some aspect" of the call may have succeeded. */
const breakdowns = ["internal_error", "fatal_error", "service_unavailable"];
const rateLimits = ["ratelimited", "rate_limited"];

/** The fault for an error code in Slack's answer. */
export function faultOfCode(method: string, code: unknown, details: readonly string[] = []): SlackFault {
  // A proxy's page in place of an answer has no code.
  if (typeof code !== "string" || !/^[\w.:-]{1,100}$/.test(code))
    return new SlackUnanswered(method, { maybeApplied: true, why: "Slack's answer cannot be read" });
  if (rateLimits.includes(code)) return new SlackRateLimited(method, usualRetryAfter);
  if (breakdowns.includes(code))
    return new SlackUnanswered(method, { maybeApplied: true, why: `Slack broke down over it (${code})` });
  return new SlackRefused(method, code, { details });
}

/**
 * The fault for an HTTP status other than success. `retryAfter`: the header's value, in seconds. Slack refuses with a code, so a bare status
 * is a proxy's, and proves nothing: a message whose edit met it is not gone.
 */
export function faultOfStatus(method: string, status: number, retryAfter?: string): SlackFault {
  if (status === 429) return new SlackRateLimited(method, secondsIn(retryAfter));
  const who = status >= 500 || status === 408 ? "Slack" : "a proxy";
  return new SlackUnanswered(method, { maybeApplied: true, why: `${who} answered with status ${status}` });
}

/** The fault for any error of a call, those of Slack's own client included. */
export function slackFault(method: string, error: unknown): SlackFault {
  if (error instanceof SlackRefused || error instanceof SlackUnanswered || error instanceof SlackRateLimited)
    return error;
  if (error instanceof WebAPIRateLimitedError) return new SlackRateLimited(method, error.retryAfter);
  if (error instanceof WebAPIPlatformError)
    return faultOfCode(method, error.data.error, error.data.response_metadata?.messages);
  if (error instanceof WebAPIHTTPError) return faultOfStatus(method, error.statusCode);
  if (error instanceof WebAPIRequestError && error.original !== error) return slackFault(method, error.original);
  return new SlackUnanswered(method, { maybeApplied: true, why: "Slack gave no answer", cause: error });
}

/** At least one: no pause at all would mean thousands of calls before the caller gives up. */
function secondsIn(retryAfter: string | undefined): number {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Math.max(1, Number(retryAfter)) : usualRetryAfter;
}
