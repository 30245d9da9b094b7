import * as z from "#zod";
import { PersonMarks } from "../members/identities/person.ts";
import { PeopleList } from "../members/people/people-list.ts";
import { Origin } from "../messages/origin.ts";

import { StoredEffect } from "../operation/effects.ts";

import { identityWords } from "../operation/identity.ts";

import { isResold } from "../operation/registry.ts";
import type { WebhookEventName } from "../platform/reseller/events.ts";
import { RuleStep, StoredPrice } from "../policy/rule.ts";
import { PlainText } from "../process/plain-text.ts";
import { moment } from "../views/format.ts";
import { code, prose } from "../views/text.ts";
import { ProposingAgent } from "./facets/agent/record.ts";
import { Approvers } from "./facets/approvers/record.ts";
import { BackupFirst, backupWords, madeWords } from "./facets/backup-first/record.ts";
import { Bulk } from "./facets/bulk/record.ts";
import { Deferral } from "./facets/defer/record.ts";
import { ExpectedEventsFacet } from "./facets/events/record.ts";
import { Job } from "./facets/job/record.ts";
import { LaterAct } from "./facets/later-acts/record.ts";
import { LowerableAmount } from "./facets/narrow/record.ts";
import { Override } from "./facets/override/record.ts";
import { PartOf } from "./facets/part/record.ts";
import { Proof } from "./facets/passkey/record.ts";
import { Protected } from "./facets/protection/record.ts";
import { Schedule } from "./facets/schedule/record.ts";
import { NextStep } from "./next-step.ts";
import { ShownPreconditions, StoredFact, StoredIdentity } from "./preconditions.ts";
import { isBeforeMainAct, stateNames, states } from "./states.ts";

/** With the marks of the person then, and in `key` the label of the key that they held. */
const Approval = PersonMarks.extend({ member: z.string(), slackUser: z.string(), at: z.number(), key: PlainText });
export type Approval = z.infer<typeof Approval>;
const IdAndName = z.object({ id: z.string(), name: PlainText });

const Relocation = z.object({ from: IdAndName.nullable(), to: IdAndName, nouns: z.array(z.string()) });
const IdentityOfTarget = StoredIdentity.extend({ project: IdAndName.nullable() });

/** The member who asks, and the account, project and key that it must run with, even if the member links or chooses another by then. */
const Requester = z.object({
  member: z.string(),
  slackUser: z.string(),
  /** The user of the member's customer key; null without one. */
  platformUser: z.string().nullable(),
  account: z.string().nullable(),
  project: IdAndName.nullable(),
  keyId: z.string(),
  keyLabel: PlainText,
});

/** The input: every part is sealed, and erased when it is no longer needed. */
const StoredInput = z.object({
  sealed: z.string().nullable(),
  /** Without secrets, for asking again after a denial. Null if it was empty, or the act was done. */
  again: z.string().nullable(),
  /** Names of inputs that Rackbell generated. The requester sees their values once. */
  generated: z.array(z.string()),
  /** Digests of the values without secrets, by name. They stay: an earlier message that offers this very act has to know it. */
  marks: z.record(z.string(), z.string()),
});

/** The facts that are shown before somebody decides, read when it was requested. */
const ShownReview = z.object({
  described: z.array(StoredFact),
  /** The loss or price, and each warning, as sentences. Views take them from `lossText` or show each: never a part of them. */
  loss: z.array(z.string()),
  /** The labels of the deciding button and of the one that cancels: the act and the resource. The price follows in the first. */
  press: PlainText,
  /** The price of an hour or a month in words, if no sum is known. */
  rate: z.string().nullable(),
  back: PlainText,
  preconditions: ShownPreconditions,
  shown: z.array(StoredFact),
  personal: z.array(StoredFact),
});

/** The form that corrects it, or adds to it. */
const FormOfRequest = z.object({
  /** The platform's complaints, by field. */
  faults: z.record(z.string(), z.string()),
  /** The inputs with a secret, which the requester enters again. */
  secrets: z.array(z.string()),
  /** The refusal was about something else, such as the credit: the same may be asked again as it is. */
  fits: z.boolean(),
  /** Any refusal can be corrected, even one that names no field: an order has many. */
  always: z.boolean(),
  /** The amount that may be lowered; null without one. */
  amount: LowerableAmount.nullable(),
  /** How many things are in it, such as products of an order, of which some may be taken out. */
  rows: z.number(),
  /** The button that adds one more thing to it; null if it takes no more. */
  add: z.string().nullable(),
});

