import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import { newestOf } from "./end.ts";
import type { Approval, Request } from "./request.ts";
import { latestStart, scheduleNote } from "./schedule-words.ts";
import type { StateAnswers } from "./state-answers.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

/** A decided request that has a scheduled time. */
export interface DecidedSchedule {
  request: Request;
  origin: Origin;
  approvals: Approval[];
  /** True if the backup comes first, at the scheduled time. */
  copyFirst: boolean;
}

/** Stores the decision and the timer. The input stays sealed until the scheduled time. */
export async function storeSchedule(
  { requests, say, clock }: { requests: RequestStore; say: Pick<StateAnswers, "state">; clock: Clock },
  { request, origin, approvals, copyFirst }: DecidedSchedule,
): Promise<void> {
  const { planned, copy } = request;
  if (!planned) throw new Error("It has no time to wait for");
  const now = clock.now();
  const advanced = await step(
    requests,
    request,
    "schedule",
    {
      ...{ outcome: "", approvals, planned: { ...planned, since: now } },
      ...{ decidedBy: origin.slackUser, decidedAt: now, expiresAt: planned.at + latestStart },
      copy: copy && copyFirst ? { ...copy, step: "chosen" } : copy,
      ...newestOf(request, origin),
    },
    { said: scheduleNote(planned.at), runAt: planned.at },
  );
  if (!advanced) await say.state(request.id, origin);
}
