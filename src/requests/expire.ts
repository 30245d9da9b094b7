import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { endUnsettled } from "./unsettled.ts";

/** Expires a request that nobody decided in time. Resolves to null if another process took a step first. */
export function expire(requests: RequestStore, request: Request): Promise<Request | null> {
  if (request.unsettled) return endUnsettled(requests, request, "Nobody pressed in time.");
  const note = { what: "expired", outcome: "Nobody decided it in time." };
  return requests.advance(request, { state: "expired", outcome: "", sealed: null }, { note });
}
