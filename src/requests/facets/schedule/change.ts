import * as z from "#zod";
import { type ScheduledTime, scheduledTime } from "../../../members/access/when.ts";
import { withoutMentions } from "../../../members/slack-user.ts";
import type { Origin } from "../../../messages/origin.ts";
import { isDirect } from "../../../messages/origin.ts";
import type { Step } from "../../../operation/answer.ts";
import { Refusal } from "../../../operation/errors.ts";
import { withoutSecrets } from "../../../operation/fields.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { withResolvedTime } from "../../../operation/schedule-input.ts";
import { needsOthers } from "../../../policy/rule.ts";
import type { Assertion } from "../../../process/webauthn/assertion.ts";
import { moment } from "../../../views/format.ts";
import { listing } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import { requireMay } from "../../checks.ts";
import { createRequest, draftRequest, type Proposal, termsWithoutDecision } from "../../create.ts";
import { claimOffer } from "../../delegate.ts";
import { findDuplicate } from "../../repeats.ts";
import {
  type Amendment,
  type Approval,
  decisionNoun,
  type NewRequest,
  newestOf,
  type Request,
  resourceKeyOf,
  timeToDecide,
  titleOf,
} from "../../request.ts";
import { lackingNow, readRuling, refuseForbidden } from "../../rules.ts";
import { provenBy } from "../../run.ts";
import { findFor, sayState } from "../../state-answers.ts";
import { cellOf } from "../../states.ts";
import { begin, step } from "../../step.ts";
import { allOf, openAbout, scheduledRequests } from "../../store.ts";
import { isAboutTheSame, type Sending } from "../../unknown-outcome.ts";
import { isKnownIn } from "../../visibility.ts";
import { requireAgentRight } from "../agent/right.ts";
import { proposerOf, proposingSubject } from "../agent/view.ts";
import { chosen } from "../backup-first/record.ts";
import { readTargets } from "../bulk/targets.ts";
import { overridesBefore } from "../override/steps.ts";
import { latestStart, type Schedule, scheduleFor } from "./record.ts";

/**
 * Schedules a change that needs no approval: the request itself is the decision. Throws a Refusal if the same is scheduled for that time
 * already.
 */
export async function scheduleChange(app: RequestsApp, proposal: Proposal, when: ScheduledTime): Promise<Request> {
  const { clock } = app;
  const { bound, act, origin } = proposal;
  const now = clock.now();
  const draft = draftRequest(app, proposal);
  const duplicate = await findDuplicate(app, draft, proposal);
  if (duplicate?.schedule)
    throw new Refusal(
      `${proposingSubject(duplicate)} already scheduled *${titleOf(duplicate)}* for ${moment(duplicate.schedule.at)}. Nothing was scheduled twice.`,
    );
  // Lists show it until its time comes, so it calls the machine's location as every card does.
  const [review, identity] = await Promise.all([act.review(), act.readIdentity()]);
  const record = createRequest(app, proposal, termsWithoutDecision(review, { identity }, origin), draft);
  const scheduled: NewRequest = {
    ...record,
    schedule: { ...scheduleFor(when), since: now },
    expiresAt: when.at + latestStart,
    // A member who types it decides it by that. What a rule lets an agent schedule is decided by nobody.
    ...(record.agent === null ? { decidedBy: origin.slackUser, decidedAt: now } : {}),
    notice: await otherSchedules(app, record, bound.operation, {
      channel: record.channel,
      alone: isOfOne(record.channel),
    }),
  };
  await requireAgentRight(app, scheduled);
  const claim = await claimOffer(app, proposal);
  return begin(app, "schedule", scheduled, { auditOutcome: scheduleNote(when.at), runAt: when.at, claim });
}

/** A decided request that has a scheduled time. */
export interface DecidedSchedule {
  request: Request;
  origin: Origin;
  approvals: Approval[];
  /** The facts that the presser's passkey signed, if a rule asks for it. */
  assertion: Assertion | undefined;
  /** True if the backup comes first, at the scheduled time. */
  withBackup: boolean;
}

