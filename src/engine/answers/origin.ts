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
  /** It came from a button: its response URL can replace the message that the button stands in. */
  pressed: z.boolean().default(false),
  /** It came from the Home tab, which then shows what came of it. */
  home: z.boolean().default(false),
  /** The modal, opened from the Home tab, that shows what came of it. */
  view: z
    .object({
      id: z.string(),
      /** Slack lets no further modal open above it. */
      full: z.boolean(),
    })
    .nullable()
    .default(null),
  /** The thread in which it was typed or pressed, by its first message; null outside of one. */
  thread: z.string().nullable().default(null),
});
export type Origin = z.infer<typeof Origin>;

/** Whether it was in direct messages: there is no channel to show anything to. */
export function isDirect({ channel }: Pick<Origin, "channel">): boolean {
  return channel?.startsWith("D") === true;
}

/** The thread in which what came of it belongs; in another channel than its own there is none. */
export function threadIn(channel: string | null, origin: Pick<Origin, "channel" | "thread">): string | null {
  return channel === origin.channel ? origin.thread : null;
}

/** A response URL lives for 30 minutes; one is not relied on in its last. */
export const responseLife = 29 * 60_000;
