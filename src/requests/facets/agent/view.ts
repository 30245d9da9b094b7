import { type Block, section } from "../../../views/blocks.ts";
import { code, prose } from "../../../views/text.ts";
import type { Request } from "../../request.ts";
import { mostWhy } from "./record.ts";

/** The requester, or their agent: "`claude`, an agent of <@U1>". */
export function proposerOf({ agent, requester }: Pick<Request, "agent" | "requester">): string {
  const { slackUser } = requester;
  return agent === null ? `<@${slackUser}>` : `${code(agent.name, 40)}, an agent of <@${slackUser}>`;
}

/** The same as the subject of a sentence: the agent's owner stands between commas. */
export function proposingSubject(request: Pick<Request, "agent" | "requester">): string {
  return request.agent === null ? proposerOf(request) : `${proposerOf(request)},`;
}

/** "asked by <@U1>", or "proposed by `claude`, an agent of <@U1>". */
export function askedBy(request: Pick<Request, "agent" | "requester">): string {
  return `${request.agent === null ? "asked" : "proposed"} by ${proposerOf(request)}`;
}

/** The same with the agent's reason, for those who may see all of the request: "…, because “It hangs”". `at`: the time in words. */
export function askedBecause(request: Pick<Request, "agent" | "requester">, at = ""): string {
  const { agent } = request;
  const asked = `${askedBy(request)} ${at}`.trim();
  return agent === null ? asked : `${asked}, because “${prose(agent.why, mostWhy)}”`;
}

export const agentWhy = "Why, in the words of the agent:";

/** The agent's reason as a quotation: people must not take it for words of Rackbell or of the member. */
export function agentBlocks({ agent }: Pick<Request, "agent">): Block[] {
  if (agent === null) return [];
  return [section(`${agentWhy}\n> ${prose(agent.why, mostWhy)}`)];
}
