import type { People } from "../../chat/people.ts";
import { Refusal } from "../../operation/errors.ts";
import { channelProblem } from "../answers/channel-problem.ts";
import type { Origin } from "../answers/origin.ts";
import type { SettingsStore } from "../records/settings.ts";

/** Where a request's public message belongs: a channel, or the asker's direct messages with what to say about it. */
export type FindPlace = (
  origin: Origin,
  mode: { peer: boolean },
) => Promise<{ channel: string | null; notice: string | null }>;

/** Why no request can stand in a channel, as the beginning of a sentence; null where one can. */
export async function placeProblem(people: People, channel: string): Promise<string | null> {
  const problem = await channelProblem(people, channel, `<#${channel}>`);
  if (problem) return problem;
  const { member } = await people.channel(channel);
  return member ? null : `I am not in <#${channel}> (\`/invite @Rackbell\` lets me in)`;
}

/** Finds where all who may decide a request can see it; for who decides alone, their direct messages will do. */
export function createFindPlace({ people, settings }: { people: People; settings: SettingsStore }): FindPlace {
  /** A peer cannot press what stands in somebody's direct messages. */
  async function whyNot(channel: string | null, peer: boolean): Promise<string | null> {
    if (channel === null) return "It was not asked in a channel";
    const { direct } = await people.channel(channel);
    if (direct && peer) return "These are direct messages";
    return placeProblem(people, channel);
  }

  return async (origin, { peer }) => {
    const { approvalsChannel } = await settings.read();
    const channel = approvalsChannel ?? origin.channel;
    const problem = await whyNot(channel, peer);
    if (!problem) return { channel, notice: null };
    if (!peer) return { channel: null, notice: `${problem}, so it is here.` };
    throw new Refusal(
      `${problem}, so nobody else could see this request. Nothing was asked. Ask in a channel that I am in, or let an admin name one with \`/rackbell approvals channel\`.`,
    );
  };
}
