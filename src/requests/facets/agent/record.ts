import * as z from "#zod";

/** In characters: more would push the loss and the buttons off a phone. */
export const mostWhy = 300;

/** The facet of a request that a member's agent proposed. The member is its requester in every way. */
export const ProposingAgent = z.object({
  id: z.string(),
  /** The member's name for the agent. */
  name: z.string(),
  /** The name that its program gave itself; null if it gave none. */
  client: z.string().nullable(),
  /** The agent's reason, in its own words. */
  why: z.string(),
  /** SHA-256 of command, targets and input: the same key with another digest is an error. */
  digest: z.string(),
});
export type ProposingAgent = z.infer<typeof ProposingAgent>;
