import { type ChannelMode, nextHour } from "../../alerts/subscriptions.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { InputError } from "../../operation/errors.ts";
import { moment, timeOfDay } from "../../views/format.ts";
import { code, listing, sentence } from "../../views/text.ts";

/** The mention of a person or a user group. */
export function mentionOf(typed: string): string {
  const id = typed.trim().replace(/^@/, "");
  if (/^[UW][A-Z0-9]{5,}$/.test(id)) return `<@${id}>`;
  if (/^S[A-Z0-9]{5,}$/.test(id)) return `<!subteam^${id}>`;
  throw new InputError([
    {
      field: "mention",
      message: "Choose the person or the user group from Slack's list as you type it, so that it is sure who is meant.",
    },
  ]);
}

export async function channelOf({ placeProblem }: AppContext, typed: string): Promise<string> {
  const id = typed.trim().replace(/^#/, "");
  if (!/^[CG][A-Z0-9]{5,}$/.test(id))
    throw new InputError([
      {
        field: "channel",
        message: "Choose the channel from Slack's list as you type it, so that it is sure which one is meant.",
      },
    ]);
  const problem = await placeProblem(id);
  if (problem) throw new InputError([{ field: "channel", message: `${sentence(problem)} Nothing was set.` }]);
  return id;
}

/** The way in which a channel gets its alerts, in a sentence. */
export function mannerLine(manner: ChannelMode, now: number): string {
  const { channel, mode, hours, zone } = manner;
  if (mode === "thread") return `<#${channel}> gets a card for each thing, with its history in the thread.`;
  if (mode === "card")
    return `<#${channel}> gets cards alone, without threads; a failure, a suspension or an end begins a new card.`;
  // Give the next moment of each hour: Slack shows it in the reader's zone.
  const times = hours.map((hour) => nextHour({ hours: [hour], zone }, now));
  const at = listing(times.toSorted((a, b) => a - b).map(timeOfDay));
  return `<#${channel}> gets all in one message each day at ${at}, by the clocks of ${code(zone)}. The next one comes ${moment(nextHour(manner, now))}.`;
}
