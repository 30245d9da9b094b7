import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Amendment, Request } from "./request.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";
import { stateWords } from "./view.ts";

/** Ends a request that was not run. Resolves to null if another process took a step first. */
export function endRequest(
  requests: RequestStore,
  clock: Clock,
  request: Request,
  { event, origin, outcome = "" }: { event: "void" | "withdraw" | "deny"; origin: Origin; outcome?: string },
): Promise<Request | null> {
  const { slackUser } = origin;
  const now = clock.now();
  const decided = { decidedBy: event === "void" ? null : slackUser, decidedAt: now, ...newestOf(request, origin) };
  const reason = outcome || (request.unsettled ? `<@${slackUser}> decided so.` : "");
  // A withdrawal has no outcome of its own: the message words its state.
  const said = outcome || stateWords({ ...request, ...decided, state: "withdrawn" });
  return step(requests, request, event, { ...decided, outcome: reason }, { said });
}

/**
 * The requester's latest interaction replaces the stored one: Slack updates private messages through it only for a while. The public place
 * stays.
 */
export function newestOf(request: Request, origin: Origin): Amendment {
  const { channel, thread, alert } = request.origin;
  return origin.member === request.member ? { origin: { ...origin, channel, thread, alert } } : {};
}
