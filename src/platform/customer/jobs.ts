import * as z from "zod";

/**
 * The answer to an accepted action. `completed: false` means that the caller must poll the resource. Other fields are optional: an
 * action that ran must not count as unknown because one is missing. Spec section 2.6.
 */
export const JobResult = z.object({
  completed: z.boolean(),
  pending: z.boolean().nullish(),
  job_id: z.string().nullish(),
  state: z.string().nullish(),
  status: z.string().nullish(),
});
export type JobResult = z.infer<typeof JobResult>;

/** The answer to an accepted reinstall. Spec section 4.3. */
export const ReinstallJob = z.object({ job_id: z.string().nullish() });
export type ReinstallJob = z.infer<typeof ReinstallJob>;

/** The answer to an accepted password reset: the machine's user who gets the new password. Spec section 4.3. */
export const PasswordReset = z.object({
  available: z.boolean(),
  job_id: z.string().nullish(),
  user: z.string().nullish(),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

const text = z.string().optional().catch(undefined);

/**
 * The answer to an action whose answer the spec does not show, or that a plugin decides. A field that is not as above counts as
 * missing, and an answer that is no object as none: an act that the platform accepted must not count as unknown.
 */
export const AcceptedAction = z
  .object({
    completed: z.boolean().optional().catch(undefined),
    pending: z.boolean().optional().catch(undefined),
    job_id: text,
    state: text,
    status: text,
  })
  .nullish()
  .catch(null);
export type AcceptedAction = z.infer<typeof AcceptedAction>;
