import type { BoundOperation } from "../members/access/bound.ts";
import { marksOf } from "../members/identities/person.ts";
import type { Origin } from "../messages/origin.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import type { Manner } from "../passkeys/links.ts";
import { isPlatformError } from "../platform/http/errors.ts";
import { sharedApprovers } from "../policy/evaluate.ts";
import { demandSentence } from "../policy/words.ts";
import { sleep } from "../process/clock.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import type { RequestsApp } from "./app.ts";
import {
  bindRequester,
  type CheckedFacts,
  Over,
  operationOf,
  readFacts,
  requireMay,
  requireOperation,
  stillApproves,
} from "./checks.ts";
import { findSamePerson, isApprover, requireApprover } from "./deciders.ts";
import { endRequest } from "./endings.ts";
import { type PreparedBackup, prepareBackup, untouched } from "./facets/backup-first/offer.ts";
import { chosen } from "./facets/backup-first/record.ts";
import { followBackup } from "./facets/backup-first/run.ts";
import { requireBreakable, requireMayOverride, reviewableBy } from "./facets/override/steps.ts";
import { offerPasskey, removedPasskey, requireSigned } from "./facets/passkey/gate.ts";
import { hasTyped, requireName, requireUnchanged } from "./facets/protection/steps.ts";
import { type DecidedSchedule, storeSchedule } from "./facets/schedule/change.ts";
import { wasDone } from "./reconcile.ts";
import { enterOrder, repeatedChange } from "./repeats.ts";
import {
  type Approval,
  hasChosenBackup,
  isBackingUp,
  type MemberRef,
  newestOf,
  type Request,
  unsentOutcome,
} from "./request.ts";
import { isPressOf, withResourceLock } from "./resource-lock.ts";
import { approvalLevel, missingAdmin, type Ruling, readRuling, releaseRequest, reserve, ruleReason } from "./rules.ts";
import { claimAndRun, provenBy } from "./run.ts";
import { requireShown, type ShownFacts } from "./shown-facts.ts";
import { findFor, sayLocked, sayState } from "./state-answers.ts";
import { step, stepAgain } from "./step.ts";
import { readRequest } from "./store.ts";
import { refuseWhileUnknown, subjectKeyOf } from "./unknown-outcome.ts";
import { accessOf } from "./visibility.ts";

// The buttons of a request. Every press gets an answer: one that changes nothing is answered with the state.

export async function deny(app: RequestsApp, id: string, origin: Origin, reason: string): Promise<void> {
  const request = await findFor(app, "deny", id, origin);
  if (!request) return;
  const outcome = unsentOutcome(request, `<@${origin.slackUser}> denied it: ${reason}`, "");
  const denied = await unlessOver(app, request, origin, async () => {
    await requireMay(app, "deny", request, origin);
    return (await endRequest(app, request, { event: "deny", origin, outcome })) !== null;
  });
  if (!denied) await sayState(app, id, origin);
}

/** `by`: the requester's agent, in words, if that withdraws it. */
export async function withdraw(app: RequestsApp, id: string, origin: Origin, by: string | null = null): Promise<void> {
  const request = await findFor(app, "withdraw", id, origin);
  if (!request) return;
  await requireMay(app, "withdraw", request, origin);
  const outcome = isBackingUp(request)
    ? stoppedOutcome(request, by ?? `<@${origin.slackUser}>`)
    : by === null
      ? ""
      : unsentOutcome(request, `${by} withdrew it.`, "");
  const ended = await endRequest(app, request, { event: "withdraw", origin, byAgent: by !== null, outcome });
  if (!ended) return sayState(app, id, origin);
  if (isBackingUp(request)) await releaseRequest(app, request);
  // The message with the outcome is in a channel that this admin may not read.
  const elsewhere = origin.home || origin.view !== null;
  if (!elsewhere && (await accessOf(app, origin).at(request)) !== "whole") await sayState(app, id, origin);
}

/** The decisions that begin with a form. */
export type AskedFirst = "approve" | "deny" | "defer" | "override";

/** Returns the request while it waits, else null. Refuses a member who may not do it, before they fill in its form. */
export async function admits(app: RequestsApp, event: AskedFirst, id: string, origin: Origin): Promise<Request | null> {
  const request = await findFor(app, event, id, origin);
  if (!request) return null;
  if (event === "override") await requireMayOverride(app, request, origin);
  // A command that is gone has no right to ask for: the decision then ends the request.
  else if (operationOf(app, request)) await requireMay(app, event, request, origin);
  return request;
}