/** Stores the decision and the timer. The input stays sealed until the scheduled time. Resolves to false if another step came first. */
export async function storeSchedule(
  app: RequestsApp,
  { request, origin, approvals, assertion, withBackup }: DecidedSchedule,
): Promise<boolean> {
  const { clock } = app;
  const { schedule, backupFirst } = request;
  if (!schedule) throw new Error("It has no time to wait for");
  const now = clock.now();
  const advanced = await step(
    app,
    request,
    "schedule",
    {
      outcome: "",
      approvals,
      proof: provenBy(request, assertion),
      overrides: overridesBefore(request),
      schedule: { ...schedule, since: now },
      decidedBy: origin.slackUser,
      decidedAt: now,
      expiresAt: schedule.at + latestStart,
      backupFirst: backupFirst && withBackup ? chosen(backupFirst, origin.slackUser) : backupFirst,
      ...newestOf(request, origin),
    },
    { auditOutcome: scheduleNote(schedule.at), runAt: schedule.at, assertion, by: origin.slackUser },
  );
  if (!advanced) await sayState(app, request.id, origin);
  return advanced !== null;
}

/** Returns the request if the member may reschedule it: only the requester may. Returns null after telling the state if it no longer waits. */
export async function findReschedulable(app: RequestsApp, id: string, origin: Origin): Promise<Request | null> {
  const request = await findFor(app, "move", id, origin);
  if (request) await requireMay(app, "move", request, origin);
  return request;
}

/** If the requester decided alone and without a passkey, the request just waits for the new time. Otherwise it is decided anew. */
function changeTo(app: RequestsApp, request: Request, when: ScheduledTime, staysScheduled: boolean): Amendment {
  const { clock } = app;
  const schedule = rescheduledTo(request, when);
  if (staysScheduled) return { schedule, expiresAt: when.at + latestStart };
  const expiresAt = Math.min(clock.now() + timeToDecide(app, request), when.at);
  return { schedule: { ...schedule, since: null }, expiresAt };
}

/**
 * Schedules a request, or changes its scheduled time. Approvals were given for the old time, and a passkey signed it, so both are needed again.
 * `at`: milliseconds since the epoch. Throws an InputError if it has passed or is too far ahead.
 */
export async function move(app: RequestsApp, id: string, origin: Origin, at: number): Promise<void> {
  const request = await findReschedulable(app, id, origin);
  if (!request) return;
  const when = await scheduledTime(app, withResolvedTime({}, at), request.requester.slackUser);
  if (!when || at === request.schedule?.at) return sayState(app, id, origin);
  const staysScheduled = cellOf("move", request)?.to === "scheduled";
  const change = changeTo(app, request, when, staysScheduled);
  const next = { ...request, ...change };
  refuseForbidden(await readRuling(app, next));
  await requireDecidable(app, next, staysScheduled);
  const isUndecided = request.state === "scheduled" && !staysScheduled;
  const auditOutcome = `${scheduleNote(at)}${isUndecided ? ` It needs ${decisionNoun(request)} again.` : ""}`;
  // For a pending request the updated message mentions the approvers again.
  const extras = staysScheduled ? { runAt: at } : { lookAt: next.expiresAt };
  if (!(await step(app, request, "move", change, { auditOutcome, ...extras, by: origin.slackUser })))
    await sayState(app, id, origin);
}

/**
 * Throws a Refusal if the rules ask for more at the new time than anybody can give: for a decision that counts on, more than was given; for
 * one that only the requester saw, the approval of others. It would be cancelled at that time.
 */
async function requireDecidable(app: RequestsApp, request: Request, staysScheduled: boolean): Promise<void> {
  const { required, why, reason } = await lackingNow(app, request);
  const isLacking = staysScheduled || (request.mode !== "peer" && needsOthers(required.demand));
  if (why === null || !isLacking) return;
  const rule = reason ? ` The rule: ${reason}` : "";
  throw new Refusal(`Nothing changed: the rules ask for more at that time. Ask again with that time.${rule}`);
}

