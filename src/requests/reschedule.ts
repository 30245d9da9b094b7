import type { ReadScheduledTime, ScheduledTime } from "../access/when.ts";
import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import type { RequestChecks } from "./checks.ts";
import { scheduleFor } from "./create.ts";
import type { FindFor } from "./find-for.ts";
import type { Amendment, Request, Schedule } from "./request.ts";
import { policyFactsOf, type Rules, refuseForbidden } from "./rules.ts";
import { latestStart, scheduleNote } from "./schedule-words.ts";
import type { StateAnswers } from "./state-answers.ts";
import { cellOf } from "./states.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";

/**
 * Schedules a request, or changes its scheduled time; only the requester may. Approvals were given for the old time, so others must approve
 * again.
 */
export interface Reschedule {
  /** Returns the request if the member may reschedule it. Returns null after telling the state if it no longer waits. */
  findReschedulable(id: string, origin: Origin): Promise<Request | null>;
  /** `at`: milliseconds since the epoch. Throws an InputError if it has passed or is too far ahead. */
  move(id: string, origin: Origin, at: number): Promise<void>;
}

export function createReschedule(deps: {
  requests: RequestStore;
  findFor: FindFor;
  checks: Pick<RequestChecks, "may">;
  rules: Pick<Rules, "verdict">;
  say: Pick<StateAnswers, "state">;
  putOff: ReadScheduledTime;
  clock: Clock;
  /** Milliseconds in which the request can be decided. */
  ttl: number;
}): Reschedule {
  const { requests, findFor, checks, rules, say, putOff, clock, ttl } = deps;

  async function findReschedulable(id: string, origin: Origin): Promise<Request | null> {
    const request = await findFor("move", id, origin);
    if (request) await checks.may("move", request, origin);
    return request;
  }

  /** If the requester decided alone, the request just waits for the new time. Otherwise it must be approved for that time. */
  function changeTo(request: Request, when: ScheduledTime): Amendment {
    const planned = rescheduledTo(request, when);
    if (cellOf("move", request)?.to === "planned") return { planned, expiresAt: when.at + latestStart };
    const expiresAt = Math.min(clock.now() + ttl, when.at);
    return { remindedAt: null, planned: { ...planned, since: null }, expiresAt };
  }

  async function move(id: string, origin: Origin, at: number): Promise<void> {
    const request = await findReschedulable(id, origin);
    if (!request) return;
    const when = await putOff(withResolvedTime({}, at), request.slackUser);
    if (!when || at === request.planned?.at) return say.state(id, origin);
    const change = changeTo(request, when);
    const next = { ...request, ...change };
    refuseForbidden(await rules.verdict(policyFactsOf(next)));
    const staysScheduled = cellOf("move", request)?.to === "planned";
    const needsApprovalAgain = request.state === "planned" && !staysScheduled;
    const said = `${scheduleNote(at)}${needsApprovalAgain ? " It must be approved anew." : ""}`;
    // For a pending request the updated message mentions the approvers again.
    const extras = staysScheduled ? { runAt: at } : { lookAt: next.expiresAt };
    if (!(await step(requests, request, "move", change, { said, ...extras }))) await say.state(id, origin);
  }

  return { findReschedulable, move };
}

function rescheduledTo({ planned }: Request, when: ScheduledTime): Schedule {
  const { at, zone, said } = when;
  if (!planned) return { ...scheduleFor(when), moves: 1 };
  return { ...planned, at, zone, said, moves: planned.moves + 1, movedFrom: planned.at };
}
