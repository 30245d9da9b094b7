import type { People } from "./people.ts";

/**
 * The reason why nothing may be posted in a channel, as the beginning of a sentence; null when posting is allowed. If Slack does not say
 * who reads the channel, that is a reason too.
 */
export async function channelProblem(people: People, channel: string, name = "this channel"): Promise<string | null> {
  const { shared, known } = await people.channel(channel);
  if (!known) return `Slack does not say now who reads ${name}`;
  return shared ? `Another organisation reads ${name}` : null;
}

const problems: Record<string, string> = {
  not_in_channel: "I am not in this channel (`/invite @Rackbell` lets me in)",
  channel_not_found: "I am not in this channel (`/invite @Rackbell` lets me in)",
  is_archived: "This channel is archived",
  thread_not_found: "The thread is gone",
};

/** Explains Slack's refusal to post, as the beginning of a sentence. */
export function postProblem(reason: string): string {
  return problems[reason] ?? "Slack does not let me post in this channel";
}
