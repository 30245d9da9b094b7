import type { BoundOperation } from "../members/access/bound.ts";
import type { ScheduledTime } from "../members/access/when.ts";
import type { Origin } from "../messages/origin.ts";
import type { Act } from "../operation/act.ts";
import type { Fact, Review } from "../operation/answer.ts";
import { fieldsOf, secretNames, withoutSecrets } from "../operation/fields.ts";
import type { Identity } from "../operation/identity.ts";
import { replacedWords } from "../operation/interrupts.ts";
import { allRows, type Replacing } from "../operation/leading.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { type PlainText, plainly } from "../process/plain-text.ts";
import { oneLine } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { approversFor, type FoundApprovers } from "./facets/approvers/record.ts";
import { expectedEvents } from "./facets/events/record.ts";
import { lowerableIn } from "./facets/narrow/record.ts";
import { scheduleFor } from "./facets/schedule/record.ts";
import { type NewRequest, type Request, titleOf } from "./request.ts";
import type { Ruled } from "./rules.ts";
import { markOfValue, sealInput } from "./sealed.ts";

/** An act that a member proposes, and the place where they did. */
export interface Proposal {
  bound: BoundOperation;
  act: Act;
  origin: Origin;
  /** Names of inputs that Rackbell generated. Their values are shown once. */
  generated: string[];
  /** The Slack id of the member who wanted it first, if another member took it over. */
  originator?: string | undefined;
  /** The message to colleagues from which it was taken. */
  delegation?: string | undefined;
  /** The request that it takes the place of. */
  replaces?: Replacing | undefined;
  /** The request that it narrows: by whose press (a Slack id), and how, in mrkdwn. */
  narrows?: { request: string; by: string; words: string } | undefined;
  /** The requester answered beforehand what asks first. */
  confirmed?: boolean | undefined;
  /** The scheduled time. Nothing: as soon as it is decided. */
  when?: ScheduledTime | null | undefined;
  /** The facet of a bulk request. */
  bulk?: Request["bulk"];
  /** The member's agent that proposes it. */
  agent?: Request["agent"] | undefined;
}

/** How a request is decided: its review, its level of approval and its place. */
export interface DecisionTerms {
  risk: Request["risk"];
  mode: Request["mode"];
  needed: number;
  ruling: Request["ruling"];
  review: Review;
  identity: Identity | null;
  channel: string | null;
  notice: string | null;
  /** The members who are asked to approve it; null if nobody else decides it. */
  approvers: FoundApprovers | null;
  backupFirst: Request["backupFirst"];
  protection: Request["protection"];
  /** Milliseconds in which the request can be decided. */
  ttl: number;
}

export const noIdentity = {
  hostname: null,
  address: null,
  addressIs: "not of this kind",
  location: null,
  place: null,
} as const;

const noRuling = {
  ...{ rule: null, overridable: false, admin: false, passkey: false, relocations: [] },
  ...{ approvers: null, notify: null, steps: [], expiresAfter: null },
};

/** Settings of a request that nobody decides. */
export function termsWithoutDecision(
  review: Review,
  { identity }: Pick<Act, "identity">,
  { channel }: Pick<Origin, "channel">,
): DecisionTerms {
  return {
    risk: "change",
    mode: "none",
    needed: 0,
    ruling: noRuling,
    review,
    identity,
    channel,
    notice: null,
    approvers: null,
    backupFirst: null,
    protection: null,
    ttl: 0,
  };
}

/** A proposal as the approval rules look at it. `price`: once it was read. */
export function ruledProposal(
  { bound, act, origin, originator, bulk = null, when = null, agent = null }: Omit<Proposal, "generated">,
  price: Request["price"] = null,
) {
  const { operation } = bound;
  return {
    id: act.id,
    requester: requesterOf(bound),
    originator: originator ?? null,
    command: operation.command,
    acts: [...act.acts],
    kinds: [...act.kinds],
    risk: act.risk,
    target: act.target,
    identity: { ...noIdentity, project: act.project },
    origin,
    agent,
    bulk,
    schedule: when && scheduleFor(when),
    price,
    ruling: noRuling,
  } satisfies Ruled;
}

/** The member who asks, with the key that it runs with. */
export function requesterOf({
  actor,
  link,
  links,
}: Pick<BoundOperation, "actor" | "link" | "links">): Request["requester"] {
  return {
    member: actor.member,
    slackUser: actor.slackUser,
    platformUser: links.customer?.user.id ?? null,
    account: links.customer?.account?.id ?? null,
    project: actor.project,
    keyId: link.keyId,
    keyLabel: link.keyLabel,
  };
}

