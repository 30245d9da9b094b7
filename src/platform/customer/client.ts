// platform/customer/: the customer API: its client, its refusals, and an endpoint for each route, in a file per resource.

import * as z from "#zod";
import type { Api, ApiClient, ClientOptions } from "../http/client.ts";
import { endpointsOf } from "../http/endpoint.ts";
import type { ReadRefusal } from "../http/envelope.ts";
import type { DeclaredRefusal } from "../http/refusals.ts";

/** The scopes that a customer key can have. Spec section 5. */
export const customerScopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type CustomerScope = (typeof customerScopes)[number];

const Refusal = z.object({
  success: z.literal(false),
  error: z.string().min(1),
  code: z.string().min(1),
  // Fields beside the code only explain it. A malformed explanation must not turn a refusal into an unreadable answer.
  scope: z.string().optional().catch(undefined),
  retry_after_seconds: z.number().nonnegative().optional().catch(undefined),
  details: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .catch(undefined),
});

/** Reads a refusal of the customer API. Spec sections 2.1 and 7. */
const readCustomerRefusal: ReadRefusal = (body, status) => {
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return { malformed: refusal.error };
  const { code, error, scope, details, retry_after_seconds } = refusal.data;
  return {
    code,
    reason: error,
    scope,
    details,
    retryAfterSeconds: retry_after_seconds,
    // The spec has only one 401: the platform rejects the key.
    auth: status === 401 ? "key rejected" : undefined,
  };
};

/** The refusals that any route may answer with. The spec has one 401, whatever its code. Spec section 7. */
const anyRoute: readonly DeclaredRefusal[] = [
  { status: 401, spec: "7" },
  ...(
    [
      [400, "BAD_REQUEST"],
      [400, "INVALID_JSON"],
      [400, "UNKNOWN_PROJECT"],
      [403, "SCOPE_REQUIRED"],
      [403, "FORBIDDEN"],
      [403, "ACCOUNT_SUSPENDED"],
      [403, "FEATURE_DISABLED"],
      [403, "PROJECT_SCOPE_MISMATCH"],
      [404, "NOT_FOUND"],
      [409, "CONFLICT"],
      [409, "RENEWAL_PENDING"],
      [429, "RATE_LIMITED"],
      [429, "ACTION_RATE_LIMITED"],
    ] as const
  ).map(([status, code]) => ({ status, code, spec: "7" })),
];

export const customerApi: Api<"customer", CustomerScope> = {
  name: "customer",
  root: "",
  scopes: customerScopes,
  readRefusal: readCustomerRefusal,
  anyRoute,
};

/** Calls the customer API with one key, optionally narrowed to one project. */
export type CustomerClient<Writes extends string = never> = ApiClient<"customer", Writes>;

export interface CustomerClientOptions extends ClientOptions {
  project?: string | null;
}

/** Declares a route of the customer API. An operation names the result as its act, or as one of its reads. */
export const endpoint = endpointsOf(customerApi);
