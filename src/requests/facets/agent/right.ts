import { type AccessApp, admit, isOverdue } from "../../../members/access/access.ts";
import { type Agent, agentLinks, isServed, readAgent } from "../../../members/identities/agents.ts";
import { hasLink, type Links } from "../../../members/identities/link.ts";
import { readSettings } from "../../../members/settings/settings.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { StoreApp } from "../../../storage/foundation.ts";
import { code } from "../../../views/text.ts";
import type { NewRequest } from "../../request.ts";

/** The parts of the app that say whether an agent still has its right. */
export interface AgentRightApp extends AccessApp, StoreApp {
  /** The address for agents; null while the operator has them switched off. */
  agentsUrl: string | null;
}

/** Each way in which an agent's right ends, as a sentence about the agent. */
const endings = {
  removed: (name: string) => `The agent ${name} was removed.`,
  "switched off": () => "Agents are switched off.",
  expired: (name: string) => `The token of the agent ${name} is no longer valid.`,
  suspended: (name: string) => `The agent ${name} is suspended after denials.`,
  unlinked: (name: string) => `The key that the agent ${name} was made for is no longer linked.`,
};
type Ending = keyof typeof endings;

/**
 * An agent with the links that it may use at this moment, or the way in which its right ended. Throws a Refusal where its member may not
 * use Rackbell. `fresh`: asks Slack about the member, and not the cache.
 */
export async function agentRight(
  app: AgentRightApp,
  agent: Agent | null,
  { fresh = false } = {},
): Promise<{ agent: Agent; links: Links } | { ended: Ending }> {
  const { agentsUrl: endpoint, clock, identities } = app;
  if (!agent) return { ended: "removed" };
  if (endpoint === null || (await readSettings(app)).agentsOff) return { ended: "switched off" };
  if (!isServed(agent, { endpoint, now: clock.now() })) return { ended: "expired" };
  await admit(app, agent.slackUser, {
    fresh,
    ...(fresh ? { whose: `<@${agent.slackUser}>, whose agent this is,` } : {}),
  });
  const links = agentLinks(agent, await identities.links(agent.member), (link) => isOverdue(app, link));
  return hasLink(links) ? { agent, links } : { ended: "unlinked" };
}

/**
 * The reason why an agent's request may not go on without a person, as a sentence; null if it may. Every way to a write asks this right
 * before its claim, since the reads before it take seconds in which the owner may remove the agent. A person's decision stands by itself.
 */
export async function agentProblem(
  app: AgentRightApp,
  { agent, decidedBy, api, requester }: Pick<NewRequest, "agent" | "decidedBy" | "api" | "requester">,
): Promise<string | null> {
  if (agent === null || decidedBy !== null) return null;
  const name = code(agent.name, 40);
  try {
    const right = await agentRight(app, await readAgent(app, agent.id), { fresh: true });
    if ("ended" in right) return endings[right.ended](name);
    if (right.agent.suspendedAt !== null) return endings.suspended(name);
    return right.links[api]?.keyId === requester.keyId ? null : endings.unlinked(name);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Throws a Refusal if an agent proposed it and lost its right since. */
export async function requireAgentRight(app: AgentRightApp, record: NewRequest): Promise<void> {
  const problem = await agentProblem(app, record);
  if (problem !== null) throw new Refusal(`${problem} Nothing was done.`);
}
