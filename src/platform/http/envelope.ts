import type * as z from "#zod";
import type { HttpAnswer } from "../../process/exchange.ts";
import { parseJson } from "../../process/json.ts";
import { believedEnd, believedSeconds } from "./budget.ts";
import { conceal } from "./conceal.ts";
import { type HttpCall, PlatformOffContract, PlatformRefused, type RefusalFacts } from "./errors.ts";
import { type UnreadRow, withoutRows } from "./unread.ts";

/** The call that an answer belongs to, with the secrets to remove from it and the present time (ms). */
export interface AnsweredCall extends HttpCall {
  secrets: readonly string[];
  now: number;
  /** Logs a fault of an answer that is read all the same. */
  warn(problem: string): void;
}

/** Reads the refusal of one API, or gives the zod error of its shape. */
export type ReadRefusal = (
  body: object,
  status: number,
) => Omit<RefusalFacts, "status" | "body"> | { malformed: z.ZodError };

interface EnvelopeReading<T> {
  schema: z.ZodType<T>;
  outsideEnvelope?: boolean | undefined;
  refusal: ReadRefusal;
  skip?: ((row: UnreadRow) => void) | undefined;
}

/** The parsed envelope of a success, with the HTTP status for callers to which it matters. */
export interface Success<T> {
  status: number;
  value: T;
}

/**
 * Parses the envelope of an answer with `schema`. `outsideEnvelope` skips the check of the success flag. Throws
 * PlatformRefused or PlatformOffContract. `refusal` reads the refusals of one API. `skip` gets each row of a list that cannot be read, and
 * the others are read; without it, one such row makes the answer unreadable. Customer spec 2.1, reseller spec 2.1.
 */
export function readEnvelope<T>(
  response: HttpAnswer,
  call: AnsweredCall,
  { schema, outsideEnvelope, refusal, skip }: EnvelopeReading<T>,
): Success<T> {
  const { status } = response;
  refuseRedirect(response, call);
  const envelope = jsonIn(response.content.toString("utf8"));
  if (typeof envelope !== "object" || envelope === null) throw offContract(response, call, "The answer is not JSON.");
  if (status >= 400) throw refused(response, call, envelope, refusal);
  if (!outsideEnvelope && !("success" in envelope && envelope.success === true)) {
    throw offContract(response, call, `The answer has status ${status} but reports no success.`);
  }
  const parsed = schema.safeParse(envelope);
  if (parsed.success) return { status, value: parsed.data };
  const problem = `The answer does not fit the contract: ${faultsOf(parsed.error)}.`;
  const error = offContract(response, call, problem, parsed.error);
  const rest = skip ? withoutRows(envelope, parsed.error.issues) : null;
  const readable = rest ? schema.safeParse(rest.envelope) : null;
  if (!skip || !rest || !readable?.success) throw error;
  call.warn(problem);
  for (const row of rest.unread) skip({ ...row, error });
  return { status, value: readable.data };
}

/** A downloaded file. */
export interface Download {
  content: Buffer;
  contentType: string;
  /** The file name in the platform's answer, or null. */
  name: string | null;
}

/** Reads an answer that is a file. Only a refusal has an envelope; it is thrown as PlatformRefused. */
export function readDownload(response: HttpAnswer, call: AnsweredCall, refusal: ReadRefusal): Download {
  refuseRedirect(response, call);
  const { status, headers, content } = response;
  if (status >= 400) {
    const envelope = jsonIn(content.toString("utf8"));
    if (typeof envelope !== "object" || envelope === null)
      throw offContract(response, call, "The refusal is not JSON.");
    throw refused(response, call, envelope, refusal);
  }
  const name = fileName(headers["content-disposition"] ?? "");
  return { content, contentType: headers["content-type"] || "application/octet-stream", name };
}

/** The encoded name (RFC 6266) comes before the plain one, which cannot hold every character. */
function fileName(disposition: string): string | null {
  const encoded = /filename\*=(?:UTF-8)?'[^']*'([^;\s"]+)/i.exec(disposition)?.[1];
  const [, quoted, bare] = /filename="((?:[^"\\]|\\.)*)"|filename=([^;\s"]+)/i.exec(disposition) ?? [];
  const plain = quoted?.replaceAll(/\\(.)/g, "$1") ?? bare;
  const last = (encoded === undefined ? plain : (percentDecoded(encoded) ?? plain))?.split(/[/\\]/).at(-1)?.trim();
  return last ? last.slice(0, 120) : null;
}

/** Null where the escapes are no text. */
function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function refused(response: HttpAnswer, call: AnsweredCall, envelope: object, refusal: ReadRefusal): Error {
  const { status, headers } = response;
  const facts = refusal(cleaned(envelope, call.secrets), status);
  if ("malformed" in facts)
    return offContract(response, call, `The refusal is malformed: ${faultsOf(facts.malformed)}.`, facts.malformed);
  return new PlatformRefused(call, {
    ...facts,
    status,
    retryAfterSeconds: believedSeconds(facts.retryAfterSeconds) ?? retryAfter(headers, call.now),
    limitEndsAt: status === 429 ? resetOf(headers, call.now) : undefined,
    body: cleaned(envelope, call.secrets),
    answeredAt: dateOf(headers),
  });
}

function refuseRedirect(response: HttpAnswer, call: AnsweredCall): void {
  if (response.status >= 300 && response.status < 400)
    throw offContract(response, call, "The answer is a redirect. Rackbell does not accept redirects.");
}

function offContract(
  { status, headers }: HttpAnswer,
  call: AnsweredCall,
  problem: string,
  cause?: unknown,
): PlatformOffContract {
  const retryAfterSeconds = retryAfter(headers, call.now);
  return new PlatformOffContract(call, { status, problem, retryAfterSeconds, cause });
}

/** A copy of an envelope with each secret removed, since the platform may echo the request. */
function cleaned(envelope: object, secrets: readonly string[]): object {
  const clean: unknown = JSON.parse(JSON.stringify(envelope), (_, value: unknown) =>
    typeof value === "string" ? conceal(value, secrets) : value,
  );
  return typeof clean === "object" && clean !== null ? clean : {};
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text, { digits: true });
  } catch {
    return undefined; // the parser's own error quotes the text, which may hold a secret
  }
}

function faultsOf(error: z.ZodError): string {
  const named = error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  const rest = error.issues.length - named.length;
  return named.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** Seconds to wait, from `Retry-After` as a number or a date; undefined where it is missing, malformed or beyond belief. */
function retryAfter(headers: HttpAnswer["headers"], now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return believedSeconds(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : believedSeconds(Math.max(0, Math.ceil((at - now) / 1000)));
}

/** The end of the rate limit (ms); its header has Unix seconds. Reseller spec section 8. */
function resetOf(headers: HttpAnswer["headers"], now: number): number | undefined {
  const value = headers["x-ratelimit-reset"] ?? "";
  return /^\d{1,12}$/.test(value) ? believedEnd(Number(value) * 1000, now) : undefined;
}

/** The platform's own clock (ms), from the `Date` header. */
function dateOf(headers: HttpAnswer["headers"]): number | undefined {
  const at = Date.parse(headers.date ?? "");
  return Number.isNaN(at) ? undefined : at;
}
