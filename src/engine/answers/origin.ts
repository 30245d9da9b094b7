import * as z from "zod";

/** Where a member acted, so that the answer finds its way back: stored with what outlives the interaction. */
export const Origin = z.object({
  /** `<enterprise or team>:<user>`. */
  member: z.string(),
  slackUser: z.string(),
  /** Null on the Home tab. */
  channel: z.string().nullable(),
  responseUrl: z.string().nullable(),
  /** The response URL's end, in milliseconds. */
  until: z.number(),
});
export type Origin = z.infer<typeof Origin>;

/** A response URL lives for 30 minutes; one is not relied on in its last. */
export const responseLife = 29 * 60_000;
