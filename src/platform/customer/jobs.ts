import * as z from "zod";

/**
 * What an accepted action answers: `completed: false` means that the resource is to be polled. The rest is only shown, and an action
 * that ran is not to count as unknown because a word about it is missing. Spec section 2.6.
 */
export const JobResult = z.object({
  completed: z.boolean(),
  pending: z.boolean().nullish(),
  job_id: z.string().nullish(),
  state: z.string().nullish(),
  status: z.string().nullish(),
});
export type JobResult = z.infer<typeof JobResult>;

/** What an accepted reinstall answers. Spec section 4.3. */
export const ReinstallJob = z.object({ job_id: z.string().nullish() });
export type ReinstallJob = z.infer<typeof ReinstallJob>;

/** What an accepted password reset answers: the machine's user whose password it is. Spec section 4.3. */
export const PasswordReset = z.object({
  available: z.boolean(),
  job_id: z.string().nullish(),
  user: z.string().nullish(),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

/** What an accepted action answers where the spec does not show it, or a plugin decides: any of the words above, or none. */
export const Accepted = JobResult.partial().nullish();
export type Accepted = z.infer<typeof Accepted>;
