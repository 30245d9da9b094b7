// web/mcp/: the door for agents: a member's agent searches, reads and proposes with the same operations as the member, and decides nothing.

import type { Logger } from "pino";
import type { AccessApp } from "../../members/access/access.ts";
import type { BindingApp, BoundOperation } from "../../members/access/bound.ts";
import type { Agent } from "../../members/identities/agents.ts";
import type { Links } from "../../members/identities/link.ts";
import { noInteraction, type Origin } from "../../messages/origin.ts";
import type { Reply } from "../../messages/reply.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import type { RequestsApp } from "../../requests/app.ts";
import type { Store } from "../../storage/store.ts";
import { AgentError } from "./errors.ts";

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

/** The resource of a name or id, never a guess between two. Throws InputError if there is none. */
export async function resolveResource(
  bound: BoundOperation,
  typed: string | undefined,
): Promise<{ id: string; name: PlainText | null }> {
  const label = bound.operation.target?.label ?? "resource";
  if (!typed?.trim()) throw new AgentError(`Name the ${label} as "target": its name or its id. Nothing was done.`);
  const found = await bound.resolve(typed);
  if (found.is === "id") return found;
  const entries = found.is === "ambiguous" ? found.entries : [];
  const names = entries.slice(0, 10).map(({ name, id }) => plainly`“${name}” (${id})`);
  throw new AgentError(
    `Several fit “${typed.slice(0, 100)}”: ${names.join(", ")}. Nothing was done. Name one by its id.`,
  );
}