/** The demands of the approval rules. They are applied again at each decision, and before it runs. */
const StoredRuling = z.object({
  /** The rule in words; null if none applies. */
  rule: z.string().nullable(),
  /** True if the rule allows an emergency override. */
  overridable: z.boolean(),
  /** An admin must be among the approvers: it moves something to a project where more is allowed. */
  admin: z.boolean(),
  /** A rule asks for a passkey of everybody who decides it. */
  passkey: z.boolean(),
  /** Moves between projects, if approval rules name projects. */
  relocations: z.array(Relocation),
  /** The Slack users whom the rules let approve it; null if they name none. */
  approvers: z.array(z.string()).nullable(),
  /** The people whom the rules notify; null if they name none. */
  notify: PeopleList.nullable(),
  /** The steps that notify others while nobody has decided, the earlier one first. */
  steps: z.array(RuleStep),
  /** Milliseconds in which it can be decided; null if the rules do not say. */
  expiresAfter: z.number().nullable(),
});

/** A sending whose outcome stayed unknown, or that was not done so far, and those who decided it: they are named if it was done after all. */
const FirstSending = z.object({
  found: z.enum(["unknown", "not done"]),
  approvals: z.array(Approval),
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
});

/**
 * An act that a member wants, from the proposal to the last message. It is stored before anything is sent, so that no
 * crash loses it. Beside its core it has a facet for each part that only some requests have; without one it is null.
 */
export const Request = z.object({
  /** Also its idempotency key and external reference at the platform. */
  id: z.string(),
  /** `states.ts` says what each is, and how a request comes from one to the next. */
  state: z.enum(stateNames),
  /** Counts its steps. */
  version: z.number(),
  createdAt: z.number(),
  /**
   * The end of the wait for a decision. Of a scheduled request it is the latest start. Its start sets it to that moment, so that a refusal
   * does not reopen a decision of long ago.
   */
  expiresAt: z.number(),
  changedAt: z.number(),

  requester: Requester,
  /** The member who wanted it first, if another member took it over. They never approve it. */
  originator: z.string().nullable(),
  /** The requester's reason; empty without one. */
  reason: PlainText,

  api: z.enum(["customer", "reseller"]),
  command: z.string(),
  verb: PlainText,
  /** The acts that it does, and the kinds of resource that it may do them to: approval rules and guards go by these. */
  acts: z.array(z.string()),
  kinds: z.array(z.string()),
  risk: z.enum(["change", "spend", "destroy"]),
  target: IdAndName.nullable(),
  /**
   * The facts by which people know the target, as they were when it was requested: a difference that matters voids the request. Without a
   * target it has the project alone, which is null if unknown.
   */
  identity: IdentityOfTarget,
  input: StoredInput,
  /** Null if it costs nothing; "unknown" if the platform names no price. */
  price: StoredPrice.or(z.literal("unknown")).nullable(),
  review: ShownReview,
  /** The state before the act, as reconciling compares with it. */
  before: z.json(),
  /** The states that it leads to; those of the backup are in its facet. */
  effects: z.array(StoredEffect),

  /** The interaction in which it was requested, or the requester's last press. */
  origin: Origin,
  /** The channel of its public message; null for the requester's direct messages. */
  channel: z.string().nullable(),
  /** A small note below the pending message. */
  notice: z.string().nullable(),

  ruling: StoredRuling,
  /** `none`: it runs at once, without a decision. `self`: the requester confirms. `peer`: others approve. */
  mode: z.enum(["none", "self", "peer"]),
  /** The number of approvals by others that it needs. */
  needed: z.number(),
  /** The approvals so far. */
  approvals: z.array(Approval),
  /** Requests for the same that the presser saw: they want a second one. */
  repeats: z.array(z.string()),
  /** The member who approved (as the last of several), denied or withdrew it, and when. */
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),

  /** The store instance of the process that claimed it. */
  instance: z.string().nullable(),
  /** When the attempt ended. A late effect of the call counts from here. */
  attemptedAt: z.number().nullable(),
  /** Its first sending, if that may still have its effect. A press sends it again under the same id, which the platform takes once. */
  unsettled: FirstSending.nullable(),
  /**
   * When it came to wait for a decision again without a press for that: those who decide, and its requester, are notified. `erased`: approvals
   * were erased with that.
   */
  reopened: z.object({ at: z.number(), erased: z.boolean() }).nullable(),
  /** How often the unknown outcome was checked; 0 if it was never unknown. */
  looks: z.number(),
  /** The outcome, or the reason for the present state, in mrkdwn. */
  outcome: z.string(),
  /** The outcome as the requester alone may read it, if a balance may be in it; else null. */
  ownOutcome: z.string().nullable(),
  /** The one-time secrets that its requester was offered, as a noun in mrkdwn; null if there were none. */
  offered: z.string().nullable(),
  /** The platform accepted it and never says how it ends. */
  endUnknown: z.boolean(),
  next: z.array(NextStep),
  /** The next steps that members did since. */
  laterActs: z.array(LaterAct),
  /** The supplier's id of the order that it made. */
  order: z.string().nullable(),
  /** The partner's own id of the buyer; null if it is unknown. */
  customer: z.string().nullable(),

  /** A member's agent proposed it. */
  agent: ProposingAgent.nullable(),
  /** It has many targets, which are stored apart. */
  bulk: Bulk.nullable(),
  /** It does a part of another request, which notifies for it: one target of a bulk request, or the backup first. */
  part: PartOf.nullable(),
  /** Others decide it. */
  approvers: Approvers.nullable(),
  /** Somebody who decides it deferred it. */
  deferred: Deferral.nullable(),
  /** Somebody was asked for a passkey. */
  proof: Proof.nullable(),
  /** The emergency overrides, each for one attempt. */
  overrides: z.array(Override),
  /** It destroys a protected resource, as far as its message shows it: each press reads the protections again. */
  protection: Protected.nullable(),
  /** It is decided now, and runs later. */
  schedule: Schedule.nullable(),
  /** The backup that comes first, or could. */
  backupFirst: BackupFirst.nullable(),
  /** Its own input can be corrected; null for one with many targets. */
  form: FormOfRequest.nullable(),
  /** The platform goes on with it. */
  job: Job.nullable(),
  /** The supplier's events about it. */
  events: ExpectedEventsFacet.nullable(),
});
export type Request = z.infer<typeof Request>;
/** A request that no step has stored yet. */
export type NewRequest = Omit<Request, "state">;
/** A change of anything but the state: that is a step's alone. */
export type Amendment = Partial<NewRequest> & { state?: never };

