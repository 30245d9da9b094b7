import type { PostedOutcome } from "../../../alerts/alerts.ts";
import type { LoggedEvent } from "../../../alerts/event-log.ts";

/** Describes the handling of an event in mrkdwn: the request that it joined, and the result in each channel. */
export function becameWords({ aside }: Pick<LoggedEvent, "aside">, became: PostedOutcome | null): string {
  if (aside !== null) return `:warning: kept aside and shown nowhere: its time is ${aside}`;
  if (became === null) return "not brought to any channel yet, as far as is recorded";
  const { request, repeat, channels } = became;
  const words = [
    ...(request ? [joinedWords(request)] : []),
    ...(repeat ? ["known before it came: it had been found by reading"] : []),
    ...channels.map(channelWords),
  ];
  return words.length > 0 ? words.join(" · ") : "no channel is subscribed to it";
}

function joinedWords({ slackUser, expected }: NonNullable<PostedOutcome["request"]>): string {
  return expected ? `joined the request of <@${slackUser}>, as expected` : `came of the request of <@${slackUser}>`;
}

function channelWords({ channel, as, card, posted, unplaced }: PostedOutcome["channels"][number]): string {
  const where = `<#${channel}>`;
  if (as === "muted") return `muted in ${where}`;
  if (as === "digest") return `for the digest of ${where}`;
  if (card !== null && unplaced !== null)
    return posted
      ? `:warning: its card in ${where} could not be brought up to date: ${unplaced}`
      : `:warning: not delivered to ${where}: ${unplaced}`;
  if (!posted) return `on its way to ${where}`;
  return as === "rang" ? `rang in ${where}` : `on its card in ${where}, silently`;
}
