import type { Review } from "../../operation/answer.ts";
import type { Act, PlatformOperation } from "../../operation/operation.ts";
import { oneLine } from "../../views/text.ts";
import type { Origin } from "../answers/origin.ts";
import type { BoundOperation } from "../bound.ts";
import type { PutOff } from "../when.ts";
import type { Planned, Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** What a member wants done, and where they said so. */
export interface Wanted {
  bound: BoundOperation;
  act: Act;
  origin: Origin;
  /** Inputs that were generated, to be shown once. */
  generated: string[];
  /** Who wanted it and could not do it, where it was taken over from them. */
  originator?: string | undefined;
  /** The draft that it was filled in as. */
  draft?: string | undefined;
  /** When it is to be done; nothing: as soon as it is decided. */
  when?: PutOff | null | undefined;
  /** Where it is for many. */
  bulk?: Request["bulk"];
}

/** How it is asked: what the review found, who may decide it, and where it is shown. */
export interface Asking {
  risk: Request["risk"];
  mode: Request["mode"];
  needed: number;
  /** The rule that wants it so, in words, and whether an admin may run it all the same. */
  rule: string | null;
  breakable: boolean;
  review: Review;
  channel: string | null;
  notice: string | null;
  mention: string | null;
  copy: Request["copy"];
  /** Milliseconds that it can be decided. */
  ttl: number;
}

/** How it is asked where nobody is asked. */
export function askingNobody(review: Review, { channel }: Pick<Origin, "channel">): Asking {
  return {
    ...{ risk: "change", mode: "none", needed: 0, rule: null, breakable: false },
    ...{ review, channel, notice: null, mention: null, copy: null, ttl: 0 },
  };
}

/** What it costs: where the platform names no price of what is charged, that is not known. */
export function priceOf(risk: Request["risk"], { price }: Pick<Review, "price">): Request["price"] {
  return price ?? (risk === "spend" ? "unknown" : null);
}

/** The record of what is wanted, before anything is done about it. */
export function createRequest(
  { bound, act, origin, generated, originator = undefined, draft, bulk = null, when = null }: Wanted,
  { risk, mode, needed, rule, breakable, review, channel, notice, mention, copy, ttl }: Asking,
  { now, seal }: { now: number; seal: RequestStore["seal"] },
): Request {
  const { operation, actor, link, links } = bound;
  const id = act.id;
  const name = act.target ? ` ${oneLine(act.target.name)}` : "";
  return {
    v: 5,
    id,
    draft: draft ?? null,
    faults: {},
    copy,
    planned: when && plannedFor(when),
    state: mode === "none" ? "claimed" : "pending",
    mode,
    needed,
    approvals: [],
    rule,
    breakable,
    glass: null,
    price: priceOf(risk, review),
    within: act.project,
    risk,
    api: operation.api,
    command: operation.command,
    verb: act.verb,
    member: actor.member,
    slackUser: actor.slackUser,
    platformUser: links.customer?.user.id ?? null,
    account: links.customer?.account?.id ?? null,
    project: actor.project,
    keyId: link.keyId,
    keyLabel: link.keyLabel,
    target: act.target,
    bulk,
    part: null,
    sealed: seal(id, act.input),
    generated,
    reason: act.reason,
    originator: originator ?? null,
    described: act.described,
    consequence: review.consequence || `${act.verb}${name}.`,
    press: review.press ?? `${act.verb}${name}`,
    back: review.back ?? (risk === "destroy" && name ? `Keep${name}` : "Not now"),
    material: review.material,
    shown: review.shown,
    personal: review.personal,
    before: review.before,
    origin,
    channel,
    notice,
    mention,
    remindedAt: null,
    createdAt: now,
    // What nobody decided by its time is not done later.
    expiresAt: Math.min(now + ttl, when?.at ?? Number.POSITIVE_INFINITY),
    changedAt: now,
    decidedBy: null,
    decidedAt: null,
    instance: null,
    attemptedAt: null,
    outcome: "",
    next: [],
    secret: null,
    job: null,
    // What comes of many is heard of with each.
    expects: bulk ? null : expectationOf(operation),
    order: null,
    heard: [],
    overdueAt: null,
    looks: 0,
  };
}

/** Put off to that time, and not decided yet. */
export function plannedFor({ at, zone, said }: PutOff): Planned {
  return { at, zone, said, since: null, begunAt: null, moves: 0, movedFrom: null };
}

function expectationOf({ expects }: PlatformOperation): Request["expects"] {
  if (!expects) return null;
  const { first, later = [], failing = [], awaited = null } = expects;
  return { first: [...first], later: [...later], failing: [...failing], over: false, awaited };
}
