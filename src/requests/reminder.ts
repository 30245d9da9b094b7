import type { Request } from "./request.ts";

/** Milliseconds. A shorter pause would remind people who were just mentioned. */
const soonest = 2 * 60_000;

/**
 * When to remind the approvers (milliseconds since the epoch): after a third of the time. Null if nobody else decides, or it expires too
 * soon.
 */
export function reminderAt({ mode, createdAt, expiresAt }: Pick<Request, "mode" | "createdAt" | "expiresAt">) {
  const pause = (expiresAt - createdAt) / 3;
  return mode === "peer" && pause >= soonest ? createdAt + pause : null;
}
