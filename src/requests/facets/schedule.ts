import * as z from "zod";
import type { BoundOperation } from "../../access/bound.ts";
import { errorText, isLasting, keyOf } from "../../access/error-text.ts";
import type { ScheduledTime } from "../../access/when.ts";
import type { Clock } from "../../clock.ts";
import { areTwoPeople, personOf } from "../../identities/person.ts";
import type { Origin } from "../../notifications/origin.ts";
import type { Fact, Step } from "../../operation/answer.ts";
import { NotYet, Refusal } from "../../operation/errors.ts";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { withResolvedTime } from "../../operation/schedule-input.ts";
import { isPlatformError, keyRejected } from "../../platform/http/errors.ts";
import { actions, type Block, button, context, type Message, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { listing } from "../../views/text.ts";
import { rescheduleAction, withdrawAction } from "../actions.ts";
import type { RequestsApp } from "../app.ts";
import type { CarryOut } from "../carry-out.ts";
import type { CheckedFacts } from "../checks.ts";
import { createRequest, type Proposal, scheduleFor, termsWithoutDecision } from "../create.ts";
import { findDuplicate } from "../duplicates.ts";
import type { TellState } from "../find-for.ts";
import { partlyVisible } from "../partly-visible.ts";
import {
  type Amendment,
  type Approval,
  newestOf,
  type Request,
  resourceKeyOf,
  type Schedule,
  titleOf,
} from "../request.ts";
import { underWayWords, withResourceLock } from "../resource-lock.ts";
import {
  missingAdmin,
  missingApprovals,
  type PolicyFacts,
  policyFactsNow,
  policyFactsOf,
  refuseForbidden,
  ruleReason,
} from "../rules.ts";
import { cellOf } from "../states.ts";
import { begin, step } from "../step.ts";
import { type RequestStore, scheduleTimer } from "../store.ts";
import { refuseWhileUnknown, subjectKeyOf } from "../unknown-outcome.ts";
import type { Visibilities, VisibleRequest } from "../visibility.ts";
import { prepareBackup } from "./backup-first.ts";

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
  { requests, say, clock }: { requests: RequestStore; say: TellState; clock: Clock },
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

/** Returns the request if the member may reschedule it: only the requester may. Returns null after telling the state if it no longer waits. */
export async function findReschedulable(app: RequestsApp, id: string, origin: Origin): Promise<Request | null> {
  const { findFor, checks } = app;
  const request = await findFor("move", id, origin);
  if (request) await checks.may("move", request, origin);
  return request;
}

/** If the requester decided alone, the request just waits for the new time. Otherwise it must be approved for that time. */
function changeTo(app: RequestsApp, request: Request, when: ScheduledTime): Amendment {
  const { clock, ttl } = app;
  const planned = rescheduledTo(request, when);
  if (cellOf("move", request)?.to === "planned") return { planned, expiresAt: when.at + latestStart };
  const expiresAt = Math.min(clock.now() + ttl, when.at);
  return { remindedAt: null, planned: { ...planned, since: null }, expiresAt };
}

/**
 * Schedules a request, or changes its scheduled time. Approvals were given for the old time, so others must approve again. `at`:
 * milliseconds since the epoch. Throws an InputError if it has passed or is too far ahead.
 */
export async function move(app: RequestsApp, id: string, origin: Origin, at: number): Promise<void> {
  const { requests, rules, say, readScheduledTime } = app;
  const request = await findReschedulable(app, id, origin);
  if (!request) return;
  const when = await readScheduledTime(withResolvedTime({}, at), request.slackUser);
  if (!when || at === request.planned?.at) return say.state(id, origin);
  const change = changeTo(app, request, when);
  const next = { ...request, ...change };
  refuseForbidden(await rules.verdict(policyFactsOf(next)));
  const staysScheduled = cellOf("move", request)?.to === "planned";
  const needsApprovalAgain = request.state === "planned" && !staysScheduled;
  const said = `${scheduleNote(at)}${needsApprovalAgain ? " It must be approved anew." : ""}`;
  // For a pending request the updated message mentions the approvers again.
  const extras = staysScheduled ? { runAt: at } : { lookAt: next.expiresAt };
  if (!(await step(requests, request, "move", change, { said, ...extras }))) await say.state(id, origin);
}

function rescheduledTo({ planned }: Request, when: ScheduledTime): Schedule {
  const { at, zone, said } = when;
  if (!planned) return { ...scheduleFor(when), moves: 1 };
  return { ...planned, at, zone, said, moves: planned.moves + 1, movedFrom: planned.at };
}

type ScheduleApp = RequestsApp & { carryOut: CarryOut };

/** Milliseconds between tries of a scheduled request that cannot begin yet. The pauses grow, since each try reads everything again. */
const shortestPause = 20_000;
const longestPause = 2 * 60_000;

async function end(app: ScheduleApp, request: Request, why: string): Promise<undefined> {
  const { requests } = app;
  const outcome = `Its time came, and it was not begun. ${why} Nothing was done. Plan it again if it is still wanted.`;
  await step(requests, request, "void", { outcome });
}

/** Returns the reason why the approval rules forbid it now, as a sentence; null if they allow it. */
async function ruleProblem(app: ScheduleApp, policyFacts: PolicyFacts, request: Request): Promise<string | null> {
  const { access, rules } = app;
  const verdict = await rules.verdict(policyFacts);
  const { demand } = verdict;
  const why = ruleReason(verdict);
  const words = why ? ` The rule: ${why}` : "";
  if (demand === "never") return `A rule of this workspace does not allow it.${words}`;
  const missing =
    missingApprovals(demand, request) ??
    (await missingAdmin({ admin: verdict.admin || request.admin }, request.approvals, access.isAdmin));
  return missing && `${missing}${words}`;
}

async function runNow(app: ScheduleApp, request: Request): Promise<number | undefined> {
  const { requests, carryOut, rules, checks } = app;
  const subject = { ...request, input: requests.input(request) };
  await refuseWhileUnknown(requests, checks.operation(request), subject, request.risk, request.id);
  const rechecked = await recheckDecision(app, request);
  if ("gone" in rechecked) return end(app, request, rechecked.gone);
  const { bound, checked } = rechecked;
  const policyFacts = policyFactsNow(request, checked);
  const problem = await ruleProblem(app, policyFacts, request);
  if (problem !== null) return end(app, request, problem);
  const { origin, approvals } = request;
  const [approver = origin] = approvals;
  const first = request.copy?.step === "chosen" ? await prepareBackup(app, request, approver) : null;
  const { demand } = await rules.verdict(policyFacts);
  if (
    !(await rules.reserve(policyFacts, demand)) ||
    (first && !(await rules.reserve(first.policyFacts, first.demand)))
  ) {
    await rules.release(request);
    return end(app, request, "What was spent meanwhile leaves no room for it.");
  }
  await carryOut.now({ request, checked, bound, origin, approvals, glass: undefined, first });
}

/** Tries again soon. After `latestStart` nobody expects the act any more, so the request ends. */
async function later(app: ScheduleApp, request: Request, at: number, why: string): Promise<number | undefined> {
  const { clock } = app;
  const late = clock.now() - at;
  const next = clock.now() + Math.min(longestPause, Math.max(shortestPause, late / 3));
  return next > at + latestStart ? end(app, request, why) : next;
}

async function tryNow(app: ScheduleApp, request: Request, at: number): Promise<number | undefined> {
  const { store, requests, checks, clock, log } = app;
  const subject = { ...request, input: requests.input(request) };
  try {
    return await withResourceLock(
      store.locks,
      subjectKeyOf(checks.operation(request), subject),
      request,
      () => runNow(app, request),
      (by) => later(app, request, at, underWayWords(by)),
    );
  } catch (error) {
    if (keyRejected(error))
      return end(app, request, `The platform no longer accepts the key of <@${request.slackUser}>.`);
    if (!(error instanceof Refusal || isPlatformError(error))) throw error;
    const { text } = errorText(error, clock.now(), keyOf(request.slackUser));
    // Waiting does not repair these errors, and a try every 20 s would use up the key's calls.
    if (isLasting(error) || (error instanceof Refusal && !(error instanceof NotYet))) return end(app, request, text);
    log.info({ err: error, request: request.id }, "What was planned could not begin yet");
    return later(app, request, at, text);
  }
}

/**
 * Runs a scheduled request when its time comes. It repeats every check of the decision, and voids the request if something changed. Resolves
 * to the time of the next try.
 */
export async function runScheduled(app: ScheduleApp, wakeId: string): Promise<number | undefined> {
  const { requests, clock } = app;
  const request = await requests.read(wakeId.slice(scheduleTimer.length));
  if (request?.state !== "planned" || !request.planned) return;
  const { at } = request.planned;
  const now = clock.now();
  // The request was rescheduled, or the clock was set back.
  if (now < at) return at;
  if (now - at <= latestStart) return tryNow(app, request, at);
  const late = `Rackbell could not look at it before ${duration(now - at)} had passed, since it was not running or its clock was wrong. What is more than ${duration(latestStart)} late is not begun.`;
  return end(app, request, late);
}

/** Binds the operation to the requester's key, if they could still ask for it. */
async function bindRequester(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
): Promise<{ bound: BoundOperation } | { gone: string }> {
  const { checks, identities } = app;
  const { slackUser, member } = request;
  const whoSubject = `<@${slackUser}>, who asked,`;
  await checks.asker(request);
  // Ask the platform again: a scope or key that was removed since must not count.
  await identities.refresh(member, operation.api);
  const bound = await checks.requester(request, operation);
  if (!bound) return { gone: `${whoSubject} no longer has the key that it was asked with.` };
  return bound.may(request.command) ? { bound } : { gone: `The key of ${whoSubject} may no longer do it.` };
}

async function stillApproves(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  approval: Approval,
): Promise<boolean> {
  const { checks } = app;
  try {
    await checks.presser(request, operation, approval);
    return true;
  } catch (error) {
    if (error instanceof Refusal || keyRejected(error)) return false;
    throw error;
  }
}

/** Returns the reason why an approval no longer counts, as a sentence; null if all do. */
async function approvalProblem(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
): Promise<string | null> {
  const { identities } = app;
  for (const [at, approval] of request.approvals.entries()) {
    if (!(await stillApproves(app, request, operation, approval)))
      return `<@${approval.slackUser}>, who approved it, could no longer approve it.`;
    const person = personOf(await identities.links(approval.member));
    for (const other of request.approvals.slice(0, at))
      if (!areTwoPeople(personOf(await identities.links(other.member)), person))
        return `<@${other.slackUser}> and <@${approval.slackUser}>, who approved it, are linked as one user of the platform by now.`;
  }
  return null;
}

/**
 * Checks everything that a scheduled request was decided on: requester, approvers, keys and preconditions. `gone` is the reason to end, as
 * a sentence. A Refusal or platform error says that the check failed for now.
 */
async function recheckDecision(
  app: RequestsApp,
  request: Request,
): Promise<{ bound: BoundOperation; checked: CheckedFacts } | { gone: string }> {
  const { checks } = app;
  const operation = checks.operation(request);
  if (!operation) return { gone: "This version of Rackbell no longer has that command." };
  const requester = await bindRequester(app, request, operation).catch(refusalOf);
  if ("gone" in requester) return requester;
  const gone = await approvalProblem(app, request, operation);
  if (gone !== null) return { gone };
  const { bound } = requester;
  const checked = await checks.facts(request, bound);
  return "act" in checked ? { bound, checked } : { gone: checked.changed };
}

/** A Refusal is final here and becomes the reason. Any other error is thrown again, so that it is retried. */
function refusalOf(error: unknown): { gone: string } {
  if (error instanceof Refusal) return { gone: error.message };
  throw error;
}

/**
 * Names other schedules for the same resource, as a sentence for the readers of `channel`; null if there are none. Two schedules can each
 * make sense, and conflict.
 */
export async function otherSchedules(
  { requests, visibilities }: { requests: Pick<RequestStore, "about">; visibilities: Pick<Visibilities, "isKnownIn"> },
  request: Pick<Request, "id" | "target" | "member" | "command">,
  channel: string | null,
): Promise<string | null> {
  const others = (await requests.about(resourceKeyOf(request))).filter(
    ({ id, state }) => state === "planned" && id !== request.id,
  );
  if (others.length === 0) return null;
  const sentences = await Promise.all(
    others.map(async (other) => {
      // Readers of this channel learn only the time of an act that was requested in private.
      const mayBeNamed = other.member === request.member || (await visibilities.isKnownIn(channel, other));
      return mayBeNamed
        ? `${titleOf(other)} ${moment(other.planned?.at ?? 0)}, by <@${other.slackUser}>`
        : `another act ${moment(other.planned?.at ?? 0)}`;
    }),
  );
  return `Planned for the same as well: ${listing(sentences)}.`;
}

/** Offers to schedule the same act for the next opening of a maintenance window. Secrets must be typed again. */
export function waitForWindow(
  { bound, act, originator }: Pick<Proposal, "bound" | "act" | "originator">,
  opens: number,
): Step[] {
  const { operation } = bound;
  const secret = fieldsOf(operation.input).filter(isSecret);
  const open = Object.entries(act.input).filter(([name]) => !secret.some((field) => field.name === name));
  const input = z.record(z.string(), z.json()).safeParse(withResolvedTime(Object.fromEntries(open), opens));
  if (!act.target || !input.success) return [];
  const { command } = operation;
  const plan = { label: "Schedule it for then", command, target: act.target.id, input: input.data };
  return [{ ...plan, originator, style: "primary" }];
}

/** Milliseconds. A scheduled request that cannot begin within this time ends: nobody expects it later. */
const latestStart = 15 * 60_000;

/** The scheduled time as a fact of the decision. */
export function scheduleFact({ planned }: Pick<Request, "planned">): Fact[] {
  if (!planned) return [];
  return [{ label: "When", value: `${moment(planned.at)} ${planned.said}`.trim() }];
}

/** Describes the state of a scheduled request. */
export function scheduleWords({ planned }: Pick<Request, "planned">): string {
  if (!planned) return "It is scheduled.";
  const when = `It is scheduled for ${moment(planned.at)}.`;
  return `${when} ${planned.said}`.trim();
}

/** The promise below every scheduled request. */
const schedulePromise = `Who asked, who approved it, their keys, the rules and the facts are checked again then. If anything changed, or it cannot begin within ${duration(latestStart)}, nothing is done and that is told here.`;

/** The text of the audit entry. */
function scheduleNote(at: number): string {
  return `Scheduled for ${moment(at)}.`;
}

/** The notes and buttons of a scheduled request. */
export function scheduleBlocks(request: Request, blockId = "planned"): Block[] {
  const { notice, mode } = request;
  // The notice of the pending message no longer applies. A request that nobody decided had no such message.
  return [
    ...(notice !== null && mode === "none" ? [context(notice)] : []),
    context(schedulePromise),
    ...actions(scheduleButtons(request), blockId),
  ];
}

export function scheduleButtons({ id }: Pick<Request, "id">) {
  return [button("Move…", rescheduleAction, id), button("Withdraw", withdrawAction, id)];
}

/** A row in the list of schedules, reduced to the parts that its reader may see. */
export function scheduleRow({ request, visibility }: VisibleRequest): Block[] {
  if (visibility !== "whole") return partlyVisible({ request, visibility });
  const { id, planned, slackUser, approvals, consequence } = request;
  const approved = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const by = approved.length > 0 ? `, approved by ${listing(approved)}` : "";
  const line = `*${titleOf(request)}* · ${moment(planned?.at ?? 0)} · asked by <@${slackUser}>${by}`;
  return [section(`${line}\n${consequence}`), ...actions(scheduleButtons(request), `planned:${id}`)];
}

/** The reply when a scheduled request begins. */
export function startMessage(request: Request): Message {
  const text = `:arrow_forward: ${titleOf(request)}: it starts now, as it was planned. All was found as it was decided.`;
  return { text, blocks: [section(text)] };
}

/** The reply after a request was rescheduled. It mentions the approvers. */
export function rescheduledMessage({ slackUser, planned, approvals, state, mention }: Request): Message {
  const to = moment(planned?.at ?? 0);
  const words = planned?.movedFrom ? `moved it from ${moment(planned.movedFrom)} to ${to}` : `put it off until ${to}`;
  const again = state === "pending" ? " It must be approved for that time, and is not done before." : "";
  const called = state === "pending" ? (mention ?? "") : approvals.map(({ slackUser: by }) => `<@${by}>`).join(" ");
  const text = `:calendar: <@${slackUser}> ${words}.${again} ${called}`.trim();
  return { text, blocks: [section(text)] };
}
