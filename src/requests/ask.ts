import type { Clock } from "../clock.ts";
import type { Origin } from "../notifications/origin.ts";
import type { Reply } from "../notifications/reply.ts";
import { Refusal } from "../operation/errors.ts";
import type { Locks } from "../storage/store.ts";
import { actions, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { type FindAudience, joined } from "./audience.ts";
import type { Change } from "./change.ts";
import { createRequest, type Proposal, priceOf } from "./create.ts";
import { findDuplicate } from "./duplicates.ts";
import type { OfferBackup } from "./facets/backup-first.ts";
import { otherSchedules, scheduleButtons, waitForWindow } from "./facets/schedule.ts";
import { type Repeats, repeatedChange } from "./repeats.ts";
import { isForRequesterAlone, type Request, resourceKeyOf, titleOf } from "./request.ts";
import { withLock } from "./resource-lock.ts";
import { approvalLevel, proposalFacts, type Rules, refuseForbidden, ruleReason } from "./rules.ts";
import { begin } from "./step.ts";
import type { RequestStore } from "./store.ts";
import { refuseWhileUnknown } from "./unknown-outcome.ts";
import { buttonsOf } from "./view.ts";
import type { Visibilities } from "./visibility.ts";

/** Runs a proposal at once or makes a request of it: the only place that decides this. */
export interface Start {
  /**
   * Starts anything that changes, costs or destroys. `asksFirst`: the caller may ask for one more press before an act that runs at once.
   */
  act(proposal: Proposal, asksFirst: () => Promise<boolean>): Promise<void>;
  /** Throws a Refusal if a rule forbids even reading. */
  admitReading(proposal: Omit<Proposal, "generated">): Promise<void>;
}

export function createStart({
  rules,
  openRequest,
  change,
}: {
  rules: Rules;
  openRequest: OpenRequest;
  change: Change;
}): Start {
  return {
    async act(proposal, asksFirst) {
      const { when, act } = proposal;
      if (when && act.risk !== "change" && act.risk !== "destroy")
        throw new Refusal(
          `${act.risk === "spend" ? "This costs money, and its price is of now" : "This only reads"}, so it cannot be planned. Nothing was asked. Ask without a time.`,
        );
      if (proposal.act.risk !== "change") return openRequest(proposal);
      const verdict = await rules.verdict(proposalFacts(proposal, null));
      refuseForbidden(verdict, (opens) => waitForWindow(proposal, opens));
      if (verdict.demand !== "allowed") return openRequest(proposal);
      if (!(await asksFirst())) await change(proposal);
    },
    async admitReading(proposal) {
      refuseForbidden(await rules.verdict(proposalFacts(proposal, null)));
    },
  };
}

/** Turns a member's proposal into a request that waits for a decision. The outbox posts its messages. */
export type OpenRequest = (proposal: Proposal) => Promise<void>;

/** Milliseconds. Longer than the platform takes to answer with the preconditions. */
const lockFor = 60_000;

export function createOpenRequest(deps: {
  requests: RequestStore;
  findAudience: FindAudience;
  locks: Locks;
  reply: Reply;
  clock: Clock;
  rules: Rules;
  repeats: Repeats;
  offerBackup: OfferBackup;
  visibilities: Visibilities;
  ttl: number;
}): OpenRequest {
  const { requests, findAudience, locks, reply, clock, rules, repeats, offerBackup, visibilities, ttl } = deps;

  /** Tells the requester where the request was posted, if that is another place. A message that fails is ignored: the request exists. */
  async function notifyOfPlace(request: Request): Promise<void> {
    const { origin, channel } = request;
    // A modal shows the request itself.
    if (isForRequesterAlone(request) || channel === origin.channel || origin.view !== null) return;
    const placeWords = channel === null ? "your direct messages with me" : `<#${channel}>`;
    const text = `Your request to ${titleOf(request)} is in ${placeWords}. ${request.notice ?? ""}`.trim();
    await reply.ephemeral(origin, { text, blocks: [section(text)] }).catch(() => {});
  }

  async function create(proposal: Proposal, risk: Request["risk"]): Promise<void> {
    const { act, origin } = proposal;
    const duplicate = await findDuplicate(requests, proposal, clock.now());
    if (duplicate) return pointToDuplicate(duplicate, origin);
    const review = await act.review();
    const policyFacts = proposalFacts(proposal, priceOf(risk, review));
    const verdict = await rules.verdict(policyFacts);
    refuseForbidden(verdict, (opens) => waitForWindow(proposal, opens));
    const { mode, needed } = approvalLevel(verdict.demand);
    const { relocations, admin } = verdict;
    const audience = await findAudience(proposal, { risk, mode, needed, admin });
    const { copy, notice } = await offerBackup(proposal, { policyFacts: policyFacts, needed });
    const rule = ruleReason(verdict, policyFacts.price);
    // A bulk request whose number must be typed has no emergency override: that press would skip the typing.
    const breakable = mode === "peer" && !proposal.bulk?.counted && (verdict.rule?.breakGlass ?? false);
    const scheduleNotice = await otherSchedules(
      { requests, visibilities },
      { ...policyFacts, target: act.target },
      audience.channel,
    );
    const placed = { ...audience, notice: joined([audience.notice, notice, scheduleNotice]), copy };
    const terms = { risk, mode, needed, rule, breakable, relocations, admin, review, ...placed, ttl };
    const record = createRequest(proposal, terms, { now: clock.now(), seal: requests.seal });
    const others = await repeats.unseen(record, act.makes);
    const proposed = others.length > 0 ? { ...record, ...repeatedChange(record, others) } : record;
    const request = await begin(requests, "ask", proposed, {
      said: record.consequence,
      lookAt: reminderAt(record) ?? record.expiresAt,
    });
    await notifyOfPlace(request);
  }

  /** Points to the request that already waits for the same act. Two could both run: the second after the first was done. */
  async function pointToDuplicate(duplicate: Request, origin: Origin): Promise<void> {
    const whose = duplicate.member === origin.member ? "you" : `<@${duplicate.slackUser}>`;
    const isWhole = (await visibilities.of(origin).at(duplicate)) === "whole";
    const where =
      !isWhole || duplicate.channel === null || duplicate.channel === origin.channel
        ? ""
        : ` in <#${duplicate.channel}>`;
    const waits = duplicate.state === "planned" ? "is planned for that time" : `waits${where} to be decided`;
    const text = `${titleOf(duplicate)} was asked for by ${whose} ${moment(duplicate.createdAt)} and ${waits}, so nothing new was asked.`;
    await reply.ephemeral(origin, {
      text,
      // The buttons' dialogs name the loss, so only a member who may see all of it gets them.
      blocks: [
        section(text),
        ...(isWhole
          ? actions(duplicate.state === "planned" ? scheduleButtons(duplicate) : buttonsOf(duplicate), "request")
          : []),
      ],
    });
  }

  return async (proposal) => {
    const { bound, act, origin } = proposal;
    // An operation that only reads is never asked first; the type still allows it here.
    const risk = act.risk === "read" ? "change" : act.risk;
    const subject = { target: act.target, member: bound.actor.member, command: bound.operation.command };
    await refuseWhileUnknown(requests, subject, risk);
    // Two members may ask for the same within a second. Under this lock the second one finds the first request.
    const lock = { name: `ask:${resourceKeyOf(subject)}`, holder: origin.slackUser, lockFor };
    await withLock(
      locks,
      lock,
      () => create(proposal, risk),
      async (holder) => {
        throw new Refusal(
          `Something about the same is being asked for by <@${String(holder)}> right now, so nothing new was asked. Ask again in a few seconds if yours is another thing.`,
        );
      },
    );
  };
}

/** Milliseconds. A shorter pause would remind people who were just mentioned. */
const soonest = 2 * 60_000;

/**
 * When to remind the approvers (milliseconds since the epoch): after a third of the time. Null if nobody else decides, or it expires too
 * soon.
 */
export function reminderAt({ mode, createdAt, expiresAt }: Pick<Request, "mode" | "createdAt" | "expiresAt">) {
  const pause = (expiresAt - createdAt) / 3;
  return mode === "peer" && pause >= soonest ? createdAt + pause : null;
}
