import type { Request } from "./request.ts";

/** Who was called less than this ago is not called once more. */
const soonest = 2 * 60_000;

/** When others are called once more about a request that nobody decided: after a third of its time. Null where nobody was called, or it ends too soon. */
export function reminderAt({ mode, createdAt, expiresAt }: Pick<Request, "mode" | "createdAt" | "expiresAt">) {
  const pause = (expiresAt - createdAt) / 3;
  return mode === "peer" && pause >= soonest ? createdAt + pause : null;
}
