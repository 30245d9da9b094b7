// web/mcp/: the door for agents: a member's agent searches, reads and proposes with the same operations as the member, and decides nothing.

import type { Logger } from "pino";
import type { AccessApp } from "../../members/access/access.ts";
import type { BindingApp } from "../../members/access/bound.ts";
import type { Agent } from "../../members/identities/agents.ts";
import type { Links } from "../../members/identities/link.ts";
import { noInteraction, type Origin } from "../../messages/origin.ts";
import type { Reply } from "../../messages/reply.ts";
import type { RequestsApp } from "../../requests/app.ts";
import type { Store } from "../../storage/store.ts";

/** The parts of the app that serve agents. */
export interface McpApp extends AccessApp, BindingApp {
  requests: RequestsApp;
  reply: Reply;
  store: Store;
  log: Logger;
}

/** An agent at one call, with the links that it may use now. */
export interface AgentCaller {
  agent: Agent;
  links: Links;
}

/** The place in which an agent's requests are shown: the channel of its token, or its member's direct messages. */
export function agentOrigin({ member, slackUser, channel }: Pick<Agent, "member" | "slackUser" | "channel">): Origin {
  return { member, slackUser, channel, ...noInteraction };
}
