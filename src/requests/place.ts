import { channelProblem } from "../chat/channel-problem.ts";
import type { People } from "../chat/people.ts";
import type { Origin } from "../notifications/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { SettingsStore } from "../records/settings.ts";

/**
 * Finds the channel for a request's public message; null stands for the requester's direct messages. `notice` explains a place that nobody
 * expects.
 */
export type FindPlace = (
  origin: Origin,
  mode: { peer: boolean },
) => Promise<{ channel: string | null; notice: string | null }>;

/** Returns the reason why a channel cannot have a request, as the beginning of a sentence; null if it can. */
export async function placeProblem(people: People, channel: string): Promise<string | null> {
  const problem = await channelProblem(people, channel, `<#${channel}>`);
  if (problem) return problem;
  const { member } = await people.channel(channel);
  return member ? null : `I am not in <#${channel}> (\`/invite @Rackbell\` lets me in)`;
}

/** Finds a place that all approvers can read. A requester who decides alone can be asked in direct messages. */
export function createFindPlace({ people, settings }: { people: People; settings: SettingsStore }): FindPlace {
  /** Approvers cannot press a button in somebody else's direct messages. */
  async function problemOf(channel: string | null, peer: boolean): Promise<string | null> {
    if (channel === null) return "It was not asked in a channel";
    const { direct } = await people.channel(channel);
    if (direct && peer) return "These are direct messages";
    return placeProblem(people, channel);
  }

  return async (origin, { peer }) => {
    const { approvalsChannel } = await settings.read();
    const channel = approvalsChannel ?? origin.channel;
    const problem = await problemOf(channel, peer);
    if (!problem) return { channel, notice: null };
    if (!peer) return { channel: null, notice: `${problem}, so it is here.` };
    throw new Refusal(
      `${problem}, so nobody else could see this request. Nothing was asked. Ask in a channel that I am in, or let an admin name one with \`/rackbell approvals channel\`.`,
    );
  };
}
