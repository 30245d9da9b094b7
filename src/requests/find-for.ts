import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import type { StateAnswers } from "./app.ts";
import type { Request } from "./request.ts";
import { cellOf, type PressEvent } from "./states.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

/** Reads the request that a member pressed, if the event can happen in its state. Otherwise tells them the state and returns null. */
export async function findFor(
  { requests, say, clock }: { requests: RequestStore; say: Pick<StateAnswers, "state">; clock: Clock },
  event: PressEvent,
  id: string,
  origin: Origin,
): Promise<Request | null> {
  const request = await requests.read(id);
  if (request?.state === "pending" && clock.now() >= request.expiresAt) await expire(requests, request);
  else if (request && cellOf(event, request)) return request;
  await say.state(id, origin);
  return null;
}

/** Expires a request that nobody decided in time. Resolves to null if another process took a step first. */
export function expire(requests: RequestStore, request: Request): Promise<Request | null> {
  return step(requests, request, "expire", { outcome: "" }, { said: "Nobody decided it in time." });
}
