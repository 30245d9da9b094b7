import type { Became } from "../../../engine/cards/alerts.ts";
import type { KeptEvent } from "../../../engine/cards/event-log.ts";

/** What became of an event, in mrkdwn: whose request it joined, and what each channel got of it. */
export function becameWords({ aside }: Pick<KeptEvent, "aside">, became: Became | null): string {
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

function joinedWords({ slackUser, expected }: NonNullable<Became["request"]>): string {
  return expected ? `joined the request of <@${slackUser}>, as expected` : `came of the request of <@${slackUser}>`;
}

function channelWords({ channel, as, card, stands, unplaced }: Became["channels"][number]): string {
  const where = `<#${channel}>`;
  if (as === "muted") return `muted in ${where}`;
  if (as === "digest") return `for the digest of ${where}`;
  if (card !== null && unplaced !== null)
    return stands
      ? `:warning: its card in ${where} could not be brought up to date: ${unplaced}`
      : `:warning: not delivered to ${where}: ${unplaced}`;
  if (!stands) return `on its way to ${where}`;
  return as === "rang" ? `rang in ${where}` : `on its card in ${where}, silently`;
}
