// requests/facets/later-acts/: what members did since with the next step of an ended request, such as keeping what it cancelled.

import * as z from "#zod";

/** An act that an ended request offered as its next step, and that was done since. */
export const LaterAct = z.object({
  /** The request of that act; of a bulk request the whole one. */
  request: z.string(),
  /** The member, or their agent, as mrkdwn. */
  by: z.string(),
  at: z.number(),
  /** The act and its target, as mrkdwn. */
  title: z.string(),
  /** It led back from the state to which this request led. */
  isBack: z.boolean(),
});
export type LaterAct = z.infer<typeof LaterAct>;
