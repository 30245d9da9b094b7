import { prose, sentence } from "../views/text.ts";
import type { Amendment, Request } from "./request.ts";
import { firstUnknown } from "./states.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

/**
 * Stores a refusal of the second sending. The first one may have been charged, so nothing is ruled out. The request reopens if the refusal
 * passes by itself, else it is undecided. Resolves to null if another process took a step first.
 */
export function refuseAgain(
  requests: RequestStore,
  request: Request,
  { reason, passes, change }: { reason: string | null; passes: boolean; change: Amendment },
): Promise<Request | null> {
  const refused = `The platform refused it this time${reason ? `: ${sentence(prose(reason, 300))}` : "."} ${firstUnknown}`;
  if (passes) {
    const outcome = `${refused}. Press again in some minutes.`;
    return step(requests, request, "reopen", { ...change, outcome }, { lookAt: request.expiresAt });
  }
  const outcome = `${refused}: look at it yourself before you ask again.`;
  return step(requests, request, "giveUp", { ...change, outcome });
}

/** Voids a waiting request. `outcome`: the reason, and that nothing was done. Resolves to null if another process took a step first. */
export function voidWaiting(requests: RequestStore, request: Request, outcome: string): Promise<Request | null> {
  return step(requests, request, "void", { outcome });
}
