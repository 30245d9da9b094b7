import * as z from "zod";
import { Origin } from "../notifications/origin.ts";
import { Take } from "../notifications/take.ts";
import { isResold } from "../operation/registry.ts";
import type { EventName } from "../platform/reseller/events.ts";
import { Price } from "../policy/rule.ts";
import { code } from "../views/text.ts";
import { ProposingAgent } from "./facets/agent/record.ts";
import { BackupFirst } from "./facets/backup-first/record.ts";
import { Bulk, TargetOfBulk } from "./facets/bulk/record.ts";
import { ExpectedEventNames, ReceivedEvent } from "./facets/events/record.ts";
import { Job } from "./facets/job/record.ts";
import { Override } from "./facets/override/record.ts";
import { ProvenBy } from "./facets/passkey/record.ts";
import { Schedule } from "./facets/schedule/record.ts";
import { NextStep } from "./next-step.ts";
import { ShownPreconditions } from "./preconditions.ts";
import { stateNames, states } from "./states.ts";

const Fact = z.object({ label: z.string(), value: z.string() });
const Approval = z.object({ member: z.string(), slackUser: z.string(), at: z.number() });
export type Approval = z.infer<typeof Approval>;
const IdAndName = z.object({ id: z.string(), name: z.string() });

const Relocation = z.object({ from: IdAndName.nullable(), to: IdAndName, nouns: z.array(z.string()) });
const Identity = z.object({ hostname: z.string().nullable(), project: IdAndName.nullable() });

/**
 * An act that a member wants, from the proposal to the last message (design section 4). It is stored before anything is sent, so that no
 * crash loses it. Its input is sealed, and erased when the request ends.
 */
