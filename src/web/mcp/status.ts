import * as z from "zod";
import { characters } from "../../process/plain-text.ts";
import { withdraw } from "../../requests/decide.ts";
import { proposingSubject } from "../../requests/facets/agent/view.ts";
import { identityLine, lossText, type Request } from "../../requests/request.ts";
import { cellOf, type RequestState, states } from "../../requests/states.ts";
import { readRequest } from "../../requests/store.ts";
import { outcomeWords } from "../../requests/view.ts";
import { oneLine } from "../../views/text.ts";
import type { AgentCaller, McpApp } from "./app.ts";
import { AgentError, unmarkedText } from "./errors.ts";
import { agentOrigin } from "./origin.ts";

/** A request as its agent sees it: the state in words, and the outcome as data. */
export const RequestStatus = z.object({
  request: z.string(),
  command: z.string(),
  /** All that is lost, interrupted or charged, as the people who decide read it. */
  loss: z.string(),
  target: z.string().nullable(),
  /** Its project, address, host name and location. */
  where: z.string(),
  state: z.string(),
  /** Nothing more will happen. */
  over: z.boolean(),
  /** True only if it was done as proposed. */
  done: z.boolean(),
  outcome: z.string(),
  advice: z.string(),
});
type RequestStatus = z.infer<typeof RequestStatus>;

const stateWords: Record<RequestState, { state: string; advice?: string }> = {
  pending: { state: "waits for a decision" },
  scheduled: { state: "approved, and scheduled" },
  claimed: { state: "under way" },
  unknown: { state: "outcome unknown", advice: "Rackbell is checking the outcome. Do not propose it again." },
  working: { state: "under way" },
  done: { state: "done" },
  failed: { state: "failed" },
  left: { state: "outcome unknown", advice: "Do not propose it again. Read the resource." },
  refused: { state: "refused by the platform", advice: "Nothing was done." },
  undone: { state: "not done", advice: "Nothing was done, and the platform did not refuse it. The outcome says why." },
  undecided: { state: "outcome unknown", advice: "Do not propose it again. Read the resource, and tell your owner." },
  expired: { state: "expired", advice: "Nobody decided it in time. Nothing was done." },
  denied: { state: "denied", advice: "A person decided against it. Nothing was done. Do not propose the same again." },
  withdrawn: { state: "withdrawn", advice: "Nothing was done." },
  void: {
    state: "cancelled because something changed",
    advice: "Nothing was done. Read the resource before you propose again.",
  },
};

export function requestStatus(request: Request): RequestStatus {
  const { id, command, target, state, input, endUnknown } = request;
  const { state: words, advice = "" } = stateWords[state];
  const unclear = state === "done" && endUnknown;
  const hasSecrets = states[state].accepted && input.generated.length > 0;
  const revealed = hasSecrets ? " Its secrets are for your owner alone, behind Reveal in Slack." : "";
  return {
    request: id,
    command,
    loss: unmarkedText(lossText(request)),
    target: target && characters(oneLine(target.name)),
    where: unmarkedText(identityLine(request)),
    state: unclear ? "accepted; nobody can look up the outcome" : words,
    over: states[state].phase === "ended",
    done: state === "done" && !endUnknown,
    outcome: unmarkedText(outcomeWords(request)),
    advice: `${advice}${revealed}`.trim(),
  };
}

/** A request that this agent proposed. Any other id is unknown, whoever's it is. */
export async function ownRequest({ requests }: McpApp, { agent }: AgentCaller, id: string): Promise<Request> {
  const request = await readRequest(requests, id);
  if (request?.agent?.id === agent.id) return request;
  throw new AgentError("There is no request of yours with this id.");
}

/** Withdraws the agent's own request. One that is decided or over stays as it is. */
export async function withdrawFor(app: McpApp, caller: AgentCaller, id: string): Promise<Request> {
  const request = await ownRequest(app, caller, id);
  // A press that changes nothing is answered in Slack: an agent must not write to its member with that.
  if (!cellOf("withdraw", request)) return request;
  await withdraw(app.requests, id, agentOrigin(caller.agent), proposingSubject(request));
  return ownRequest(app, caller, id);
}