/**
 * Names the act and its target: "Reinstall `web-1`". A resold service is marked, since the requester may have one of that name themselves.
 */
export function titleOf(request: Pick<Request, "verb" | "target"> & { command?: string }): string {
  const sold = isResold(request.command ?? "") ? " (resold)" : "";
  const verb = prose(request.verb);
  return request.target ? `${verb} ${code(request.target.name)}${sold}` : verb;
}

/** The title with the scheduled time, for a text that stands without the facts: on a phone, a notification has no other time. */
export function timedTitle(request: Parameters<typeof titleOf>[0] & Pick<Request, "schedule">): string {
  const { schedule } = request;
  return `${titleOf(request)}${schedule ? `, scheduled for ${moment(schedule.at)}` : ""}`;
}

/** The request as its requester alone may read it. */
export function ownView(request: Request): Request {
  return { ...request, outcome: request.ownOutcome ?? request.outcome };
}

/** The Slack id of the person who decided it. A member who types what runs at once decides it by that; their agent decides nothing. */
export function decider({ decidedBy, mode, agent, requester }: Request): string | null {
  return decidedBy ?? (mode === "none" && agent === null ? requester.slackUser : null);
}

/** All that is lost, interrupted or charged, as one text, with the backup that comes first if somebody chose it. */
export function lossText(
  request: { review: Pick<Request["review"], "loss"> } & Pick<Request, "verb" | "target" | "backupFirst">,
): string {
  return [...request.review.loss, ...chosenBackup(request).map((backup) => backupWords(backup, request))].join(" ");
}

/** A sentence of a loss that only repeats the title: an act without any loss has no other. */
function repeatsTitle({ verb, target }: Pick<Request, "verb" | "target">, sentence: string): boolean {
  return sentence === `${titleOf({ verb, target })}.`;
}

