import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/answers/origin.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { endUnsettled } from "./unsettled.ts";
import { stateWords } from "./view.ts";

/** Ends a request that was not run. Resolves to null if another process took a step first. */
export function endRequest(
  requests: RequestStore,
  clock: Clock,
  request: Request,
  { state, origin, outcome = "" }: { state: "void" | "withdrawn" | "denied"; origin: Origin; outcome?: string },
): Promise<Request | null> {
  const decidedBy = state === "void" ? null : origin.slackUser;
  if (request.unsettled) {
    const why = outcome || `<@${origin.slackUser}> decided so.`;
    return endUnsettled(requests, request, why, { decidedBy, decidedAt: clock.now(), ...newestOf(request, origin) });
  }
  const decided = { state, outcome, sealed: null, decidedBy, decidedAt: clock.now() } as const;
  const note = { what: state, outcome: outcome || stateWords({ ...request, ...decided }) };
  return requests.advance(request, { ...decided, ...newestOf(request, origin) }, { note });
}

/**
 * The requester's latest interaction replaces the stored one: Slack updates private messages through it only for a while. The public place
 * stays.
 */
export function newestOf(request: Request, origin: Origin): Partial<Request> {
  const { channel, thread, alert } = request.origin;
  return origin.member === request.member ? { origin: { ...origin, channel, thread, alert } } : {};
}
