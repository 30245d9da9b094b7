import { backgroundAllowedAt, takeTurn } from "../../members/access/background-rate.ts";
import type { Agent } from "../../members/identities/agents.ts";
import type { Budget } from "../../platform/http/budget.ts";
import { isOpen, type Request } from "../../requests/request.ts";
import type { Paces } from "../../storage/store.ts";
import { AgentError } from "./errors.ts";

const hour = 60 * 60_000;
const mostOpen = 5;
const mostAnHour = 30;
/** So many denials within an hour suspend an agent. */
const mostDenials = 3;

/** Takes a turn for one platform call with a member's key. All agents with that key share its turns, over all instances. */
export async function takeCall(paces: Paces, keyId: string, budget: Budget | undefined): Promise<void> {
  if (backgroundAllowedAt(budget) !== null)
    throw new AgentError(
      "The key has few calls left this hour, and people come first. Nothing was read. Try again next hour.",
    );
  const waitMs = await takeTurn(paces, "agent", keyId, budget);
  if (waitMs > 0)
    throw new AgentError(
      `Agents may use a fifth of the key's calls. Nothing was read. Try again in ${Math.ceil(waitMs / 1_000)} seconds.`,
    );
}

/**
 * True if so many were denied within an hour, whenever that was, since the owner last let the agent go on. `requests`: those that the
 * agent remembers.
 */
export function wasDeniedOften({ resumedAt }: Pick<Agent, "resumedAt">, requests: readonly Request[]): boolean {
  const denials = requests
    .flatMap(({ state, decidedAt }) => (state === "denied" && decidedAt !== null ? [decidedAt] : []))
    .filter((at) => at > (resumedAt ?? 0))
    .toSorted((a, b) => a - b);
  return denials.some((at, first) => (denials[first + mostDenials - 1] ?? Number.POSITIVE_INFINITY) - at <= hour);
}

/**
 * The proposals that an agent's record keeps: those of the last hour, older ones that are open, since they can still be denied, and those
 * that were decided within the hour.
 */
export function remembered(
  { proposed }: Pick<Agent, "proposed">,
  requests: readonly Request[],
  now: number,
): Agent["proposed"] {
  const counts = new Set(
    requests.filter((request) => isOpen(request) || (request.decidedAt ?? 0) > now - hour).map(({ id }) => id),
  );
  return proposed.filter(({ at, request }) => at > now - hour || counts.has(request));
}

/** Refuses a proposal above the limits. `open`: the agent's requests that wait or run. */
export function refuseFlood(agent: Agent, open: number, now: number): void {
  if (open >= mostOpen)
    throw new AgentError(
      `${mostOpen} requests of yours are open, and no more are taken. Nothing was proposed. Put several like ones into one proposal with "targets", or withdraw one.`,
    );
  if (agent.proposed.filter(({ at }) => at > now - hour).length >= mostAnHour)
    throw new AgentError(
      `You made ${mostAnHour} proposals within an hour, and no more are taken. Nothing was proposed. Try again later.`,
    );
}
