import { isDeferred } from "./facets/defer/record.ts";
import { isPublic, type Request } from "./request.ts";

/** Milliseconds. A shorter pause would remind people who were just mentioned. */
const soonest = 2 * 60_000;

/** True if a request waits for somebody other than its requester, who is reminded. */
export function waitsForDecision({ state, mode, deferred }: Pick<Request, "state" | "mode" | "deferred">): boolean {
  return state === "pending" && mode === "peer" && !isDeferred({ state, deferred });
}

/** True if others can take it: it waits for their decision, or nobody knows its outcome, which all in its channel see. */
export function waitsForOthers(request: Request): boolean {
  return waitsForDecision(request) || (request.state === "unknown" && isPublic(request));
}

/** A step that notifies the approvers of a request. */
export interface Reminder {
  name: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * The reminder of the approvers, after a third of the time; null if nobody else decides, or it expires too soon. Each new time of a scheduled
 * request has a reminder of its own, since all decide anew, and so has the end of a deferral.
 */
export function reminderOf({
  mode,
  createdAt,
  expiresAt,
  schedule,
  deferred,
}: Pick<Request, "mode" | "createdAt" | "expiresAt" | "schedule" | "deferred">): Reminder | null {
  const since = deferred?.overAt ?? createdAt;
  const pause = (expiresAt - since) / 3;
  const name = `reminder-${schedule?.moves ?? 0}${deferred ? `-${deferred.until}` : ""}`;
  return mode === "peer" && pause >= soonest ? { name, at: since + pause } : null;
}
