import type * as z from "zod";
import { conceal } from "./conceal.ts";
import { type HttpCall, PlatformOffContract, PlatformRefused, type RefusalFacts } from "./errors.ts";
import type { Headers, HttpResponse } from "./exchange.ts";
import type { Parser } from "./parser.ts";

/** What every envelope is read with. */
export interface About extends HttpCall {
  secrets: readonly string[];
  now: number;
}

/** What an API's own refusal says, or the fault of its shape as a sentence. */
export type ReadRefusal = (
  body: object,
  status: number,
) => Omit<RefusalFacts, "status" | "body"> | { malformed: z.ZodError };

/** A success's envelope, with its status where that means something. */
export interface Success<T> {
  status: number;
  value: T;
}

/**
 * Turns an answer into what `schema` makes of its envelope (of the whole of it where `bare`), or throws PlatformRefused or
 * PlatformOffContract. Both APIs tell success by a flag; how they refuse is `refusal`'s to know. Customer spec 2.1, reseller spec 2.1.
 */
export function readEnvelope<T>(
  response: HttpResponse,
  about: About,
  { schema, bare, refusal }: { schema: Parser<T>; bare?: boolean | undefined; refusal: ReadRefusal },
): Success<T> {
  const { status } = response;
  refuseRedirect(response, about);
  const envelope = parseJson(response.content.toString("utf8"));
  if (typeof envelope !== "object" || envelope === null) throw offContract(response, about, "The answer is not JSON.");
  if (status >= 400) throw refused(response, about, envelope, refusal);
  if (!bare && !("success" in envelope && envelope.success === true)) {
    throw offContract(response, about, `The answer says ${status} and yet no success.`);
  }
  const parsed = schema.safeParse(envelope);
  if (!parsed.success)
    throw offContract(response, about, `The answer has another shape: ${faultsOf(parsed.error)}.`, parsed.error);
  return { status, value: parsed.data };
}

/** A file as it came. */
export interface Download {
  content: Buffer;
  contentType: string;
  /** As the platform names it, if it does. */
  name: string | null;
}

/** An answer that is a file: no envelope, unless it is a refusal. */
export function readDownload(response: HttpResponse, about: About, refusal: ReadRefusal): Download {
  refuseRedirect(response, about);
  const { status, headers, content } = response;
  if (status >= 400) {
    const envelope = parseJson(content.toString("utf8"));
    if (typeof envelope !== "object" || envelope === null)
      throw offContract(response, about, "The refusal is not JSON.");
    throw refused(response, about, envelope, refusal);
  }
  const disposition = textOf(headers["content-disposition"]);
  const name = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(disposition)?.[1];
  return { content, contentType: textOf(headers["content-type"]) || "application/octet-stream", name: fileName(name) };
}

function fileName(name: string | undefined): string | null {
  const last = name?.split(/[/\\]/).at(-1)?.trim();
  return last ? last.slice(0, 120) : null;
}

function refused(response: HttpResponse, about: About, envelope: object, refusal: ReadRefusal): Error {
  const { status, headers } = response;
  const told = refusal(cleaned(envelope, about.secrets), status);
  if ("malformed" in told)
    return offContract(response, about, `The refusal is malformed: ${faultsOf(told.malformed)}.`, told.malformed);
  return new PlatformRefused(about, {
    ...told,
    status,
    retryAfterSeconds: told.retryAfterSeconds ?? retryAfter(headers, about.now),
    limitEndsAt: status === 429 ? resetOf(headers) : undefined,
    body: cleaned(envelope, about.secrets),
    answeredAt: dateOf(headers),
  });
}

function refuseRedirect(response: HttpResponse, about: About): void {
  if (response.status >= 300 && response.status < 400)
    throw offContract(response, about, "The answer is a redirect, and redirects are not followed.");
}

function offContract({ status, headers }: HttpResponse, about: About, problem: string, cause?: unknown): Error {
  const retryAfterSeconds = retryAfter(headers, about.now);
  return new PlatformOffContract(about, { status, problem, retryAfterSeconds, cause });
}

/** The same without the secrets, wherever they stand: a platform may echo what it was sent. */
function cleaned(envelope: object, secrets: readonly string[]): object {
  const clean: unknown = JSON.parse(JSON.stringify(envelope), (_, value: unknown) =>
    typeof value === "string" ? conceal(value, secrets) : value,
  );
  return typeof clean === "object" && clean !== null ? clean : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the parser's own error quotes the text, which may hold a secret
  }
}

function faultsOf(error: z.ZodError): string {
  const named = error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  const rest = error.issues.length - named.length;
  return named.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** Seconds to wait as `Retry-After` says them, as a number or as a date; undefined when it says nothing sound. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

/** Unix seconds, as the header of the window says them. Reseller spec section 8. */
function resetOf(headers: Headers): number | undefined {
  const value = textOf(headers["x-ratelimit-reset"]);
  return /^\d{1,12}$/.test(value) ? Number(value) * 1000 : undefined;
}

/** The platform's own clock as its answer tells it (ms). */
function dateOf(headers: Headers): number | undefined {
  const at = Date.parse(textOf(headers.date));
  return Number.isNaN(at) ? undefined : at;
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
