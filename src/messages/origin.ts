import * as z from "#zod";

/** The place in which a member acted, stored with whatever outlives the interaction, so that the answer finds its way back. */
export const Origin = z.object({
  /** `<enterprise or team>:<user>`. */
  member: z.string(),
  slackUser: z.string(),
  /** Null on the Home tab. */
  channel: z.string().nullable(),
  responseUrl: z.string().nullable(),
  /** The response URL's end, in milliseconds. */
  until: z.number(),
  /** True for the press of a button: its response URL can replace the message with the button. */
  pressed: z.boolean(),
  /** True if all of a channel see the message with the button: it is not the member's own, so no answer to them takes its place. */
  public: z.boolean().optional(),
  /** True for a press on the Home tab, which then shows the result. */
  home: z.boolean(),
  /** The modal, opened from the Home tab, that shows the result. */
  view: z
    .object({
      id: z.string(),
      /** Slack lets no further modal open above it. */
      full: z.boolean(),
    })
    .nullable(),
  /** The thread in which it was typed or pressed, by its first message; null outside of one. */
  thread: z.string().nullable(),
  /**
   * The message of the alert whose button was pressed; its thread gets the result. Answers for the presser alone do not go there, since
   * Slack does not show these in a thread without replies.
   */
  alert: z.string().nullable(),
});
export type Origin = z.infer<typeof Origin>;

/** The rest of an origin that no interaction with Slack has: it has nothing to answer to. */
export const noInteraction = {
  responseUrl: null,
  until: 0,
  pressed: false,
  home: false,
  view: null,
  thread: null,
  alert: null,
} satisfies Omit<Origin, "member" | "slackUser" | "channel">;

/** True in direct messages, where there is no channel to share with. */
export function isDirect({ channel }: Pick<Origin, "channel">): boolean {
  return channel?.startsWith("D") === true;
}

/** The thread for the outcome; null in another channel than the origin's. */
export function threadIn(channel: string | null, origin: Pick<Origin, "channel" | "thread">): string | null {
  return channel === origin.channel ? origin.thread : null;
}

/** The thread for the public result: the one of the request, or the one of the alert that it was made from. */
export function resultThread(
  channel: string | null,
  origin: Pick<Origin, "channel" | "thread" | "alert">,
): string | null {
  return channel === origin.channel ? (origin.thread ?? origin.alert) : null;
}

/** Slack's response URLs live for 30 minutes; the last minute is left unused. */
export const responseLife = 29 * 60_000;
