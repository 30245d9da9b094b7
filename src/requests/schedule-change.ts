import type { ScheduledTime } from "../access/when.ts";
import type { Clock } from "../clock.ts";
import { Refusal } from "../operation/errors.ts";
import { moment } from "../views/format.ts";
import { createRequest, type Proposal, scheduleFor, termsWithoutDecision } from "./create.ts";
import { findDuplicate } from "./duplicates.ts";
import { otherSchedules } from "./other-schedules.ts";
import type { Request } from "./request.ts";
import { latestStart, scheduleNote } from "./schedule-words.ts";
import { begin } from "./step.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";
import type { Visibilities } from "./visibility.ts";

/**
 * Schedules a change that needs no approval: the request itself is the decision. Throws a Refusal if the same is scheduled for that time
 * already.
 */
export async function scheduleChange(
  { requests, visibilities, clock }: { requests: RequestStore; visibilities: Visibilities; clock: Clock },
  proposal: Proposal,
  when: ScheduledTime,
): Promise<Request> {
  const { act, origin } = proposal;
  const now = clock.now();
  const duplicate = await findDuplicate(requests, proposal, now);
  if (duplicate?.planned)
    throw new Refusal(
      `<@${duplicate.slackUser}> has planned to ${titleOf(duplicate)} ${moment(duplicate.planned.at)} already. Nothing was planned twice.`,
    );
  const record = createRequest(proposal, termsWithoutDecision(await act.review(), origin), {
    now,
    seal: requests.seal,
  });
  const planned = {
    ...{ planned: { ...scheduleFor(when), since: now }, expiresAt: when.at + latestStart },
    ...{ decidedBy: origin.slackUser, decidedAt: now },
    notice: await otherSchedules({ requests, visibilities }, record, record.channel),
  } as const;
  return begin(requests, "schedule", { ...record, ...planned }, { said: scheduleNote(when.at), runAt: when.at });
}
