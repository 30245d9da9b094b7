import * as z from "zod";
import type { ReadRefusal } from "../http/envelope.ts";

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

/** How the customer API refuses. Spec sections 2.1 and 7. */
export const readCustomerRefusal: ReadRefusal = (body, status) => {
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return { malformed: refusal.error };
  const { code, error, scope, details, retry_after_seconds } = refusal.data;
  return {
    code,
    reason: error,
    scope,
    details,
    retryAfterSeconds: retry_after_seconds,
    // The spec knows one 401, and it is about the key.
    auth: status === 401 ? "key rejected" : undefined,
  };
};
