import * as z from "zod";
import type { EventName } from "../../platform/reseller/events.ts";
import { Origin } from "../answers/origin.ts";
import { Limit } from "../policy/rule.ts";
import { Bulk, Part } from "./bulk/record.ts";

const Fact = z.object({ label: z.string(), value: z.string() });
const Approval = z.object({ member: z.string(), slackUser: z.string(), at: z.number() });
export type Approval = z.infer<typeof Approval>;
const Named = z.object({ id: z.string(), name: z.string() });

/** What can be done next, as it is kept with an outcome. */
const KeptStep = z.object({
  label: z.string(),
  command: z.string(),
  target: z.string().optional(),
  input: z.record(z.string(), z.json()).optional(),
  style: z.enum(["primary", "danger"]).optional(),
  replace: z.boolean().optional(),
  until: z.number().optional(),
});

/**
 * The copy that can be taken first (design section 4): the same request then takes it, finds that it is there, reads the facts again,
 * and only then does what was asked. Every step is stored before it is taken.
 */
export const Copy = z.object({
  /** The operation that takes it. */
  command: z.string(),
  label: z.string(),
  /** What is said of it: in whole, in half a sentence, and how old the newest one is. */
  words: z.string(),
  brief: z.string(),
  newest: z.string(),
  /** What a plan calls its step. */
  title: z.string(),
  /** What it is called at the platform. */
  name: z.string(),
  step: z.enum([
    // It can be chosen; the first of two approvers chose it.
    "offered",
    "chosen",
    // It is being taken; it is there, and the act comes next; the act was begun.
    "taking",
    "taken",
    "acting",
  ]),
  /** What its reconcile compares with, and what its poll is given. */
  before: z.json(),
  handle: z.json(),
  /** The ways back by it, once it is there. */
  next: z.array(KeptStep),
});
export type Copy = z.infer<typeof Copy>;

/** What goes on at the platform after an accepted call, and is followed (design section 7). */
export const Job = z.object({
  /** What the operation's poll is given. */
  handle: z.json(),
  since: z.number(),
  /** How far it is. */
  text: z.string(),
  /** Polls in a row that the platform did not answer. */
  misses: z.number(),
  endedAt: z.number().nullable(),
  /** The steps of a long job, where the platform shows them. */
  plan: z
    .object({ stages: z.array(z.string()), at: z.number() })
    .nullable()
    .default(null),
});
export type Job = z.infer<typeof Job>;

/** When it is done, where that is put off: it is decided now, and waits. */
const Planned = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Whose clock it was said by: the time zone of who asked, by its IANA name. */
  zone: z.string(),
  /** What had to be made clear of what was said: that it is tomorrow, that a time comes twice. */
  said: z.string(),
  /** Since when it is decided and waits for that; null while it is not decided. */
  since: z.number().nullable(),
  /** When it was begun; null while it waits. */
  begunAt: z.number().nullable(),
  /** How often it was moved, and when to before the last time. */
  moves: z.number(),
  movedFrom: z.number().nullable(),
});
export type Planned = z.infer<typeof Planned>;

/** An event of the supplier's that came of it, as it is told under its message. */
const Heard = z.object({
  id: z.string(),
  event: z.string(),
  at: z.number(),
  /** mrkdwn. */
  line: z.string(),
});
export type Heard = z.infer<typeof Heard>;

/**
 * Something that a member wants done, from the moment that it is asked until its end is told (design section 4). It is written
 * before anything is sent, so that whatever dies, what was done is known. Its input is sealed, and erased when it is decided.
 */
