import type { Request } from "./request.ts";

/** Milliseconds. A shorter pause would remind people who were just mentioned. */
const soonest = 2 * 60_000;

/** True if a request waits for somebody other than its requester, who can take it and is reminded. */
export function waitsForOthers({ state, mode }: Pick<Request, "state" | "mode">): boolean {
  return state === "pending" && mode === "peer";
}

/** A step that notifies the approvers of a request. */
export interface Reminder {
  name: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * The reminder of the approvers, after a third of the time; null if nobody else decides, or it expires too soon. Each new time of a scheduled
 * request has a reminder of its own, since all decide anew.
 */
export function reminderOf({
  mode,
  createdAt,
  expiresAt,
  schedule,
}: Pick<Request, "mode" | "createdAt" | "expiresAt" | "schedule">): Reminder | null {
  const pause = (expiresAt - createdAt) / 3;
  return mode === "peer" && pause >= soonest
    ? { name: `reminder-${schedule?.moves ?? 0}`, at: createdAt + pause }
    : null;
}
