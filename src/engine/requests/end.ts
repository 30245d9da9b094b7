import type { Clock } from "../../clock.ts";
import type { Origin } from "../answers/origin.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { stateWords } from "./view.ts";

/** Ends a request that was not run, whatever the reason; null where somebody was there before. */
export function endRequest(
  requests: RequestStore,
  clock: Clock,
  request: Request,
  { state, origin, outcome = "" }: { state: "void" | "withdrawn" | "denied"; origin: Origin; outcome?: string },
): Promise<Request | null> {
  const decidedBy = state === "void" ? null : origin.slackUser;
  const decided = { state, outcome, sealed: null, decidedBy, decidedAt: clock.now() } as const;
  const note = { what: state, outcome: outcome || stateWords({ ...request, ...decided }) };
  return requests.advance(request, { ...decided, ...newestOf(request, origin) }, { note });
}

/** The newest interaction of who asked is where what only they see can be brought up to date; what all see stays where it was asked. */
export function newestOf(request: Request, origin: Origin): Partial<Request> {
  const { channel, thread } = request.origin;
  return origin.member === request.member ? { origin: { ...origin, channel, thread } } : {};
}
