import type { DeclaredRefusal } from "../http/refusals.ts";

/** The refusals that any route may answer with. The spec has one 401, whatever its code. Spec section 7. */
export const anyRoute: readonly DeclaredRefusal[] = [
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