/** The sentences of the loss that say more than a title beside them. */
export function lossBesideTitle(request: Pick<Request, "verb" | "target" | "review">): string[] {
  return request.review.loss.filter((sentence) => !repeatsTitle(request, sentence));
}

/** The same as `lossText` where the title stands beside it. `lead`: before the text, if there is any. */
export function lossAfterTitle(
  request: Pick<Request, "verb" | "target" | "review" | "backupFirst">,
  lead = "",
): string {
  const text = lossText({ ...request, review: { loss: lossBesideTitle(request) } });
  return text === "" ? "" : `${lead}${text}`;
}

/** The backup that comes first, if it was chosen and is not under way yet. */
export function chosenBackup({ backupFirst }: Pick<Request, "backupFirst">): BackupFirst[] {
  return backupFirst?.step === "chosen" ? [backupFirst] : [];
}

/** That nothing was done, or of a request whose act was refused before: that its backups exist. */
export function nothingDone({ target, backupFirst }: Pick<Request, "target" | "backupFirst">): string {
  const made = madeWords(backupFirst);
  return made === "" ? "Nothing was done." : `${target ? code(target.name) : "All else"} is as it was.${made}`;
}

/** A refusal says that nothing was done, which the outcome says better. */
export function bareFact(fact: string): string {
  return fact.replaceAll(/ Nothing was done\.(?= |$)/g, "");
}

/**
 * The outcome of a request that ends before its act is sent. Of one that was sent once, it is the fact alone: the table adds that its
 * outcome is unknown, and "nothing was done, ask again" would lead to a second order.
 */
export function unsentOutcome(
  request: Pick<Request, "target" | "backupFirst" | "unsettled">,
  fact: string,
  advice = "Ask again if you still need it.",
): string {
  if (request.unsettled) return bareFact(fact);
  return [bareFact(fact), nothingDone(request), ...(advice === "" ? [] : [advice])].join(" ");
}

/** The facts by which people know its target; null without one. A project is not said to be in itself. */
export function shownIdentity({ target, identity }: Pick<Request, "target" | "identity">): Request["identity"] | null {
  if (!target) return null;
  return identity.project?.id === target.id ? { ...identity, project: null } : identity;
}

/** The machine that it is about, in one line: its project, address, host name and location. Without one, the project of what it makes. */
export function identityLine(request: Pick<Request, "target" | "identity" | "requester">): string {
  const { target, identity, requester } = request;
  const shown = shownIdentity(request);
  // A row that names no project was read in the one that the requester works in.
  const isItself = target !== null && identity.project?.id === target.id;
  const project = shown?.project ?? (isItself ? null : requester.project && (identity.project ?? requester.project));
  if (target && shown) return identityWords({ ...shown, project }, target.name);
  return project ? `in project ${code(project.name)}` : "";
}

export function hasChosenBackup(request: Pick<Request, "backupFirst">): boolean {
  return chosenBackup(request).length > 0;
}

/** The decision that a request waits for, as a noun. */
export function decisionNoun({ mode }: Pick<Request, "mode">): "approval" | "confirmation" {
  return mode === "peer" ? "approval" : "confirmation";
}

/** Milliseconds in which it can be decided: as the rules say, else as every request. */
export function timeToDecide({ ttl }: { ttl: number }, { ruling }: Pick<Request, "ruling">): number {
  return ruling.expiresAfter ?? ttl;
}

/** True if only the requester sees it: a price is private, and a confirmation concerns nobody else before the act. */
export function isForRequesterAlone({ risk, mode }: Pick<Request, "risk" | "mode">): boolean {
  return risk !== "destroy" && mode === "self";
}

/** It waits for its decision or its scheduled time: it can be called off, and no part of it is at the platform. */
export function isWaiting({ state }: Pick<Request, "state">): boolean {
  return !hasEnded({ state }) && !states[state].sent;
}

/** It ended before anything was sent. A refusal comes after the sending. */
export function hasEndedUnsent({ state }: Pick<Request, "state">): boolean {
  return hasEnded({ state }) && states[state].result === null;
}

export function hasEnded({ state }: Pick<Request, "state">): boolean {
  return states[state].phase === "ended";
}

/** It waits for a decision, its scheduled time or its run, or its outcome is unknown. */
export function isOpen({ state }: Pick<Request, "state">): boolean {
  return !hasEnded({ state }) && states[state].phase !== "working";
}