function rescheduledTo({ schedule }: Request, when: ScheduledTime): Schedule {
  const { at, zone, said } = when;
  if (!schedule) return { ...scheduleFor(when), moves: 1 };
  return { ...schedule, at, zone, said, moves: schedule.moves + 1, movedFrom: schedule.at };
}

/** True where a message goes to its member's direct messages. */
export function isOfOne(channel: string | null): boolean {
  return channel === null || isDirect({ channel });
}

/**
 * Names other schedules for the same resource, as a sentence for the readers of `channel`; null if there are none. Two schedules can each
 * make sense, and conflict. `alone`: the requester alone reads it.
 */
export async function otherSchedules(
  app: RequestsApp,
  subject: Sending,
  operation: PlatformOperation,
  { channel, alone }: { channel: string | null; alone: boolean },
): Promise<string | null> {
  const others = await schedulesBeside(app, subject, operation);
  if (others.length === 0) return null;
  const named = others.slice(0, mostNamed);
  const sentences = await Promise.all(
    named.map(async (other) => {
      // Readers of this channel learn only the time of an act that was requested in private.
      const isOwn = alone && other.requester.member === subject.requester.member;
      const mayBeNamed = isOwn || (await isKnownIn(app, channel, other));
      return mayBeNamed
        ? `${titleOf(other)} ${moment(other.schedule?.at ?? 0)}, by ${await withoutMentions(app, proposerOf(other))}`
        : `another act ${moment(other.schedule?.at ?? 0)}`;
    }),
  );
  const more = others.length - named.length;
  return `Also scheduled for the same resource: ${listing([...sentences, ...(more > 0 ? [`${more} more`] : [])])}.`;
}

/** A sentence names so many other schedules and counts the rest. */
const mostNamed = 5;

/** The other schedules for the same resource, and for any target that a bulk request shares with it, the soonest first. */
async function schedulesBeside(app: RequestsApp, subject: Sending, operation: PlatformOperation): Promise<Request[]> {
  const about = (await openAbout(app, resourceKeyOf(subject))).filter(
    (other) => other.state === "scheduled" && isAboutTheSame(app, operation, subject, other),
  );
  const own = await targetIds(app, subject);
  const found = new Map(about.map((other) => [other.id, other]));
  for await (const other of own.size > 0 ? allOf(app, scheduledRequests) : []) {
    // Two single schedules for one machine are found by their resource.
    if (!other.bulk && !subject.bulk) continue;
    const ids = await targetIds(app, other);
    if ([...ids].some((id) => own.has(id))) found.set(other.id, other);
  }
  found.delete(subject.id);
  return [...found.values()].toSorted((a, b) => (a.schedule?.at ?? 0) - (b.schedule?.at ?? 0));
}

/** The platform's ids of all targets of a request. */
async function targetIds(
  app: RequestsApp,
  { id, target, bulk }: Pick<Sending, "id" | "target" | "bulk">,
): Promise<ReadonlySet<string>> {
  if (bulk) return new Set((await readTargets(app, id)).map((one) => one.id));
  return new Set(target ? [target.id] : []);
}

/** Offers to schedule the same act for the next opening of a maintenance window. Secrets must be typed again. */
export function waitForWindow(
  { bound, act, originator }: Pick<Proposal, "bound" | "act" | "originator">,
  opens: number,
): Step[] {
  const { operation } = bound;
  const open = withoutSecrets(operation.input, act.input);
  const input = z.record(z.string(), z.json()).safeParse(withResolvedTime(open, opens));
  if (!act.target || !input.success) return [];
  const { command } = operation;
  const plan = { label: "Schedule it for then", command, target: act.target.id, input: input.data };
  return [{ ...plan, originator, style: "primary" }];
}

/** The text of the audit entry. */
function scheduleNote(at: number): string {
  return `Scheduled for ${moment(at)}.`;
}