export const Request = z.object({
  v: z.literal(5),
  /** What its run is known by at the platform, too (idempotency key, external reference). */
  id: z.string(),
  state: z.enum([
    // Open: it waits for a decision; it was taken in hand; nobody knows what came of it.
    "pending",
    "claimed",
    "unknown",
    // It is decided, and its time has not come.
    "planned",
    // It was accepted, and goes on at the platform.
    "working",
    // It was done; it was accepted and failed; it was accepted and is no longer followed.
    "done",
    "failed",
    "left",
    // Nothing was done; nobody could find out.
    "refused",
    "undecided",
    "expired",
    "denied",
    "withdrawn",
    "void",
  ]),
  /** `none`: it is done at once and never waits for a press. */
  mode: z.enum(["none", "self", "peer"]),
  /** How many others must approve it. */
  needed: z.number(),
  /** Those who did. */
  approvals: z.array(Approval),
  /** The rule that wants it so, in words; null where none does. */
  rule: z.string().nullable(),
  /** An admin may run it without that. */
  breakable: z.boolean(),
  /** Who did, why, and the other admin who has looked at it since. */
  glass: z.object({ slackUser: z.string(), reason: z.string(), reviewedBy: z.string().nullable() }).nullable(),
  /** What it costs, where it costs anything. */
  price: z.union([Limit, z.literal("unknown")]).nullable(),
  /** The project that its thing is in, by name; null where that is not told. */
  within: z.string().nullable(),
  risk: z.enum(["change", "spend", "destroy"]),
  api: z.enum(["customer", "reseller"]),
  command: z.string(),
  verb: z.string(),
  /** The requester, and what they are pinned to. */
  member: z.string(),
  slackUser: z.string(),
  /** Of the requester's customer key; null where they have none. */
  platformUser: z.string().nullable(),
  account: z.string().nullable(),
  /** It runs in the project that it was made in, whatever the requester works in by then. */
  project: Named.nullable(),
  keyId: z.string(),
  keyLabel: z.string(),
  target: Named.nullable(),
  /** What is asked of many at once; its targets are kept beside it. */
  bulk: Bulk.nullable().default(null),
  /** What is done to one of many: it is told with the whole. */
  part: Part.nullable().default(null),
  sealed: z.string().nullable(),
  /** Inputs of the sealed ones that were generated, to be shown to the requester once. */
  generated: z.array(z.string()),
  /** Why it is asked, in the asker's words; empty where they gave none. */
  reason: z.string(),
  /** Who wanted it and could not, where somebody else took it over: they never approve it. */
  originator: z.string().nullable(),
  described: z.array(Fact),
  consequence: z.string(),
  /** The words on the button that does it, and on the one that backs out: the act and the thing. */
  press: z.string(),
  back: z.string(),
  material: z.array(Fact),
  shown: z.array(Fact),
  personal: z.array(Fact),
  before: z.json(),
  /** Where it was asked, or last pressed by who asked. */
  origin: Origin,
  /** Where its public message belongs; null: the requester's direct messages. */
  channel: z.string().nullable(),
  /** What stands under it in small while it waits: where else it is, who is missing. */
  notice: z.string().nullable(),
  /** Who is called to decide it: mentions. */
  mention: z.string().nullable(),
  /** When they were called once more. */
  remindedAt: z.number().nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
  changedAt: z.number(),
  /** Who pressed, denied or withdrew it, and when. */
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  /** The opening of the store that has it in hand. */
  instance: z.string().nullable(),
  /** When the one attempt to run it ended, as far as is known: a late write is waited for from here. */
  attemptedAt: z.number().nullable(),
  /** What came of it, or why it is where it is: mrkdwn. */
  outcome: z.string(),
  /** The draft that it was filled in as, and what the platform said was wrong with which field of it: it can be put right. */
  draft: z.string().nullable().default(null),
  faults: z.record(z.string(), z.string()).default({}),
  /** The copy that comes first, or could; null where none can be taken. */
  copy: Copy.nullable(),
  /** When it is done; null: as soon as it is decided. */
  planned: Planned.nullable().default(null),
  next: z.array(KeptStep),
  /** The one-time secrets that came of it. */
  secret: z.string().nullable(),
  job: Job.nullable(),
  /** The supplier's events that come of it; `over`: none is waited for any more. */
  expects: z
    .object({
      first: z.array(z.string()),
      later: z.array(z.string()),
      failing: z.array(z.string()),
      over: z.boolean(),
      awaited: z.object({ waits: z.string(), came: z.string(), missing: z.string() }).nullable().default(null),
    })
    .nullable()
    .default(null),
  /** The order at the supplier that came of it. */
  order: z.string().nullable().default(null),
  /** Whom it is sold to, by the partner's own id, where that is known. */
  customer: z.string().optional(),
  heard: z.array(Heard).default([]),
  /** When it was said that none came in its time. */
  overdueAt: z.number().nullable().default(null),
  /** How often an unknown outcome has been looked at; 0 where it was never unknown. */
  looks: z.number(),
});
export type Request = z.infer<typeof Request>;
export type RequestState = Request["state"];

