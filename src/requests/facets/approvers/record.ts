import * as z from "#zod";
import { NoStandIn } from "../../../members/people/away.ts";
import { PlainText } from "../../../process/plain-text.ts";

/** Somebody who could decide it and is away. */
const Absent = z.object({
  slackUser: z.string(),
  name: PlainText,
  until: z.number(),
  /** The Slack id of the person who is notified in their place; null without one. */
  standIn: z.string().nullable(),
  /** Those who were named to stand in, and why they do not. */
  refused: z.array(z.object({ name: PlainText, why: NoStandIn })),
});

/** The facet of a request that others decide: who was asked to. */
export const Approvers = z.object({
  /** Mentions of them; null if nobody can. */
  mention: z.string().nullable(),
  /** A sentence while fewer members have linked a key that could approve it than it needs; null once there are enough. */
  tooFew: z.string().nullable(),
  /** Those who are away, so that others are notified in their place. */
  away: z.array(Absent),
  /** Members who linked such a key since it was asked, and when they were called. */
  called: z.array(z.object({ slackUser: z.string(), at: z.number() })),
  /** When a stricter rule raised the approvals that it needs: its approvers are called once more. */
  raisedAt: z.number().nullable(),
});
export type Approvers = z.infer<typeof Approvers>;

/** The facet of a request that was just made. */
export function approversFor({ mention, tooFew, away }: Pick<Approvers, "mention" | "tooFew" | "away">): Approvers {
  return { mention, tooFew, away, called: [], raisedAt: null };
}
