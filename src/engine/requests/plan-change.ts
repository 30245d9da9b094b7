import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { moment } from "../../views/format.ts";
import type { PutOff } from "../when.ts";
import { askingNobody, createRequest, plannedFor, type Wanted } from "./create.ts";
import { othersPlanned } from "./others-planned.ts";
import { latest, plannedNote } from "./planned-words.ts";
import type { Request } from "./request.ts";
import { findSame } from "./same.ts";
import type { RequestStore } from "./store.ts";
import { titleOf } from "./view.ts";

/** Plans what would be done at once: asking for it is all the decision that it needs. The same for the same time is not planned twice. */
export async function planChange(
  { requests, clock }: { requests: RequestStore; clock: Clock },
  wanted: Wanted,
  when: PutOff,
): Promise<Request> {
  const { act, origin } = wanted;
  const now = clock.now();
  const same = await findSame(requests, wanted, now);
  if (same?.planned)
    throw new Refusal(
      `<@${same.slackUser}> has planned to ${titleOf(same)} ${moment(same.planned.at)} already. Nothing was planned twice.`,
    );
  const made = createRequest(wanted, askingNobody(await act.review(), origin), { now, seal: requests.seal });
  const planned = {
    state: "planned",
    ...{ planned: { ...plannedFor(when), since: now }, expiresAt: when.at + latest },
    ...{ decidedBy: origin.slackUser, decidedAt: now, notice: await othersPlanned(requests, made) },
  } as const;
  const along = { note: { what: "planned", outcome: plannedNote(when.at) }, runAt: when.at };
  return requests.create({ ...made, ...planned }, along);
}
