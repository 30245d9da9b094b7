import * as z from "zod";
import type { ReadRefusal } from "../http/envelope.ts";
import type { AuthProblem, KnownRefusal } from "../http/errors.ts";

const Detail = z.object({ field: z.string(), message: z.string() });

/** `error` is a sentence, or on a failed validation an object. Spec section 2.1. */
const Refusal = z.object({
  success: z.literal(false),
  error: z.union([z.string(), z.object({ message: z.string(), details: z.array(Detail).optional().catch(undefined) })]),
  code: z.string().optional().catch(undefined),
});

/**
 * Reads a refusal of the reseller API. It has no codes but one, so the fixed sentences about keys and signatures are matched here only.
 * Spec sections 2.1, 5, 5.1 and 7.
 */
export const readResellerRefusal: ReadRefusal = (body, status) => {
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return { malformed: refusal.error };
  const { error, code } = refusal.data;
  const reason = typeof error === "string" ? error : error.message;
  return {
    reason,
    code,
    details: typeof error === "string" ? undefined : error.details,
    scope: status === 403 ? /required scope:\s*([a-z_]+)/i.exec(reason)?.[1]?.toLowerCase() : undefined,
    auth: authProblemOf(status, reason),
    known: known.find(([of, pattern]) => of === status && pattern.test(reason))?.[2],
  };
};

/** The spec's fixed sentences that callers branch on. Spec sections 1.1, 4.1, 6 and 7. */
const known: [status: number, pattern: RegExp, meaning: KnownRefusal][] = [
  [400, /not sold on the .{0,60} billing cycle/i, "cycle not sold"],
  [400, /datacent(re|er) must be selected/i, "location missing"],
  [400, /no webhook url/i, "no webhook address"],
  [403, /peer connections are disabled/i, "peer connections off"],
  [409, /quantity limit/i, "quantity cap"],
  [409, /no upgrade path/i, "no upgrade path"],
];

const signatureProblems: [pattern: RegExp, problem: AuthProblem][] = [
  [/signature required/i, "signature missing"],
  [/signature format/i, "signature malformed"],
  [/invalid signature/i, "signature wrong"],
  [/timestamp outside|outside the allowed window/i, "clock off"],
];

/** Matches the signing failures of spec section 5.1. A 401 in other words means that the key is rejected: the reading that trusts the key least. */
function authProblemOf(status: number, reason: string): AuthProblem | undefined {
  if (status === 400) {
    if (/secret not configured/i.test(reason)) return "secret not configured";
    return /signature format|x-reseller-timestamp/i.test(reason) ? "signature malformed" : undefined;
  }
  if (status !== 401) return undefined;
  return signatureProblems.find(([pattern]) => pattern.test(reason))?.[1] ?? "key rejected";
}
