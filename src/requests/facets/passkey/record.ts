import * as z from "#zod";

/** The facet of a request that somebody was asked to decide with a passkey. */
export const Proof = z.object({
  /** The members who did so far, and their passkeys' ids. */
  by: z.array(z.object({ member: z.string(), credential: z.string() })),
  /** The sealed salt of the input's digest; null once the input is erased. */
  salt: z.string().nullable(),
});
export type Proof = z.infer<typeof Proof>;
