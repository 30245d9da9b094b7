import * as z from "#zod";
import { NoStandIn } from "../../../members/people/away.ts";
import { Reached } from "../../../policy/responsibility/steps.ts";
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
  /** The people whom its own message mentioned first. */
  reached: Reached,
  /**
   * Those who have a direct message of it, and no mention. `short`: they only pay, as a rule names them, and decide it there. `found`: they
   * were among those who may decide it when these were found last.
   */
  direct: z.array(z.object({ slackUser: z.string(), name: PlainText, short: z.boolean(), found: z.boolean() })),
  /** A sentence while fewer members have linked a key that could approve it than it needs; null once there are enough. */
  tooFew: z.string().nullable(),
  /** Those who are away, so that others are notified in their place. */
  away: z.array(Absent),
  /**
   * Members who were called since it was asked, and when: they linked such a key, or they stand in for somebody who is away since, whose name
   * is in `insteadOf`.
   */
  called: z.array(z.object({ slackUser: z.string(), at: z.number(), insteadOf: PlainText.nullable() })),
  /** When a stricter rule raised the approvals that it needs: its approvers are called once more. */
  raisedAt: z.number().nullable(),
});
export type Approvers = z.infer<typeof Approvers>;

/** The approvers as they were found at one moment. */
export type FoundApprovers = Pick<Approvers, "mention" | "reached" | "direct" | "tooFew" | "away">;

/** The facet of a request that was just made. */
export function approversFor({ mention, reached, direct, tooFew, away }: FoundApprovers): Approvers {
  return { mention, reached, direct, tooFew, away, called: [], raisedAt: null };
}

/**
 * The facet with approvers that were found anew. Whoever has a direct message keeps it, so that it shows the outcome, and is called again
 * only if they were found again.
 */
export function foundAnew(before: Approvers, { mention, direct, tooFew, away }: FoundApprovers): Approvers {
  const added = direct.filter(({ slackUser }) => before.direct.every((one) => one.slackUser !== slackUser));
  const kept = before.direct.map((one) => ({
    ...one,
    found: direct.some(({ slackUser }) => slackUser === one.slackUser),
  }));
  return { ...before, mention, tooFew, away, direct: [...kept, ...added] };
}

/** True if somebody was to be notified of it in direct messages at once: that is a step beside the message in the channel. */
export function asksDirectly(approvers: Pick<Approvers, "direct" | "reached"> | null): boolean {
  const noted = approvers?.direct.flatMap(({ slackUser, short }) => (short ? [] : [slackUser])) ?? [];
  return approvers?.reached.notified.some(({ slackUser }) => slackUser !== null && noted.includes(slackUser)) ?? false;
}
