import type { Origin } from "../messages/origin.ts";
import type { Answer } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { actions, paragraphs } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import type { RequestsApp } from "./app.ts";
import { findAudience, joined } from "./audience.ts";
import { change } from "./change.ts";
import { createRequest, type Draft, draftRequest, type Proposal, ruledProposal } from "./create.ts";
import { claimOffer } from "./delegate.ts";
import { requireAgentRight } from "./facets/agent/right.ts";
import { proposerOf } from "./facets/agent/view.ts";
import { offerBackup } from "./facets/backup-first/offer.ts";
import { protectionNow } from "./facets/protection/steps.ts";
import { isOfOne, otherSchedules, waitForWindow } from "./facets/schedule/change.ts";
import { scheduleButtons } from "./facets/schedule/view.ts";
import { factsLine, outcomeBlocks, pendingButtons } from "./pending-view.ts";
import { type Duplicate, DuplicateOpen, findDuplicate, repeatedChange, unseenRepeats } from "./repeats.ts";
import { requireNarrowable, requireReplaceable } from "./replacing.ts";
import {
  isForRequesterAlone,
  lossAfterTitle,
  lossText,
  type NewRequest,
  newestOf,
  nothingDone,
  type Request,
  timeToDecide,
  titleOf,
} from "./request.ts";
import { withLock } from "./resource-lock.ts";
import { approvalLevel, demandedOf, readRuling, refuseForbidden, ruleReason, strictestDemand } from "./rules.ts";
import { begin, beginInstead, type StepExtras } from "./step.ts";
import { readRequest } from "./store.ts";
import { refuseWhileUnknown, subjectKeyOf } from "./unknown-outcome.ts";
import { accessOf, type VisibleRequest } from "./visibility.ts";

/**
 * Starts anything that changes, costs or destroys: at once or as a request, and only this decides which. `asksFirst`: the caller may ask for
 * one more press before an act that runs at once; `conflict` names other schedules for the same resource.
 */
export async function startAct(
  app: RequestsApp,
  proposed: Proposal,
  asksFirst: (conflict: string | null) => Promise<boolean>,
): Promise<void> {
  const proposal = await withOriginator(app, proposed);
  const { when, act } = proposal;
  if (when && act.risk !== "change" && act.risk !== "destroy")
    throw new Refusal(
      `${act.risk === "spend" ? "This costs money, and its price may change" : "This only reads"}, so Rackbell cannot schedule it. Nothing was requested. Ask again without a time.`,
    );
  // A backup before it makes a request of any act: nobody learns of its price otherwise.
  if (act.risk !== "change" || act.asksBackup) return openRequest(app, proposal);
  const ruling = await readRuling(app, ruledProposal(proposal), proposal.act);
  refuseForbidden(ruling, (opens) => waitForWindow(proposal, opens));
  // A password is never in a button, so a question about it is a request: that seals it until the press.
  if (ruling.demand !== "allowed" || (act.replaces && !proposal.confirmed)) return openRequest(app, proposal);
  // No earlier press or word confirmed an act in a state of which nobody knows what it allows: a request says so, and is void when that changes.
  if (act.unlisted.length > 0) return openRequest(app, proposal);
  const conflict = when
    ? await otherSchedules(app, draftRequest(app, proposal), proposal.bound.operation, {
        channel: proposal.origin.channel,
        alone: true,
      })
    : null;
  if (!(await asksFirst(conflict))) await change(app, proposal);
}

/** Runs an act that only reads, unless a rule forbids even that: then it throws a Refusal. Nothing else may run one. */
export async function runReading(
  app: RequestsApp,
  { act, ...proposal }: Pick<Proposal, "bound" | "act" | "origin">,
): Promise<Answer> {
  refuseForbidden(await readRuling(app, ruledProposal({ ...proposal, act }), act));
  return act.run();
}

/** Milliseconds. Longer than the platform takes to answer with the preconditions. */
const lockFor = 60_000;

