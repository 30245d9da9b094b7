import * as z from "#zod";

/** The facet of a job: an accepted call that is under way at the platform and tracked. */
export const Job = z.object({
  /** The handle that the operation polls with. */
  handle: z.json(),
  since: z.number(),
  /** The progress, as a sentence. */
  text: z.string(),
  /** Polls in a row that the platform did not answer. */
  misses: z.number(),
  endedAt: z.number().nullable(),
  /** The steps of a long job, if the platform shows them. `at`: the current one. */
  plan: z.object({ stages: z.array(z.string()), at: z.number() }).nullable(),
});
export type Job = z.infer<typeof Job>;
