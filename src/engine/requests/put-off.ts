import type { Clock } from "../../clock.ts";
import type { Origin } from "../answers/origin.ts";
import { newestOf } from "./end.ts";
import { latest, plannedNote } from "./planned-words.ts";
import type { Approval, Request } from "./request.ts";
import type { SayState } from "./say-state.ts";
import type { RequestStore } from "./store.ts";

/** A request that is decided and has a time. */
export interface DecidedForLater {
  request: Request;
  origin: Origin;
  approvals: Approval[];
  /** A copy is taken first, when its time comes. */
  copyFirst: boolean;
}

/** Keeps a decided request until its time comes; its input stays sealed. */
export async function putOff(
  { requests, say, clock }: { requests: RequestStore; say: Pick<SayState, "state">; clock: Clock },
  { request, origin, approvals, copyFirst }: DecidedForLater,
): Promise<void> {
  const { planned, copy } = request;
  if (!planned) throw new Error("It has no time to wait for");
  const now = clock.now();
  const kept = await requests.advance(
    request,
    {
      ...{ state: "planned", outcome: "", approvals, planned: { ...planned, since: now } },
      ...{ decidedBy: origin.slackUser, decidedAt: now, expiresAt: planned.at + latest },
      copy: copy && copyFirst ? { ...copy, step: "chosen" } : copy,
      ...newestOf(request, origin),
    },
    { note: { what: "planned", outcome: plannedNote(planned.at) }, runAt: planned.at },
  );
  if (!kept) await say.state(request.id, origin);
}
