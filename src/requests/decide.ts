import type { Access } from "../access/access.ts";
import type { BoundOperation } from "../access/bound.ts";
import { type Clock, sleep } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { areTwoPeople, personOf } from "../identities/person.ts";
import type { Origin } from "../notifications/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { isPlatformError } from "../platform/http/errors.ts";
import { demandOf } from "../policy/words.ts";
import type { Store } from "../storage/store.ts";
import type { CarryOut } from "./carry-out.ts";
import type { MemberRef, RequestChecks } from "./checks.ts";
import { endRequest } from "./endings.ts";
import { type PreparedBackup, untouched } from "./facets/backup-first/steps.ts";
import { requireBreakable } from "./facets/override/steps.ts";
import { releasePrice, reservePrices } from "./facets/price/spending.ts";
import { storeSchedule } from "./facets/schedule/change.ts";
import type { FindFor, TellState } from "./find-for.ts";
import type { Reconcile } from "./reconcile.ts";
import { type Repeats, repeatedChange } from "./repeats.ts";
import { type Approval, isBackingUp, newestOf, type Request } from "./request.ts";
import { isPressOf, withResourceLock } from "./resource-lock.ts";
import { approvalLevel, missingAdmin, policyFactsNow, type Rules, ruleReason } from "./rules.ts";
import type { StateAnswers } from "./state-answers.ts";
import { step } from "./step.ts";
import type { RequestStore } from "./store.ts";
import { refuseWhileUnknown, subjectKeyOf } from "./unknown-outcome.ts";
import type { Visibilities } from "./visibility.ts";

/** The buttons of a request. Every press gets an answer: one that changes nothing is answered with the state. */
export interface Decide {
  /** `counted`: the number of targets that the presser typed for a bulk request. */
  press(id: string, origin: Origin, counted?: number): Promise<void>;
  /** A press by somebody who saw that the same was ordered minutes ago. */
  pressSecond(id: string, origin: Origin): Promise<void>;
  /** A press that chooses the backup first. */
  copyFirst(id: string, origin: Origin): Promise<void>;
  deny(id: string, origin: Origin, reason: string): Promise<void>;
  withdraw(id: string, origin: Origin): Promise<void>;
  /** Returns true while the request waits. Refuses a member who may not use the emergency override, before they type a reason. */
  breakable(id: string, origin: Origin): Promise<boolean>;
  /** An admin runs it at once without the approvals, and gives a reason (design section 4). */
  override(id: string, origin: Origin, reason: string): Promise<void>;
  /** Another admin confirms that they looked at an emergency override. */
  review(id: string, origin: Origin): Promise<void>;
  /** Notifies the presser that Rackbell restarted during their press, with the state of the request. */
  tellLost(id: string, origin: Origin, label: string): Promise<void>;
  /** Tells the state of a request to a presser whose modal does not show it. */
  answerState(id: string, origin: Origin): Promise<void>;
}

export function createDecide(deps: {
  requests: RequestStore;
  press: Press;
  findFor: FindFor;
  checks: Pick<RequestChecks, "may" | "mayOverride" | "operation">;
  rules: Pick<Rules, "release">;
  visibilities: Visibilities;
  say: StateAnswers;
  clock: Clock;
}): Decide {
  const { requests, press, findFor, checks, rules, visibilities, say, clock } = deps;

  return {
    answerState: say.unseen,
    tellLost: say.lost,
    async press(id, origin, counted) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { counted });
    },
    async pressSecond(id, origin) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { second: true });
    },
    async copyFirst(id, origin) {
      const request = await findFor("approve", id, origin);
      if (request) await press(request, origin, { copyFirst: true });
    },
    async deny(id, origin, reason) {
      const request = await findFor("deny", id, origin);
      if (!request) return;
      // Nobody can be held to the right to decide a command that is gone, and the request could never be run: it ends as at any press.
      if (!checks.operation(request)) {
        await endRequest(requests, clock, request, { event: "void", origin, outcome: commandGone });
        return say.state(id, origin);
      }
      await checks.may("deny", request, origin);
      const outcome = `<@${origin.slackUser}> denied it: ${reason} Nothing was done.`;
      if (!(await endRequest(requests, clock, request, { event: "deny", origin, outcome })))
        await say.state(id, origin);
    },
    async withdraw(id, origin) {
      const request = await findFor("withdraw", id, origin);
      if (!request) return;
      await checks.may("withdraw", request, origin);
      const outcome = isBackingUp(request) ? stoppedOutcome(request, origin.slackUser) : "";
      if (!(await endRequest(requests, clock, request, { event: "withdraw", origin, outcome })))
        return say.state(id, origin);
      if (isBackingUp(request)) await releasePrice(rules, request);
      // The message with the outcome is in a channel that this admin may not read.
      const elsewhere = origin.home || origin.view !== null;
      if (!elsewhere && (await visibilities.of(origin).at(request)) !== "whole") await say.state(id, origin);
    },
    async breakable(id, origin) {
      const request = await findFor("override", id, origin);
      if (request) await checks.mayOverride(request, origin);
      return request !== null;
    },
    async override(id, origin, reason) {
      const request = await findFor("override", id, origin);
      if (request) await press(request, origin, { glass: reason });
    },
    async review(id, origin) {
      const request = await findFor("review", id, origin);
      if (!request?.glass) return;
      await checks.may("review", request, origin);
      const glass = { ...request.glass, reviewedBy: origin.slackUser };
      await step(requests, request, "review", { glass }, { said: `Reviewed by <@${origin.slackUser}>.` });
    },
  };
}