/** Another admin confirms that they looked at an emergency override. */
export async function review(app: RequestsApp, id: string, origin: Origin): Promise<void> {
  const request = await findFor(app, "review", id, origin);
  if (!request) return;
  await requireMay(app, "review", request, origin);
  const own = await reviewableBy(app, request, origin);
  const overrides = request.overrides.map((one) =>
    own.includes(one) ? { ...one, reviewedBy: origin.slackUser } : one,
  );
  await step(
    app,
    request,
    "review",
    { overrides },
    { auditOutcome: `Reviewed by <@${origin.slackUser}>.`, by: origin.slackUser },
  );
}

/** The outcome after a stop during the backup. The backup itself cannot be stopped. */
function stoppedOutcome(request: Request, by: string): string {
  const copy =
    request.backupFirst?.step === "taking" ? " The backup continues, and stays until somebody deletes it." : "";
  return `${by} stopped it after the backup began. ${untouched(request)}${copy}`;
}

/** How the presser decided. */
export interface PressOptions extends Manner {
  /** The facts that their passkey signed on the page. */
  assertion?: Assertion | undefined;
  /** The facts that their button or modal showed; null if they read a page. */
  shown: ShownFacts | null;
}

/** Milliseconds. A press waits this long for another press of the same request, and checks this often. */
const longestWaitMs = 60_000;
const checkEveryMs = 250;

/** The event of a deciding press. */
export function pressEvent({ override }: Manner): "approve" | "override" {
  return override === undefined ? "approve" : "override";
}

/**
 * The deciding press: collects approvals, and runs the request when it has all it needs. Resolves to true if it counted: a step that names
 * the presser was stored. Otherwise the presser got an answer, or it ended the request.
 */
export async function press(
  app: RequestsApp,
  id: string,
  origin: Origin,
  how: PressOptions = { shown: null },
): Promise<boolean> {
  const request = await findFor(app, pressEvent(how), id, origin);
  return request !== null && unlessOver(app, request, origin, () => checkAndRun(app, request, origin, how));
}

/** Ends the request if it can never run as it was decided: the press decided nothing. */
async function unlessOver(
  app: RequestsApp,
  request: Request,
  origin: Origin,
  press: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await press();
  } catch (error) {
    if (!(error instanceof Over)) throw error;
    const outcome = unsentOutcome(request, error.why, error.advice);
    await endRequest(app, request, { event: "void", origin, outcome });
    return false;
  }
}

async function checkAndRun(app: RequestsApp, request: Request, origin: Origin, how: PressOptions): Promise<boolean> {
  const { counted } = how;
  if (request.bulk?.counted && counted !== request.bulk.outcomes.length)
    throw new Refusal(`Type the number of ${request.bulk.nouns} first. Nothing was done.`);
  // Nobody can be held to the right to decide a command that is gone, and the request could never be run.
  requireOperation(app, request);
  await requireMay(app, pressEvent(how), request, origin);
  return afterOtherPresses(app, request, await bindRequester(app, request), origin, how);
}

/**
 * Waits while another press of the same request is under way. That press may fail: until its claim is stored, no answer may say that it
 * was first.
 */
async function afterOtherPresses(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
  origin: Origin,
  how: PressOptions,
): Promise<boolean> {
  const { store, clock } = app;
  const holder = { ...request, slackUser: origin.slackUser };
  const key = subjectKeyOf(app, bound.operation, request);
  let now: Request | undefined = request;
  for (let waitedMs = 0; ; waitedMs += checkEveryMs) {
    const current: Request = now;
    const work = () => unlessOver(app, current, origin, () => decideLocked(app, current, bound, origin, how));
    const done = await withResourceLock<boolean | { by: unknown }>(store.locks, key, holder, work, async (by) => ({
      by,
    }));
    if (typeof done === "boolean") return done;
    if (!isPressOf(request.id, done.by) || waitedMs >= longestWaitMs) {
      await sayLocked(app, done.by, origin);
      return false;
    }
    await sleep(clock, checkEveryMs);
    now = await readRequest(app, request.id);
    // Once the request was sent, or refused, an earlier press must decide nothing more.
    if (now?.state !== "pending" || now.attemptedAt !== request.attemptedAt)
      return sayUncounted(app, request.id, origin);
  }
}

async function sayUncounted(app: RequestsApp, id: string, origin: Origin): Promise<false> {
  await sayState(app, id, origin);
  return false;
}

/**
 * Decides under the lock of the resource, in this order. First the reasons to end it: nobody is asked for a passkey that decides nothing.
 * The passkey comes before the approvals, since it proves the one that is added: the page shows every fact as it is now, and a press
 * without a page counts only for the facts that it showed. Each approval but the last is only stored. A schedule stops there: the rest is
 * for an act that is sent now. The name of a protected resource is asked first of all that a member gives.
 */
