import { type Block, section } from "../../../views/blocks.ts";
import { code, prose } from "../../../views/text.ts";
import type { Request } from "../../request.ts";
import { mostWhy } from "./record.ts";

/** The requester, or their agent: "`claude` (<@U1>'s agent)". */
export function proposerOf({ agent, requester }: Pick<Request, "agent" | "requester">): string {
  const { slackUser } = requester;
  return agent === null ? `<@${slackUser}>` : `${code(agent.name, 40)} (<@${slackUser}>'s agent)`;
}

export const agentWhy = "Why, in the words of the agent:";

/** The agent's reason as a quotation: people must not take it for words of Rackbell or of the member. */
export function agentBlocks({ agent }: Pick<Request, "agent">): Block[] {
  if (agent === null) return [];
  return [section(`${agentWhy}\n> ${prose(agent.why, mostWhy)}`)];
}
