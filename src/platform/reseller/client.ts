// platform/reseller/: the reseller API: its client, its signatures, and an endpoint for each route, in a file per resource.

import * as z from "#zod";
import type { Api, ApiClient, ClientOptions } from "../http/client.ts";
import { endpointsOf } from "../http/endpoint.ts";
import type { ReadRefusal } from "../http/envelope.ts";
import type { AuthProblem } from "../http/errors.ts";
import { anyRoute } from "./refusals.ts";
import { signatureHeaders } from "./signing.ts";

/** The scopes that a reseller key can have. Spec section 5. */
export const resellerScopes = ["read", "orders", "services", "destructive", "customers", "account"] as const;
export type ResellerScope = (typeof resellerScopes)[number];

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
  };
};

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

export const resellerApi: Api<"reseller", ResellerScope> = {
  name: "reseller",
  root: "/reseller",
  scopes: resellerScopes,
  readRefusal: readResellerRefusal,
  anyRoute,
  sign: signatureHeaders,
};

/** Calls the reseller API with one key; writes are signed. */
export type ResellerClient<Writes extends string = never> = ApiClient<"reseller", Writes>;

export interface ResellerClientOptions extends ClientOptions {
  /** The workspace's signing secret; null until an admin connects the account. */
  signingSecret: string | null;
}

/** Declares a route of the reseller API. The client signs each route that writes. */
export const endpoint = endpointsOf(resellerApi);
