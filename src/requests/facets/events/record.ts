import * as z from "zod";

/** A webhook event that this request caused. */
export const ReceivedEvent = z.object({
  id: z.string(),
  event: z.string(),
  at: z.number(),
  /** mrkdwn. */
  line: z.string(),
});
export type ReceivedEvent = z.infer<typeof ReceivedEvent>;

/** The names of the webhook events that a request causes. `over`: no more are expected. */
export const ExpectedEventNames = z.object({
  first: z.array(z.string()),
  later: z.array(z.string()),
  failing: z.array(z.string()),
  over: z.boolean(),
  awaited: z.object({ waits: z.string(), came: z.string(), missing: z.string() }).nullable().default(null),
});