/** The backup is under way; the act follows without another press. */
export function isBackingUp(request: Pick<Request, "backupFirst" | "state">): boolean {
  return request.state === "working" && isBeforeMainAct(request);
}

/** It was tried and had no effect: the platform refused it, or it was not sent. */
export function wasNotDone({ state }: Pick<Request, "state">): boolean {
  return state === "refused" || state === "undone";
}

/** True if the act may have reached the platform. A backup before it does not count. */
export function wasSent({
  state,
  backupFirst,
  unsettled,
}: Pick<Request, "state" | "backupFirst" | "unsettled">): boolean {
  return !isBeforeMainAct({ backupFirst }) && (unsettled !== null || states[state].sent);
}

/** The platform id that its webhook events name. Test events name nothing, so they match by their event name. */
export function eventSubjectOf({ events, target, id }: Pick<Request, "events" | "target" | "id">): string {
  return events?.first.includes(testEvent) ? testEvent : (target?.id ?? id);
}

const testEvent: WebhookEventName = "webhook.test";

/** It was sent, and its webhook events may still arrive. */
export function mayReceiveEvents(request: Pick<Request, "events" | "state" | "backupFirst" | "unsettled">): boolean {
  return wasSent(request) && request.events !== null && !request.events.over;
}

/** It was decided for a scheduled time, whether that has come or not. */
export function wasScheduled({ schedule }: Pick<Request, "schedule">): boolean {
  return schedule !== null && schedule.since !== null;
}

/** It ended before it began, and not by the requester, or was refused: they may want to ask again, or correct it. */
export function canBeAskedAgain(request: Request): boolean {
  return request.part === null && (states[request.state].again || isCorrectable(request));
}

/** It was refused, and its form can be sent again, corrected unless it fits. A first sending may still have its effect: what is corrected would be a second order. */
export function isCorrectable({ state, form, unsettled, attemptedAt, mode, input }: Request): boolean {
  // An act that ran at once keeps no values for a form.
  if (form === null || unsettled !== null || (mode === "none" && input.again === null)) return false;
  if (!wasNotDone({ state }) && (state !== "pending" || attemptedAt === null)) return false;
  return form.always || form.fits || Object.keys(form.faults).length > 0;
}

/** True while its requester can add to it. */
export function takesMore({ state, form, unsettled, attemptedAt, agent }: Request): boolean {
  return state === "pending" && form?.add != null && unsettled === null && attemptedAt === null && agent === null;
}

/** True if others see it: from the start if they decide it, else once it had an effect. */
export function isPublic(request: Request): boolean {
  if (request.mode !== "none" && !isForRequesterAlone(request)) return true;
  // Others saw the outcome as unknown, so they must also see how it was cleared up.
  if (request.mode === "none" && (request.state === "unknown" || request.looks > 0)) return true;
  return wasScheduled(request) || states[request.state].accepted;
}

/** True as long as nobody but the requester has seen it. */
export function isSeenByRequesterAlone(request: Request): boolean {
  return isForRequesterAlone(request) && !isPublic(request);
}

/** A request with several targets. */
export type BulkRequest = Request & { bulk: Bulk };

export function isBulk(request: Request): request is BulkRequest {
  return request.bulk !== null;
}

/** A bulk request that is working through its targets. */
export function isBulkWorking<R extends Pick<Request, "bulk" | "state">>(request: R): request is R & { bulk: Bulk } {
  return request.bulk !== null && request.state === "working";
}

/** A member, by their stored id and Slack id. */
export type MemberRef = Pick<Origin, "member" | "slackUser">;

/**
 * The key of the resource, or of all targets of a bulk request. Of two requests with the same key, one runs at a time. A bulk request checks
 * each target by itself when its turn comes, so two with different targets need not wait for each other.
 */
export function resourceKeyOf({
  target,
  bulk,
  requester: { member },
  command,
}: Pick<Request, "target" | "bulk" | "requester" | "command">): string {
  if (target) return target.id;
  // Of the same machines: two commands may do one act.
  return bulk ? `${member} ${bulk.digest}` : `${member} ${command}`;
}

/**
 * The requester's latest interaction replaces the stored one: Slack updates private messages through it only for a while. The public place
 * stays.
 */
export function newestOf(request: Request, origin: Origin): Amendment {
  const { channel, thread, alert } = request.origin;
  return origin.member === request.requester.member ? { origin: { ...origin, channel, thread, alert } } : {};
}
