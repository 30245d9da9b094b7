import type { Agent } from "../../members/identities/agents.ts";
import { noInteraction, type Origin } from "../../messages/origin.ts";

/** The place in which an agent's requests are shown: the channel of its token, or its member's direct messages. */
export function agentOrigin({ member, slackUser, channel }: Pick<Agent, "member" | "slackUser" | "channel">): Origin {
  return { member, slackUser, channel, ...noInteraction };
}
