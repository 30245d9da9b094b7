import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import { errorText, isLasting, keyOf } from "../access/error-text.ts";
import type { Clock } from "../clock.ts";
import { NotYet, Refusal } from "../operation/errors.ts";
import { isPlatformError, keyRejected } from "../platform/http/errors.ts";
import type { Store } from "../storage/store.ts";
import { duration } from "../views/format.ts";
import type { CarryOut } from "./carry-out.ts";
import type { PrepareBackup } from "./prepare-backup.ts";
import type { RecheckDecision } from "./recheck-decision.ts";
import type { Request } from "./request.ts";
import { resourceKeyOf } from "./request.ts";
import { underWayWords, withResourceLock } from "./resource-lock.ts";
import { missingAdmin, missingApprovals, type PolicyFacts, policyFactsNow, type Rules, ruleReason } from "./rules.ts";
import { latestStart } from "./schedule-words.ts";
import { step } from "./step.ts";
import { type RequestStore, scheduleTimer } from "./store.ts";
import { refuseWhileUnknown } from "./unknown-outcome.ts";

/** Milliseconds between tries of a scheduled request that cannot begin yet. The pauses grow, since each try reads everything again. */
const shortestPause = 20_000;
const longestPause = 2 * 60_000;

/** Registers the timer that runs scheduled requests. It repeats every check of the decision, and voids the request if something changed. */
export function runScheduled(deps: {
  store: Store;
  requests: RequestStore;
  recheckDecision: RecheckDecision;
  prepareBackup: PrepareBackup;
  carryOut: CarryOut;
  rules: Rules;
  access: Pick<Access, "isAdmin">;
  clock: Clock;
  log: Logger;
}): void {
  const { access, store, requests, recheckDecision, prepareBackup, carryOut, rules, clock, log } = deps;

  async function end(request: Request, why: string): Promise<undefined> {
    const outcome = `Its time came, and it was not begun. ${why} Nothing was done. Plan it again if it is still wanted.`;
    await step(requests, request, "void", { outcome });
  }

  /** Returns the reason why the approval rules forbid it now, as a sentence; null if they allow it. */
  async function ruleProblem(policyFacts: PolicyFacts, request: Request): Promise<string | null> {
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

  async function begin(request: Request): Promise<number | undefined> {
    await refuseWhileUnknown(requests, request, request.risk, request.id);
    const rechecked = await recheckDecision(request);
    if ("gone" in rechecked) return end(request, rechecked.gone);
    const { bound, checked } = rechecked;
    const policyFacts = policyFactsNow(request, checked);
    const problem = await ruleProblem(policyFacts, request);
    if (problem !== null) return end(request, problem);
    const { origin, approvals } = request;
    const [approver = origin] = approvals;
    const first = request.copy?.step === "chosen" ? await prepareBackup(request, approver) : null;
    const { demand } = await rules.verdict(policyFacts);
    if (
      !(await rules.reserve(policyFacts, demand)) ||
      (first && !(await rules.reserve(first.policyFacts, first.demand)))
    ) {
      await rules.release(request);
      return end(request, "What was spent meanwhile leaves no room for it.");
    }
    await carryOut.now({ request, checked, bound, origin, approvals, glass: undefined, first });
  }

  /** Tries again soon. After `latestStart` nobody expects the act any more, so the request ends. */
  async function later(request: Request, at: number, why: string): Promise<number | undefined> {
    const late = clock.now() - at;
    const next = clock.now() + Math.min(longestPause, Math.max(shortestPause, late / 3));
    return next > at + latestStart ? end(request, why) : next;
  }

  async function tryNow(request: Request, at: number): Promise<number | undefined> {
    try {
      return await withResourceLock(
        store.locks,
        resourceKeyOf(request),
        request,
        () => begin(request),
        (by) => later(request, at, underWayWords(by)),
      );
    } catch (error) {
      if (keyRejected(error)) return end(request, `The platform no longer accepts the key of <@${request.slackUser}>.`);
      if (!(error instanceof Refusal || isPlatformError(error))) throw error;
      const { text } = errorText(error, clock.now(), keyOf(request.slackUser));
      // Waiting does not repair these errors, and a try every 20 s would use up the key's calls.
      if (isLasting(error) || (error instanceof Refusal && !(error instanceof NotYet))) return end(request, text);
      log.info({ err: error, request: request.id }, "What was planned could not begin yet");
      return later(request, at, text);
    }
  }

  store.wakeups.handle(scheduleTimer, async (wakeId) => {
    const request = await requests.read(wakeId.slice(scheduleTimer.length));
    if (request?.state !== "planned" || !request.planned) return;
    const { at } = request.planned;
    const now = clock.now();
    // The request was rescheduled, or the clock was set back.
    if (now < at) return at;
    if (now - at <= latestStart) return tryNow(request, at);
    const late = `Rackbell could not look at it before ${duration(now - at)} had passed, since it was not running or its clock was wrong. What is more than ${duration(latestStart)} late is not begun.`;
    return end(request, late);
  });
}
