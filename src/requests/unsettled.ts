import { prose, sentence } from "../views/text.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/**
 * Ends a request that was sent once and is not sent again. Its outcome stays unknown, so it must not count as "nothing was done". `why`: a
 * sentence. Resolves to null if another process took a step first.
 */
export function endUnsettled(
  requests: RequestStore,
  request: Request,
  why: string,
  change: Partial<Request> = {},
): Promise<Request | null> {
  const outcome = `It was not sent again. ${why} ${firstUnknown}: look at it yourself before you ask again.`;
  return requests.advance(
    request,
    { ...change, state: "undecided", outcome, sealed: null },
    { note: { what: "not sent again", outcome } },
  );
}

/**
 * Stores a refusal of the second sending. The first one may have been charged, so nothing is ruled out. The request reopens if the refusal
 * passes by itself, else it is undecided. Resolves to null if another process took a step first.
 */
export function refuseAgain(
  requests: RequestStore,
  request: Request,
  { reason, passes, change }: { reason: string | null; passes: boolean; change: Partial<Request> },
): Promise<Request | null> {
  const refused = `The platform refused it this time${reason ? `: ${sentence(prose(reason, 300))}` : "."} ${firstUnknown}`;
  if (passes) {
    const outcome = `${refused}. Press again in some minutes.`;
    const open = { decidedBy: null, decidedAt: null, approvals: [] };
    return requests.advance(
      request,
      { ...change, ...open, state: "pending", outcome },
      { note: { what: "refused", outcome }, lookAt: request.expiresAt },
    );
  }
  const outcome = `${refused}: look at it yourself before you ask again.`;
  const ended = { state: "undecided", outcome, sealed: null } as const;
  return requests.advance(request, { ...change, ...ended }, { note: { what: "refused", outcome } });
}

const firstUnknown = "It could not be found out whether the first one was done";

/** Voids a waiting request. `outcome`: the reason, and that nothing was done. Resolves to null if another process took a step first. */
export function voidWaiting(requests: RequestStore, request: Request, outcome: string): Promise<Request | null> {
  if (request.unsettled) return endUnsettled(requests, request, outcome);
  return requests.advance(request, { state: "void", outcome, sealed: null }, { note: { what: "void" } });
}