async function decideLocked(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
  origin: Origin,
  { assertion, shown, ...manner }: PressOptions,
): Promise<boolean> {
  const { override, named } = manner;
  await refuseWhileUnknown(app, bound.operation, request);
  // The first sending may have worked. Then nothing is sent, and the facts that it changed must not void the request.
  if (request.unsettled && (await wasDone(app, request, bound))) return false;
  const judged = await judge(app, request, bound, origin, manner);
  const { ruling, first, needs, approvers, checked } = judged;
  // The rules may name other people by now, or name some for the backup. Nobody is asked for a name or a passkey in vain.
  if (needs > 0) requireApprover(approvers, origin.slackUser);
  const protection = await requireName(app, request, checked.destroys, named);
  const takesPasskey =
    app.passkeys.mode !== "off" && [ruling.passkey, first?.ruling.passkey, request.ruling.passkey].some(Boolean);
  if (takesPasskey && !assertion) {
    await offerPasskey(app, request, origin, manner);
    return false;
  }
  if (assertion) await requireSigned(app, request, origin, { ...manner, assertion });
  else requireShown(request, manner, shown);
  // Earlier approvers were not shown the backup that this press chooses.
  const before = first !== null && !hasChosenBackup(request) ? [] : request.approvals;
  const typed = { ...request, approvals: before.filter((one) => hasTyped(one, protection)) };
  const held = { takesPasskey, named: approvers };
  const approvals = needs === 0 ? [] : await approvalsWith(app, typed, bound.operation, origin, held);
  await requireUnchanged(app, request, checked.destroys, protection);
  const decided = { approvals, assertion, withBackup: first !== null };
  if (approvals.length < needs)
    return keepApprovals(app, request, origin, { ...decided, needs, before: typed.approvals });
  if (override === undefined) await requireAdminApproval(app, request, ruling, approvals);
  if (request.schedule && override === undefined) return storeSchedule(app, { ...decided, request, origin });
  return runNow(app, request, judged, origin, { ...manner, assertion, approvals });
}

/** A request with its facts, its rules and its price as they are now, and the number of approvals that it needs. */
interface Judged {
  checked: CheckedFacts;
  priced: Request;
  ruling: Ruling;
  first: PreparedBackup | null;
  needs: number;
  /** The Slack users whom the rules let approve it; null if they name none. */
  approvers: string[] | null;
}

/** Reads again what a request is about, and holds it to the rules. Throws Over if it can never run as it was asked. */
async function judge(
  app: RequestsApp,
  request: Request,
  bound: BoundOperation,
  origin: Origin,
  { override, withBackup }: Manner,
): Promise<Judged> {
  const checked = await readFacts(app, request, bound);
  // An emergency override runs at once: it is judged by the rules of now, not of the scheduled time.
  const schedule = override === undefined ? request.schedule : null;
  const priced = { ...request, price: checked.price, schedule };
  const ruling = await readRuling(app, priced, checked.act);
  const { demand, rule } = ruling;
  if (demand === "not-allowed")
    throw new Over(`A rule of this workspace no longer allows it. ${rule ? demandSentence(rule) : ""}`, "");
  // If the requester or one of two approvers chose the backup first, it is taken: the safer choice wins.
  const first = withBackup || hasChosenBackup(request) ? await prepareBackup(app, request, origin) : null;
  const needed = Math.max(
    approvalLevel(demand).needed,
    request.needed,
    first ? approvalLevel(first.ruling.demand).needed : 0,
  );
  const needs = override === undefined ? needed : 0;
  if (needs > 0 && request.mode === "self")
    throw new Over(
      `The rules of this workspace changed since it was asked: ${ruleReason(ruling) ?? "others must approve it now."}`,
    );
  if (override !== undefined) requireBreakable(request, ruling, first);
  const approvers = sharedApprovers(ruling.approvers, first?.ruling.approvers ?? null);
  return { checked, priced, ruling, first, needs, approvers };
}

async function requireAdminApproval(
  app: RequestsApp,
  request: Request,
  ruling: Ruling,
  approvals: readonly Approval[],
): Promise<void> {
  const missing = await missingAdmin(app, { admin: ruling.admin || request.ruling.admin }, approvals);
  if (missing) throw new Refusal(`${missing} Nothing was done.`);
}

