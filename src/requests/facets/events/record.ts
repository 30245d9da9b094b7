import * as z from "zod";

/** A webhook event that this request caused. */
const ReceivedEvent = z.object({
  id: z.string(),
  event: z.string(),
  at: z.number(),
  /** mrkdwn. */
  line: z.string(),
});
export type ReceivedEvent = z.infer<typeof ReceivedEvent>;

/** The facet of a request that causes webhook events, by their names. */
export const ExpectedEventsFacet = z.object({
  first: z.array(z.string()),
  later: z.array(z.string()),
  failing: z.array(z.string()),
  awaited: z.object({ waits: z.string(), came: z.string(), missing: z.string() }).nullable(),
  /** No more are expected. */
  over: z.boolean(),
  received: z.array(ReceivedEvent),
  /** When the requester was notified that none came in time. */
  overdueAt: z.number().nullable(),
});
export type ExpectedEventsFacet = z.infer<typeof ExpectedEventsFacet>;