/** Tells the requester where the request was posted, if that is another place. A message that fails is ignored: the request exists. */
async function notifyOfPlace(app: RequestsApp, request: Request): Promise<void> {
  const { reply } = app;
  const { origin, channel } = request;
  // A modal shows the request itself. An agent's member is mentioned in the request.
  if (request.agent !== null || isForRequesterAlone(request) || channel === origin.channel || origin.view !== null)
    return;
  const placeWords = channel === null ? "your direct messages with me" : `<#${channel}>`;
  const text = `Your request to ${titleOf(request)} is in ${placeWords}. ${request.notice ?? ""}`.trim();
  await reply.say(origin, text).catch(() => {});
}

async function create(app: RequestsApp, proposal: Proposal, draft: Draft): Promise<void> {
  const { act, origin } = proposal;
  const { risk } = draft;
  const { narrows } = proposal;
  const before = await requestBefore(app, proposal);
  const duplicate = await findDuplicate(app, draft, narrows ? { replaces: narrows } : proposal);
  if (duplicate && proposal.agent) throw new DuplicateOpen(duplicate);
  if (duplicate) return pointToDuplicate(app, duplicate, origin);
  const [review, identity] = await Promise.all([act.review(), act.readIdentity()]);
  const priced = { ...draft, price: review.price };
  const protection = await protectionNow(app, { ...draft, destroys: review.destroys ?? [] });
  const ruling = await readRuling(app, priced, act);
  refuseForbidden(ruling, (opens) => waitForWindow(proposal, opens));
  const backup = await offerBackup(app, proposal, { ruled: priced, mode: approvalLevel(ruling.demand).mode });
  const { mode, needed } = approvalLevel(strictestDemand(ruling, backup.ruling));
  const demanded = demandedOf(ruling, backup.ruling);
  if (review.confidential && !isForRequesterAlone({ risk, mode })) throw new Refusal(review.confidential);
  const { backupFirst, notice } = backup;
  const audience = await findAudience(app, proposal, { risk, mode, needed, ...demanded });
  // A bulk request whose number must be typed has no emergency override: that press would skip the typing.
  const overridable = mode === "peer" && !proposal.bulk?.counted && (ruling.rule?.overridable ?? false);
  const scheduleNotice = await otherSchedules(app, draft, proposal.bound.operation, {
    channel: audience.channel,
    alone: isForRequesterAlone({ risk, mode }) || isOfOne(audience.channel),
  });
  const stored = { ...demanded, rule: ruleReason(ruling, review.price), overridable };
  const placed = { ...audience, notice: joined([narrows?.words ?? null, audience.notice, notice, scheduleNotice]) };
  const ttl = timeToDecide(app, { ruling: stored });
  const terms = { risk, mode, needed, ruling: stored, review, identity, ...placed, backupFirst, protection, ttl };
  const record = createRequest(app, proposal, terms, draft);
  const others = await unseenRepeats(app, record, act.makes);
  const proposed = others.length > 0 ? { ...record, ...(await repeatedChange(app, record, others)) } : record;
  await requireAgentRight(app, proposed);
  const claim = await claimOffer(app, proposal);
  const extras = { auditOutcome: lossText(record), lookAt: record.expiresAt, claim };
  const instead = before && insteadOf(app, proposal, before);
  const request = await store(app, proposed, extras, instead);
  await notifyOfPlace(app, request);
}

/** The request that the proposal takes the place of; null for most. */
async function requestBefore(app: RequestsApp, { narrows, replaces, origin }: Proposal): Promise<Request | null> {
  if (narrows) return requireNarrowable(app, narrows.request);
  return replaces ? requireReplaceable(app, replaces, origin) : null;
}

/** The end of the request that this one takes the place of. */
function insteadOf({ clock }: RequestsApp, { narrows, replaces, origin }: Proposal, before: Request) {
  const after = `It goes on as a new request. ${nothingDone(before)}`;
  if (narrows) {
    const decided = { decidedBy: narrows.by, decidedAt: clock.now() };
    return {
      before,
      event: "narrow",
      by: narrows.by,
      change: { outcome: `${narrows.words} ${after}`, ...decided },
    } as const;
  }
  const outcome = `${replaces?.adds ? "A product was added" : "It was corrected"}. ${after}`;
  const change = { outcome, ...newestOf(before, origin) };
  return { before, event: "replace", by: before.requester.slackUser, change } as const;
}