export const Request = z.object({
  v: z.literal(6),
  /** Also its idempotency key and external reference at the platform. */
  id: z.string(),
  /** `states.ts` says what each is, and how a request comes from one to the next. */
  state: z.enum(stateNames),
  /** `none`: it runs at once, without a decision. `self`: the requester confirms. `peer`: others approve. */
  mode: z.enum(["none", "self", "peer"]),
  /** The number of approvals by others that it needs. */
  needed: z.number(),
  /** The approvals so far. */
  approvals: z.array(Approval),
  /** Counts its steps. */
  version: z.number().default(0),
  /** A rule asks for a passkey of everybody who decides it. */
  passkey: z.boolean().default(false),
  /** Those who decided it with a passkey so far. */
  proven: z.array(ProvenBy).default([]),
  /** The sealed salt of the input's digest; null until a passkey is asked for, and once the input is erased. */
  salt: z.string().nullable().default(null),
  /** The approval rule in words; null if none applies. */
  rule: z.string().nullable(),
  /** True if the rule allows an emergency override. */
  breakable: z.boolean(),
  glass: Override.nullable(),
  /** Null if it costs nothing; "unknown" if the platform names no price. */
  price: Price.or(z.literal("unknown")).nullable(),
  /**
   * The target's host name and project when it was requested: a difference voids the request. The project is null if unknown, and the whole
   * is null in old records.
   */
  identity: Identity.nullable().default(null),
  /** Moves between projects, if approval rules name projects. */
  relocations: z.array(Relocation).default([]),
  /** An admin must be among the approvers: it moves something to a project where more is allowed. */
  admin: z.boolean().default(false),
  risk: z.enum(["change", "spend", "destroy"]),
  api: z.enum(["customer", "reseller"]),
  command: z.string(),
  verb: z.string(),
  /** The requester, and the account and key that it must run with. */
  member: z.string(),
  slackUser: z.string(),
  /** The user of the requester's customer key; null without one. */
  platformUser: z.string().nullable(),
  account: z.string().nullable(),
  /** It runs in this project, even if the requester works in another one by then. */
  project: IdAndName.nullable(),
  keyId: z.string(),
  keyLabel: z.string(),
  target: IdAndName.nullable(),
  /** The facet of a bulk request. Its targets are stored apart. */
  bulk: Bulk.nullable().default(null),
  /** The facet of one target of a bulk request. The bulk request notifies for it. */
  part: TargetOfBulk.nullable().default(null),
  sealed: z.string().nullable(),
  /** The sealed input without secrets, for asking again after a denial. Null if it was empty, or the act was done. */
  again: z.string().nullable().default(null),
  /** Names of inputs that Rackbell generated. The requester sees their values once. */
  generated: z.array(z.string()),
  /** The requester's reason; empty without one. */
  reason: z.string(),
  /** Null if the member asked for it themselves. */
  agent: ProposingAgent.nullable().default(null),
  /** The member who wanted it first, if another member took it over. They never approve it. */
  originator: z.string().nullable(),
  described: z.array(Fact),
  consequence: z.string(),
  /** The labels of the deciding button and of the one that cancels: the act and the resource. */
  press: z.string(),
  back: z.string(),
  preconditions: ShownPreconditions,
  shown: z.array(Fact),
  personal: z.array(Fact),
  before: z.json(),
  /** The interaction in which it was requested, or the requester's last press. */
  origin: Origin,
  /** The channel of its public message; null for the requester's direct messages. */
  channel: z.string().nullable(),
  /** A small note below the pending message. */
  notice: z.string().nullable(),
  /** Mentions of the approvers. */
  mention: z.string().nullable(),
  /** A sentence while fewer members have linked a key that could approve it than it needs; null once there are enough. */
  tooFew: z.string().nullable().default(null),
  /** Members who linked such a key since it was asked, and when they were called. */
  called: z.array(z.object({ slackUser: z.string(), at: z.number() })).default([]),
  /** The member who looks after it. */
  taken: Take.nullable().default(null),
  /** When a stricter rule raised the approvals that it needs: its approvers are called once more. */
  raisedAt: z.number().nullable().default(null),
  /** Requests for the same that the presser saw: they want a second one. */
  repeats: z.array(z.string()).default([]),
  /** When the approvers were reminded. */
  remindedAt: z.number().nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
  changedAt: z.number(),
  /** The member who approved, denied or withdrew it, and when. */
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  /** The store instance of the process that claimed it. */
  instance: z.string().nullable(),
  /** When the attempt ended. A late effect of the call counts from here. */
  attemptedAt: z.number().nullable(),
  /** It was sent, and the outcome stayed unknown. A press sends it again under the same id, which the platform takes once. */
  unsettled: z.boolean().default(false),
  /** The outcome, or the reason for the present state, in mrkdwn. */
  outcome: z.string(),
  /** The wizard's draft, and the platform's complaints by field, so that the requester can correct them. */
  draft: z.string().nullable().default(null),
  faults: z.record(z.string(), z.string()).default({}),
  /** The backup that comes first, or could; null if none is possible. */
  copy: BackupFirst.nullable(),
  /** Null: it runs as soon as it is decided. */
  planned: Schedule.nullable().default(null),
  /** The platform accepted it and never says how it ends. */
  endUnknown: z.boolean().default(false),
  next: z.array(NextStep),
  /** The id of its one-time secrets. */
  secret: z.string().nullable(),
  job: Job.nullable(),
  expects: ExpectedEventNames.nullable().default(null),
  /** The supplier's id of the order that it made. */
  order: z.string().nullable().default(null),
  /** The partner's own id of the buyer, if it is known. */
  customer: z.string().optional(),
  heard: z.array(ReceivedEvent).default([]),
  /** When the requester was notified that no event came in time. */
  overdueAt: z.number().nullable().default(null),
  /** How often the unknown outcome was checked; 0 if it was never unknown. */
  looks: z.number(),
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
  return request.target ? `${request.verb} ${code(request.target.name)}${sold}` : request.verb;
}

/** The decision that a request waits for, as a noun. */
export function decisionNoun({ mode }: Pick<Request, "mode">): "approval" | "confirmation" {
  return mode === "peer" ? "approval" : "confirmation";
}

/** True if only the requester sees it: a price is private, and a confirmation concerns nobody else before the act. */
export function isForRequesterAlone({ risk, mode }: Pick<Request, "risk" | "mode">): boolean {
  return risk !== "destroy" && mode === "self";
}

/** It waits for a decision, its scheduled time or its run, or its outcome is unknown. */
export function isOpen({ state }: Pick<Request, "state">): boolean {
  const { phase } = states[state];
  return phase !== "working" && phase !== "ended";
}

/** The backup is being taken, or was, and the act has not begun. */
export function isBeforeMainAct({ copy }: Pick<Request, "copy">): boolean {
  return copy?.step === "taking" || copy?.step === "taken";
}

/** The backup is under way; the act follows without another press. */
export function isBackingUp(request: Pick<Request, "copy" | "state">): boolean {
  return request.state === "working" && isBeforeMainAct(request);
}

/** The command that runs now: the backup's while it is being taken, else the act's. */
export function currentCommand({ command, copy }: Pick<Request, "command" | "copy">): string {
  return copy?.step === "taking" ? copy.command : command;
}

/** The state that reconciling compares with, for the command that runs now. */
export function currentBefore({ before, copy }: Pick<Request, "before" | "copy">): Request["before"] {
  return copy?.step === "taking" ? copy.before : before;
}

/** True if the act may have reached the platform. A backup before it does not count. */
export function wasSent({ state, copy, unsettled }: Pick<Request, "state" | "copy" | "unsettled">): boolean {
  return !isBeforeMainAct({ copy }) && (unsettled || states[state].sent);
}

/** The platform id that its webhook events name. Test events name nothing, so they match by their event name. */
export function eventSubjectOf({ expects, target, id }: Pick<Request, "expects" | "target" | "id">): string {
  return expects?.first.includes(testEvent) ? testEvent : (target?.id ?? id);
}

const testEvent: EventName = "webhook.test";

/** It was sent, and its webhook events may still arrive. */
export function mayReceiveEvents(request: Pick<Request, "expects" | "state" | "copy" | "unsettled">): boolean {
  return wasSent(request) && request.expects !== null && !request.expects.over;
}

/** It was decided for a scheduled time, whether that has come or not. */
export function wasScheduled({ planned }: Pick<Request, "planned">): boolean {
  return planned !== null && planned.since !== null;
}

/** It ended before it began, and not by the requester: they may want to ask again. */
export function canBeAskedAgain({ state, part }: Pick<Request, "state" | "part">): boolean {
  return part === null && states[state].again;
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

/** A bulk request that is working through its targets. */
export function isBulkWorking<R extends Pick<Request, "bulk" | "state">>(request: R): request is R & { bulk: Bulk } {
  return request.bulk !== null && request.state === "working";
}

/** The key of the resource. Of two requests with the same key, one runs at a time. */
export function resourceKeyOf({ target, member, command }: Pick<Request, "target" | "member" | "command">): string {
  return target?.id ?? `${member} ${command}`;
}

/**
 * The requester's latest interaction replaces the stored one: Slack updates private messages through it only for a while. The public place
 * stays.
 */
export function newestOf(request: Request, origin: Origin): Amendment {
  const { channel, thread, alert } = request.origin;
  return origin.member === request.member ? { origin: { ...origin, channel, thread, alert } } : {};
}
