import { ownValue } from "../../process/own-value.ts";
import { SlackRefused, SlackUnanswered } from "./errors.ts";
import type { People } from "./people.ts";

/** Our own code for a call that Slack never gets, since another organisation reads the channel. */
export const sharedReason = "shared_channel";

/**
 * The reason why nothing may be posted in a channel, as the beginning of a sentence; null when posting is allowed. If Slack does not say
 * who reads the channel, that is a reason too.
 */
export async function channelProblem(people: People, channel: string, name = "this channel"): Promise<string | null> {
  const { shared, known } = await people.channel(channel);
  if (!known) return `Slack does not say now who reads ${name}`;
  return shared ? `Another organisation reads ${name}` : null;
}

/**
 * The refusal of a call that would show something in a channel that another organisation reads; null when it may be sent. Slack sends no event
 * for such an invitation, so every call asks. Throws SlackUnanswered if Slack does not say who reads the channel.
 */
export async function refusalIn(
  people: Pick<People, "channel">,
  channel: string,
  method: string,
): Promise<SlackRefused | null> {
  const { shared, known } = await people.channel(channel);
  if (!known)
    throw new SlackUnanswered("conversations.info", {
      maybeApplied: false,
      why: "Slack does not say who reads a channel",
    });
  return shared ? new SlackRefused(method, sharedReason) : null;
}

const problems: Record<string, string> = {
  not_in_channel: "I am not in this channel (`/invite @Rackbell` lets me in)",
  channel_not_found: "I am not in this channel (`/invite @Rackbell` lets me in)",
  is_archived: "This channel is archived",
  [sharedReason]: "Another organisation reads this channel",
  thread_not_found: "The thread is gone",
};

/** Explains Slack's refusal to post, as the beginning of a sentence. */
export function postProblem(reason: string): string {
  return ownValue(problems, reason) ?? "Slack does not let me post in this channel";
}