const commandGone = "This version of Rackbell no longer has that command. Nothing was done.";

/** The outcome after a stop during the backup. The backup itself cannot be stopped. */
function stoppedOutcome(request: Request, by: string): string {
  const copy = request.copy?.step === "taking" ? " The copy goes on, and stays until it is deleted." : "";
  return `<@${by}> stopped it after the copy was begun. ${untouched(request)}${copy}`;
}

/** Handles the deciding press: collects approvals, and runs the request when it has all it needs. */
export type Press = (request: Request, origin: Origin, how?: PressOptions) => Promise<void>;

/** How the presser decided. `glass`: an admin's reason for the emergency override; `copyFirst`: take the backup first. */
export interface PressOptions {
  glass?: string | undefined;
  copyFirst?: boolean | undefined;
  /** The presser saw that the same was ordered minutes ago, and wants a second one. */
  second?: boolean | undefined;
  /** The number of targets that the presser typed for a bulk request. */
  counted?: number | undefined;
}

/** Milliseconds. A press waits this long for another press of the same request, and checks this often. */
const longestWaitMs = 60_000;
const checkEveryMs = 250;

export function createPress(deps: {
  store: Store;
  requests: RequestStore;
  approve: Approve;
  carryOut: CarryOut;
  checks: RequestChecks;
  prepareBackup: (request: Request, who: MemberRef) => Promise<PreparedBackup>;
  reconcile: Pick<Reconcile, "wasDone">;
  rules: Rules;
  repeats: Repeats;
  access: Pick<Access, "isAdmin">;
  say: StateAnswers;
  clock: Clock;
}): Press {
  const { access, store, requests, approve, carryOut, checks, prepareBackup, reconcile, rules, repeats, say, clock } =
    deps;
  const end = (request: Request, origin: Origin, outcome: string) =>
    endRequest(requests, clock, request, { event: "void", origin, outcome });

  async function checkAndRun(request: Request, origin: Origin, how: PressOptions): Promise<unknown> {
    const { glass, counted } = how;
    if (request.bulk?.counted && counted !== request.bulk.outcomes.length)
      throw new Refusal(`The number of ${request.bulk.nouns} must be typed before anything is done. Nothing was done.`);
    const operation = checks.operation(request);
    if (!operation) return end(request, origin, commandGone);
    await checks.may(glass === undefined ? "approve" : "override", request, origin);
    const bound = await checks.requester(request, operation);
    if (!bound) {
      const words = `The key of <@${request.slackUser}> changed since they asked. Nothing was done. Ask again if it is still wanted.`;
      return end(request, origin, words);
    }
    return afterOtherPresses(request, bound, origin, how);
  }

  /**
   * Waits while another press of the same request is under way. That press may fail: until its claim is stored, nobody may be told that it
   * was first.
   */
  async function afterOtherPresses(
    request: Request,
    bound: BoundOperation,
    origin: Origin,
    how: PressOptions,
  ): Promise<unknown> {
    const holder = { ...request, slackUser: origin.slackUser };
    const key = subjectKeyOf(bound.operation, { ...request, input: requests.input(request) });
    let now: Request | undefined = request;
    for (let waitedMs = 0; ; waitedMs += checkEveryMs) {
      const current: Request = now;
      const work = async () => void (await runOnce(current, bound, origin, how));
      const locked = await withResourceLock(store.locks, key, holder, work, async (by) => ({ by }));
      if (!locked) return;
      if (!isPressOf(request.id, locked.by) || waitedMs >= longestWaitMs) return say.locked(locked.by, origin);
      await sleep(clock, checkEveryMs);
      now = await requests.read(request.id);
      // Once the request was sent, or refused, an earlier press must decide nothing more.
      if (now?.state !== "pending" || now.attemptedAt !== request.attemptedAt) return say.state(request.id, origin);
    }
  }

  async function runOnce(
    request: Request,
    bound: BoundOperation,
    origin: Origin,
    { glass, copyFirst, second }: PressOptions,
  ) {
    const subject = { ...request, input: requests.input(request) };
    await refuseWhileUnknown(requests, bound.operation, subject, request.risk, request.id);
    // The first sending may have worked. Then nothing is sent, and the facts that it changed must not void the request.
    if (request.unsettled && (await reconcile.wasDone(request, bound))) return;
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return end(request, origin, checked.changed);
    const scheduledFacts = policyFactsNow(request, checked);
    // An emergency override runs at once: it is judged by the rules of now, not of the scheduled time.
    const policyFacts = glass === undefined ? scheduledFacts : { ...scheduledFacts, at: null };
    const verdict = await rules.verdict(policyFacts);
    const { demand, rule } = verdict;
    if (demand === "never")
      return end(
        request,
        origin,
        `A rule of this workspace no longer allows it, so nothing was done. ${rule ? demandOf(rule) : ""}`,
      );
    // If one of two approvers chose the backup first, it is taken: the safer choice wins.
    const first = copyFirst || request.copy?.step === "chosen" ? await prepareBackup(request, origin) : null;
    const needed = Math.max(
      approvalLevel(demand).needed,
      request.needed,
      first ? approvalLevel(first.demand).needed : 0,
    );
    const needs = glass === undefined ? needed : 0;
    if (needs > 0 && request.mode === "self")
      return end(
        request,
        origin,
        `The rules of this workspace changed since it was asked, so nothing was done: ${ruleReason(verdict) ?? "others must approve it now."} Ask again if it is still wanted.`,
      );
    if (glass !== undefined) requireBreakable(request, verdict, first);
    const approvals = needs === 0 ? [] : await approve.with(request, bound.operation, origin);
    if (approvals.length < needs) return approve.keep(request, origin, { approvals, needs, copyFirst: first !== null });
    const missing =
      glass === undefined
        ? await missingAdmin({ admin: verdict.admin || request.admin }, approvals, access.isAdmin)
        : null;
    if (missing) throw new Refusal(`${missing} Nothing was done.`);
    if (request.planned && glass === undefined)
      return storeSchedule({ requests, say, clock }, { request, origin, approvals, copyFirst: first !== null });
    const unconfirmed = second ? request : { ...request, repeats: [] };
    const others = await repeats.enter(unconfirmed, checked.act.makes);
    if (others.length > 0) return askAboutRepeat(request, origin, others);
    if (!(await reservePrices(rules, request, [{ policyFacts, demand }, first])))
      throw new Refusal(
        "Other spending was counted meanwhile, and more holds for this by now. Nothing was done. Press again.",
      );
    await carryOut.now({ request, checked, bound, origin, approvals, glass, first });
  }

  /** Sends nothing, and shows the presser the same orders of the last minutes first. */
  async function askAboutRepeat(request: Request, origin: Origin, others: Request[]): Promise<void> {
    const unseen = others.filter(({ id }) => !request.repeats.includes(id));
    if (unseen.length === 0) return say.state(request.id, origin);
    const change = repeatedChange(request, unseen);
    const advanced = await step(requests, request, "askAboutRepeat", { ...change, ...newestOf(request, origin) });
    if (!advanced) await say.state(request.id, origin);
  }

  return async (request, origin, how = {}) => void (await checkAndRun(request, origin, how));
}

