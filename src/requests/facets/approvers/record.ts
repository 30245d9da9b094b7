import * as z from "#zod";

/** The facet of a request that others decide: who was asked to. */
export const Approvers = z.object({
  /** Mentions of them; null if nobody can. */
  mention: z.string().nullable(),
  /** A sentence while fewer members have linked a key that could approve it than it needs; null once there are enough. */
  tooFew: z.string().nullable(),
  /** Members who linked such a key since it was asked, and when they were called. */
  called: z.array(z.object({ slackUser: z.string(), at: z.number() })),
  /** When a stricter rule raised the approvals that it needs: its approvers are called once more. */
  raisedAt: z.number().nullable(),
});
export type Approvers = z.infer<typeof Approvers>;

/** The facet of a request that was just made. */
export function approversFor({ mention, tooFew }: Pick<Approvers, "mention" | "tooFew">): Approvers {
  return { mention, tooFew, called: [], raisedAt: null };
}
