import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** Nobody decided it in time; null where somebody was there before. */
export function expire(requests: RequestStore, request: Request): Promise<Request | null> {
  const note = { what: "expired", outcome: "Nobody decided it in time." };
  return requests.advance(request, { state: "expired", outcome: "", sealed: null }, { note });
}