/** Whether it is asked of its asker alone: a price is nobody else's, and what is only confirmed concerns nobody before it is done. */
export function isAskedAlone({ risk, mode }: Pick<Request, "risk" | "mode">): boolean {
  return risk !== "destroy" && mode === "self";
}

/** It waits for a decision, for its time, for its run, or for somebody to find out what came of it. */
export function isOpen({ state }: Pick<Request, "state">): boolean {
  return state === "pending" || state === "claimed" || state === "unknown" || state === "planned";
}

/** The copy that comes first is being taken, or was: the thing itself is untouched. */
export function isBeforeAct({ copy }: Pick<Request, "copy">): boolean {
  return copy?.step === "taking" || copy?.step === "taken";
}

/** It goes on with the copy, and would do what was asked by itself. */
export function isCopying(request: Pick<Request, "copy" | "state">): boolean {
  return request.state === "working" && isBeforeAct(request);
}

/** The command of what is in hand: of the copy that comes first while that is taken, else of what was asked. */
export function commandInHand({ command, copy }: Pick<Request, "command" | "copy">): string {
  return copy?.step === "taking" ? copy.command : command;
}

/** What the reconcile of what is in hand compares with. */
export function beforeInHand({ before, copy }: Pick<Request, "before" | "copy">): Request["before"] {
  return copy?.step === "taking" ? copy.before : before;
}

/** The glass was broken for it, and no other admin has looked at it yet. */
export function isToReview({ glass }: Pick<Request, "glass">): boolean {
  return glass !== null && glass.reviewedBy === null;
}

/** What was asked reached the platform, as far as anybody knows: of a copy that comes first nobody hears. */
export function wasSent({ state, copy }: Pick<Request, "state" | "copy">): boolean {
  return (
    !isBeforeAct({ copy }) && ["claimed", "unknown", "working", "done", "failed", "left", "undecided"].includes(state)
  );
}

/** What an event that comes of it is about. A test event is about nothing but itself. */
export function expectedAbout({ expects, target, id }: Pick<Request, "expects" | "target" | "id">): string {
  return expects?.first.includes(testEvent) ? testEvent : (target?.id ?? id);
}

const testEvent: EventName = "webhook.test";

/** It was sent, and an event of the supplier's may still come of it. */
export function mayBeHeardOf(request: Pick<Request, "expects" | "state" | "copy">): boolean {
  return wasSent(request) && request.expects !== null && !request.expects.over;
}

/** It was decided, and waits for its time or waited for it. */
export function wasPlanned({ planned }: Pick<Request, "planned">): boolean {
  return planned !== null && planned.since !== null;
}

/** Many are worked on, one after the other. */
export function isBulkAtWork<R extends Pick<Request, "bulk" | "state">>(request: R): request is R & { bulk: Bulk } {
  return request.bulk !== null && request.state === "working";
}

/** What it is about: of two requests about one thing one goes on at a time. */
export function thingOf({ target, member, command }: Pick<Request, "target" | "member" | "command">): string {
  return target?.id ?? `${member} ${command}`;
}
