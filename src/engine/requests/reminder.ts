import type { Request } from "./request.ts";

/** When others are called once more about a request that nobody decided: after a third of its time. Null where nobody was called. */
export function reminderAt({ mode, createdAt, expiresAt }: Pick<Request, "mode" | "createdAt" | "expiresAt">) {
  return mode === "peer" ? createdAt + (expiresAt - createdAt) / 3 : null;
}