/** Collects the approvals of a request that needs several. */
export interface Approve {
  /**
   * Returns the approvals that are still valid, plus the presser's own. Refuses a presser who is the same person as an earlier approver.
   */
  with(request: Request, operation: PlatformOperation, who: MemberRef): Promise<Approval[]>;
  /** Stores the approvals of a request that still needs more of them. */
  keep(request: Request, who: Origin, so: { approvals: Approval[]; needs: number; copyFirst: boolean }): Promise<void>;
}

export function createApprove(deps: {
  requests: RequestStore;
  checks: Pick<RequestChecks, "presser">;
  identities: Pick<Identities, "links">;
  say: TellState;
  clock: Clock;
}): Approve {
  const { requests, checks, identities, say, clock } = deps;

  async function stillApproves(request: Request, operation: PlatformOperation, who: MemberRef): Promise<boolean> {
    try {
      await checks.presser(request, operation, who);
      return true;
    } catch (error) {
      if (error instanceof Refusal || isPlatformError(error)) return false;
      throw error;
    }
  }

  async function requireTwoPeople(approvals: readonly MemberRef[], member: string): Promise<void> {
    const presserPerson = personOf(await identities.links(member));
    for (const other of approvals) {
      if (!areTwoPeople(personOf(await identities.links(other.member)), presserPerson))
        throw new Refusal(
          `<@${other.slackUser}> approved it, and you are linked as the same user of the platform, so you do not count as somebody else.`,
        );
    }
  }

  return {
    async with(request, operation, { member, slackUser }) {
      const stillValid: Approval[] = [];
      for (const approval of request.approvals)
        if (approval.member !== member && (await stillApproves(request, operation, approval)))
          stillValid.push(approval);
      await requireTwoPeople(stillValid, member);
      return [...stillValid, { member, slackUser, at: clock.now() }];
    },
    async keep(request, who, { approvals, needs, copyFirst }) {
      if (request.approvals.some(({ member }) => member === who.member))
        throw new Refusal("You approved this already; somebody else must, too.");
      const copy = request.copy && { ...request.copy, step: copyFirst ? ("chosen" as const) : request.copy.step };
      const advanced = await step(
        requests,
        request,
        "approveInPart",
        { approvals, needed: needs, decidedBy: who.slackUser, copy },
        { said: `Approved by ${approvals.length} of ${needs}.` },
      );
      if (!advanced) await say.state(request.id, who);
    },
  };
}