/** A proposal with its input as the request stores it: guards and duplicates look at it before its facts are read. */
export type Draft = ReturnType<typeof draftRequest>;
export function draftRequest(app: Pick<RequestsApp, "seal">, proposal: Proposal) {
  const { bound, act, generated } = proposal;
  // An operation that only reads is never asked first; the type still allows it here.
  const risk = act.risk === "read" ? ("change" as const) : act.risk;
  return {
    ...ruledProposal(proposal),
    api: proposal.bound.operation.api,
    risk,
    input: { sealed: sealInput(app, act.id, act.input), again: null, generated, marks: marksOf(bound.operation, act) },
  };
}

function marksOf({ input: schema }: PlatformOperation, { id, input }: Act): Request["input"]["marks"] {
  const open = Object.entries(withoutSecrets(schema, input));
  return Object.fromEntries(open.map(([name, value]) => [name, markOfValue(id, value)]));
}

/** Makes the record of a proposal. Stores nothing. */
export function createRequest(
  app: Pick<RequestsApp, "seal" | "clock">,
  proposal: Proposal,
  terms: DecisionTerms,
  draft: Draft = draftRequest(app, proposal),
): NewRequest {
  const { bound, act, generated, bulk = null, when = null } = proposal;
  const { operation } = bound;
  const { risk, mode, needed, ruling, review, identity, channel, notice, approvers, backupFirst, protection, ttl } =
    terms;
  const now = app.clock.now();
  // Each target of a bulk request has its own.
  const effects = bulk ? [] : act.effects(review.before);
  return {
    ...draft,
    version: 0,
    createdAt: now,
    // A request that nobody decided by its scheduled time expires: it must not run later.
    expiresAt: Math.min(now + ttl, when?.at ?? Number.POSITIVE_INFINITY),
    changedAt: now,
    reason: act.reason,
    verb: review.title ?? act.verb,
    risk,
    identity: { ...(identity ?? noIdentity), project: act.project ?? identity?.project ?? null },
    input: {
      ...draft.input,
      again:
        mode === "none" && !operation.leading
          ? null
          : sealInput(app, act.id, withoutSecrets(operation.input, act.input)),
    },
    price: review.price,
    review: {
      described: withGenerated(operation, act.described, generated),
      loss: lossOf(operation, act, review, generated),
      press: oneLine(review.press ?? titled(act.verb, act.target)),
      rate: review.rate ?? null,
      back: oneLine(review.back ?? (risk === "destroy" && act.target ? titled("Keep", act.target) : "Not now")),
      preconditions: review.preconditions,
      shown: review.shown,
      personal: review.personal,
    },
    before: review.before,
    effects,
    channel,
    notice,
    ruling,
    mode,
    needed,
    approvals: [],
    repeats: [],
    decidedBy: null,
    decidedAt: null,
    instance: null,
    attemptedAt: null,
    unsettled: null,
    reopened: null,
    looks: 0,
    outcome: "",
    ownOutcome: null,
    offered: null,
    endUnknown: false,
    next: [],
    laterActs: [],
    order: null,
    customer: null,
    part: null,
    approvers: approvers && approversFor(approvers),
    deferred: null,
    proof: null,
    overrides: [],
    protection,
    backupFirst,
    form: bulk ? null : formOf(operation, act, generated),
    job: null,
    events: bulk ? null : expectedEvents(operation, effects),
  };
}

/** All that is lost, interrupted, replaced or charged, a sentence each; the act itself if that is all. */
function lossOf(operation: PlatformOperation, act: Act, review: Review, generated: readonly string[]): string[] {
  const loss = [review.consequence, ...review.warnings, ...replacedWords(act, operation, generated)];
  const said = loss.filter((sentence) => sentence !== "");
  return said.length > 0 ? said : [`${titleOf({ verb: review.title ?? act.verb, target: act.target })}.`];
}

/** The form in which the requester can correct it, or add to it. */
function formOf({ input, leading, cart }: PlatformOperation, act: Act, generated: readonly string[]): Request["form"] {
  const rows = cart ? allRows(cart, act.input).length : 1;
  return {
    faults: {},
    secrets: secretNames(input, act.input).filter((name) => !generated.includes(name)),
    fits: false,
    always: leading !== undefined,
    amount: lowerableIn(input, act.input),
    rows,
    add: cart && rows < cart.most ? cart.add : null,
  };
}

/** A verb with the name of its target: "Cancel web-1". */
function titled(verb: PlainText, target: Act["target"]): PlainText {
  return target ? plainly`${verb} ${oneLine(target.name)}` : verb;
}

/** Says of a password that the member left empty that Rackbell makes it. */
function withGenerated({ input }: PlatformOperation, described: Fact[], generated: readonly string[]): Fact[] {
  const labels = fieldsOf(input).flatMap(({ name, label }) => (generated.includes(name) ? [label] : []));
  return described.map((fact) => (labels.includes(fact.label) ? { ...fact, value: "generated by Rackbell" } : fact));
}