/** Reserves its price last: a gate after that could leave the sum reserved. */
async function runNow(
  app: RequestsApp,
  request: Request,
  { checked, priced, ruling, first }: Judged,
  origin: Origin,
  { second, override, approvals, assertion }: Omit<PressOptions, "shown"> & { approvals: Approval[] },
): Promise<boolean> {
  // Only the second press may skip the orders that were shown: an ordinary press must meet them again.
  const shown = second ? request : { ...request, repeats: [] };
  const others = await enterOrder(app, shown, checked.act.makes);
  if (others.length > 0) {
    await askAboutRepeat(app, request, origin, others);
    return false;
  }
  if (!(await reserve(app, priced, ruling, { read: checked.act, first })))
    throw new Refusal(
      "Other spending was counted meanwhile, and a stricter rule applies now. Nothing was done. Press again.",
    );
  const isBegun = await claimAndRun(app, { request, checked, origin, approvals, assertion, override, first });
  const now = first && (await readRequest(app, request.id));
  // The presser reads at once that the backup was refused.
  if (now && isBackingUp(now)) await followBackup(app, now);
  return isBegun;
}

/** Sends nothing, and shows the presser the same orders of the last minutes first. */
async function askAboutRepeat(app: RequestsApp, request: Request, origin: Origin, others: Request[]): Promise<void> {
  const unseen = others.filter(({ id }) => !request.repeats.includes(id));
  if (unseen.length === 0) return sayState(app, request.id, origin);
  const change = await repeatedChange(app, request, unseen);
  const advanced = await stepAgain(
    app,
    request,
    "askAboutRepeat",
    { ...change, ...newestOf(request, origin) },
    { by: origin.slackUser },
  );
  if (!advanced) await sayState(app, request.id, origin);
}

/**
 * The approvals that are still valid, plus the presser's own. Refuses a presser who is the same person as an earlier approver.
 * `takesPasskey`: an approval without one, from before a rule asked for it, no longer counts, and neither does one whose passkey was
 * removed since. `named`: the Slack users whom the rules let approve it; null if they name none.
 */
async function approvalsWith(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  { member, slackUser }: MemberRef,
  { takesPasskey, named }: { takesPasskey: boolean; named: string[] | null },
): Promise<Approval[]> {
  const stillValid: Approval[] = [];
  for (const approval of request.approvals) {
    if (approval.member === member || !isApprover(named, approval.slackUser)) continue;
    if (takesPasskey && !(await isProven(app, request, approval))) continue;
    // Any error ends it: the presser waits, and another member can approve in that one's place.
    if (await stillApproves(app, request, operation, approval, isPlatformError)) stillValid.push(approval);
  }
  const links = await app.identities.links(member);
  const own = { member, slackUser, at: app.clock.now(), key: links[operation.api]?.keyLabel ?? "", ...marksOf(links) };
  const same = await findSamePerson(app, own, stillValid);
  if (same !== null)
    throw new Refusal(
      `<@${same.slackUser}> approved this, and you are or were linked as the same platform user. So you do not count as somebody else.`,
    );
  return [...stillValid, own];
}

async function isProven(app: RequestsApp, request: Request, { member }: Approval): Promise<boolean> {
  const own = request.proof?.by.filter((by) => by.member === member) ?? [];
  return own.length > 0 && (await removedPasskey(app, { proof: { by: own, salt: null } })) === null;
}

/** Stores the approvals of a request that still needs more of them. */
async function keepApprovals(
  app: RequestsApp,
  request: Request,
  who: Origin,
  decided: Pick<DecidedSchedule, "approvals" | "assertion" | "withBackup"> & {
    needs: number;
    before: readonly Approval[];
  },
): Promise<boolean> {
  const { approvals, needs, withBackup, assertion, before } = decided;
  const proven = provenBy(request, assertion);
  const isValid = ({ member }: Pick<MemberRef, "member">) => approvals.some((one) => one.member === member);
  const proof = proven && { ...proven, by: proven.by.filter(isValid) };
  // A member who approved without a passkey, or with one that was removed since, approves again with another.
  const isNew = assertion && !request.proof?.by.some(({ credential }) => credential === assertion.credential);
  if (before.some(({ member }) => member === who.member) && !isNew)
    throw new Refusal("You approved this already; somebody else must, too.");
  const isVoiding = withBackup && !hasChosenBackup(request) && request.approvals.some((one) => !isValid(one));
  const backupFirst =
    request.backupFirst && withBackup
      ? {
          ...chosen(request.backupFirst, who.slackUser),
          ...(isVoiding ? { changedAt: app.clock.now() } : {}),
        }
      : request.backupFirst;
  const advanced = await step(
    app,
    request,
    "approveInPart",
    { approvals, proof, needed: needs, backupFirst },
    // The request itself names nobody yet: if it expires, nobody decided it.
    { auditOutcome: `Approved by ${approvals.length} of ${needs}.`, by: who.slackUser, assertion },
  );
  return advanced !== null || sayUncounted(app, request.id, who);
}