/** Stores the request; one that takes the place of another ends that one with it. */
async function store(
  app: RequestsApp,
  proposed: NewRequest,
  extras: StepExtras,
  instead: ReturnType<typeof insteadOf> | null,
): Promise<Request> {
  if (instead?.before.state !== "pending") return begin(app, "ask", proposed, extras);
  const { before, ...ending } = instead;
  const request = await beginInstead(app, before, proposed, { ...extras, ...ending });
  if (request) return request;
  throw new Refusal(
    "That request was decided in the same moment, so nothing new was requested. Look at its message for the outcome.",
  );
}

/** Points to the request that already waits for the same act, or does it. Two could both run: the second after the first was done. */
export async function pointToDuplicate(app: RequestsApp, duplicate: Duplicate, origin: Origin): Promise<void> {
  const { reply } = app;
  const isOwn = duplicate.requester.member === origin.member && duplicate.agent === null;
  const whose = isOwn ? "you" : proposerOf(duplicate);
  const requested = duplicate.agent === null ? "requested" : "proposed";
  const visible = await accessOf(app, origin).show(duplicate);
  const isWhole = visible?.visibility === "whole";
  const where =
    !isWhole || duplicate.channel === null || duplicate.channel === origin.channel ? "" : ` in <#${duplicate.channel}>`;
  const { waits, buttons } = {
    pending: {
      waits: `awaits a decision${where}`,
      buttons: (request: Request, may: VisibleRequest["may"]) => pendingButtons(request, { may }),
    },
    scheduled: { waits: `is scheduled for ${moment(duplicate.schedule?.at ?? 0)}`, buttons: scheduleButtons },
    working: { waits: "is under way", buttons: () => [] },
  }[duplicate.state];
  const text = `${titleOf(duplicate)} was ${requested} by ${whose} ${moment(duplicate.createdAt)} and ${waits}, so nothing new was requested.`;
  await reply.ephemeral(origin, {
    text,
    // The buttons' dialogs name the loss, so only a member who may see all of it gets them.
    blocks: [
      ...paragraphs([isWhole ? `${text}${lossAfterTitle(duplicate, " ")}` : text]),
      ...(isWhole ? [...factsLine(duplicate), ...outcomeBlocks(duplicate)] : []),
      ...(isWhole ? actions(buttons(duplicate, visible.may), "request") : []),
    ],
  });
}

/**
 * A proposal with the member who first wanted the request that it takes the place of. That member never approves the new one, by whichever
 * form or button it came.
 */
async function withOriginator(app: RequestsApp, proposal: Proposal): Promise<Proposal> {
  const id = proposal.narrows?.request ?? proposal.replaces?.request;
  const before = id === undefined ? null : await readRequest(app, id);
  return { ...proposal, originator: before?.originator ?? proposal.originator };
}

/** Turns a member's proposal into a request that waits for a decision. The outbox posts its messages. */
export async function openRequest(app: RequestsApp, proposed: Proposal): Promise<void> {
  const proposal = await withOriginator(app, proposed);
  const { store } = app;
  const { bound, origin } = proposal;
  const draft = draftRequest(app, proposal);
  await refuseWhileUnknown(app, bound.operation, draft);
  // Two members may ask for the same within a second. Under this lock the second one finds the first request.
  const lock = { name: `ask:${subjectKeyOf(app, bound.operation, draft)}`, holder: origin.slackUser, lockFor };
  await withLock(
    store.locks,
    lock,
    () => create(app, proposal, draft),
    async (holder) => {
      throw new Refusal(
        `<@${String(holder)}> requests something for the same resource right now, so nothing new was requested. If yours is different, ask again in a few seconds.`,
      );
    },
  );
}
