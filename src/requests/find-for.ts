import type { Origin } from "../notifications/origin.ts";
import type { RequestsApp } from "./app.ts";
import type { Request } from "./request.ts";
import { sayState } from "./state-answers.ts";
import { cellOf, type PressEvent } from "./states.ts";
import { step } from "./step.ts";
import { readRequest } from "./store.ts";

/** Reads the request that a member pressed, if the event can happen in its state. Otherwise tells them the state and returns null. */
export async function findFor(
  app: RequestsApp,
  event: PressEvent,
  id: string,
  origin: Origin,
): Promise<Request | null> {
  const request = await readRequest(app, id);
  if (request?.state === "pending" && app.clock.now() >= request.expiresAt) await expire(app, request);
  else if (request && cellOf(event, request)) return request;
  await sayState(app, id, origin);
  return null;
}

/** Expires a request that nobody decided in time. Resolves to null if another process took a step first. */
export function expire(app: RequestsApp, request: Request): Promise<Request | null> {
  return step(app, request, "expire", { outcome: "" }, { said: "Nobody decided it in time." });
}
