import * as z from "zod";
import { conceal } from "./conceal.ts";
import { type Call, PlatformOffContract, PlatformRefused } from "./errors.ts";
import type { Headers, HttpResponse } from "./exchange.ts";

/** The envelope of a success whose `data` is as `schema` says. Spec section 2.1. */
export function data<S extends z.ZodType>(schema: S) {
  return z.object({ data: schema });
}

/** The same where the spec leaves open whether the thing is `data` itself or stands in it under its own name. */
export function dataOf<S extends z.ZodType>(name: string, schema: S) {
  return data(z.preprocess((value) => within(name, value) ?? value, schema));
}

function within(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || "id" in value) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** The envelope of a success of which nothing is used. */
export const done = z.object({});

const Refusal = z.object({
  success: z.literal(false),
  error: z.string().min(1),
  code: z.string().min(1),
  // What is beside the code only explains it: a refusal stays one when its explanation is malformed.
  scope: z.string().optional().catch(undefined),
  retry_after_seconds: z.number().nonnegative().optional().catch(undefined),
  details: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .catch(undefined),
});

/** Turns an answer into what `schema` makes of its envelope (of the whole of it where `bare`), or throws PlatformRefused or PlatformOffContract. */
export function read<S extends z.ZodType>(
  answer: HttpResponse,
  schema: S,
  about: Call & { secrets: readonly string[]; now: number; bare?: boolean | undefined },
): z.output<S> {
  const { status } = answer;
  const waitSeconds = retryAfter(answer.headers, about.now);

  function offContract(problem: string, cause?: unknown): PlatformOffContract {
    return new PlatformOffContract(about, { status, problem, retryAfterSeconds: waitSeconds, cause });
  }

  if (status >= 300 && status < 400) throw offContract("The answer is a redirect, and redirects are not followed.");

  const envelope = json(answer.text);
  if (typeof envelope !== "object" || envelope === null) throw offContract("The answer is not JSON.");

  if (status >= 400) {
    const refusal = Refusal.safeParse(envelope);
    if (!refusal.success) throw offContract(`The refusal is malformed: ${faults(refusal.error)}.`, refusal.error);
    const { code, error, scope, details, retry_after_seconds } = refusal.data;
    const clean = (text: string) => conceal(text, about.secrets);
    throw new PlatformRefused(about, {
      status,
      code: clean(code),
      words: clean(error),
      scope: scope === undefined ? undefined : clean(scope),
      retryAfterSeconds: retry_after_seconds ?? waitSeconds,
      details: details?.map(({ field, message }) => ({ field: clean(field), message: clean(message) })),
    });
  }

  if (!about.bare && !("success" in envelope && envelope.success === true)) {
    throw offContract(`The answer says ${status} and yet no success.`);
  }
  const parsed = schema.safeParse(envelope);
  if (!parsed.success) throw offContract(`The answer has another shape: ${faults(parsed.error)}.`, parsed.error);
  return parsed.data;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the parser's own error quotes the text, which may hold a secret
  }
}

function faults(error: z.ZodError): string {
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
