import type { Link } from "../members/identities/link.ts";
import type { Origin } from "../messages/origin.ts";
import { sharedApprovers } from "../policy/evaluate.ts";
import { count } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { findApprovers } from "./audience.ts";
import { operationOf } from "./checks.ts";
import { isApprover } from "./deciders.ts";
import { askOwner } from "./facets/agent/ask-owner.ts";
import { foundAnew } from "./facets/approvers/record.ts";
import {
  type Amendment,
  isBulkWorking,
  isWaiting,
  type MemberRef,
  newestOf,
  type Request,
  unsentOutcome,
} from "./request.ts";
import {
  approvalLevel,
  demandedOf,
  lackingNow,
  readBackupRuling,
  readRuling,
  ruleReason,
  strictestDemand,
} from "./rules.ts";
import { cellOf, hasParts } from "./states.ts";
import { step, stepAgain } from "./step.ts";
import {
  allOf,
  amend,
  amendNewest,
  jobTimer,
  openRequests,
  partsTimer,
  readRequest,
  readUnfinished,
  scheduledRequests,
} from "./store.ts";
import { requestStateWords } from "./view.ts";

/** Ends a request that was not run. `byAgent`: the requester's agent did, and no person. Resolves to null if another process took a step first. */
export function endRequest(
  app: RequestsApp,
  request: Request,
  {
    event,
    origin,
    byAgent = false,
    outcome,
  }: { event: "void" | "withdraw" | "deny"; origin: Origin; byAgent?: boolean; outcome: string },
): Promise<Request | null> {
  const { slackUser } = origin;
  const now = app.clock.now();
  const decidedBy = event === "void" || byAgent ? null : slackUser;
  const decided = { decidedBy, decidedAt: now, ...newestOf(request, origin) };
  const reason = outcome || (request.unsettled ? `<@${slackUser}> decided so.` : "");
  // A withdrawal has no outcome of its own: the message words its state.
  const auditOutcome = outcome || requestStateWords({ ...request, ...decided, state: "withdrawn" });
  return step(app, request, event, { ...decided, outcome: reason }, { auditOutcome, by: decided.decidedBy });
}

/**
 * Removes a member's approvals after they unlinked a key, or linked one of another platform user over it, unless the act has begun. Every
 * approval is checked again before the run; this tells people at once.
 */
export async function endApprovals(app: RequestsApp, link: Pick<Link, "member" | "api">): Promise<void> {
  for (const list of [scheduledRequests, openRequests])
    for await (const request of allOf(app, list))
      if (needsKey(request, link)) await removeApproval(app, request, link.member);
}

/** An approval needs a key of the request's API, and the customer key, which proves the person. */
function needsKey(request: Request, link: Pick<Link, "member" | "api">): boolean {
  const { api, approvals } = request;
  if (!cellOf("takeBackApproval", request)) return false;
  return (link.api === api || link.api === "customer") && approvals.some(({ member }) => member === link.member);
}

async function removeApproval(app: RequestsApp, request: Request, member: string): Promise<void> {
  const gone = request.approvals.find((approval) => approval.member === member);
  const who = `<@${gone?.slackUser}>, who approved this, no longer has the key linked with which they approved.`;
  if (request.state === "scheduled") {
    await stepAgain(app, request, "takeBackApproval", { outcome: unsentOutcome(request, who) });
    return;
  }
  const approvals = request.approvals.filter((approval) => approval.member !== member);
  // Their passkey goes as well: if it were removed later, it would void a request that others decided.
  const proof = request.proof && { ...request.proof, by: request.proof.by.filter((by) => by.member !== member) };
  const outcome = `${who} Another member must approve it in their place.`;
  await stepAgain(app, request, "takeBackApproval", { approvals, proof, outcome });
}

/** Voids a member's waiting requests, and ends their tracking, after the key was removed. `why`: a sentence. */
export async function endRequests(
  app: RequestsApp,
  { member, keyId }: Pick<Link, "member" | "keyId">,
  why: string,
): Promise<void> {
  const { store, clock } = app;
  for (const request of await readUnfinished(app, member)) {
    if (request.requester.keyId !== keyId) continue;
    if (isWaiting(request)) await step(app, request, "void", { outcome: unsentOutcome(request, why, "") });
    // Else it would end for want of the key, and its card would not say why that is gone.
    await amendNewest(app, request.id, (newest) => stoppedBecause(newest, why));
    // The next poll finds that the key is gone, and ends the tracking.
    const lane = hasParts(request) ? partsTimer : jobTimer;
    if (request.state === "working") await store.timers.set(`${lane}${request.id}`, clock.now());
  }
}

/** The change by which a bulk request begins no more targets, for this reason; null of any other, and of one that has a reason. */
function stoppedBecause(request: Request, why: string): Amendment | null {
  if (!isBulkWorking(request) || request.bulk.stopped !== null) return null;
  return { bulk: { ...request.bulk, stopped: why } };
}

type ApproversOf = NonNullable<Request["approvers"]>;

/**
 * Finds the approvers of a pending request anew, and stores what `change` makes of them: null changes nothing. Again if the request was
 * changed meanwhile: Slack is asked about people, and an approval, or the call of another one, may come in that time.
 */
async function callAnew(
  app: RequestsApp,
  first: Request,
  change: (approvers: ApproversOf, found: Awaited<ReturnType<typeof findApprovers>>) => ApproversOf | null,
): Promise<void> {
  for (let request: Request | undefined = first; request; request = await readRequest(app, first.id)) {
    const operation = operationOf(app, request);
    if (request.state !== "pending" || !operation || request.approvers === null) return;
    const approvers = change(request.approvers, await findApprovers(app, request, operation));
    if (approvers === null || (await amend(app, request, { approvers }))) return;
  }
}

/** Calls a member who linked a key to the requests that had too few approvers. */
export async function callNewApprover(app: RequestsApp, { slackUser }: Pick<MemberRef, "slackUser">): Promise<void> {
  for await (const request of allOf(app, openRequests)) {
    if (request.approvers === null || request.approvers.tooFew === null) continue;
    await callAnew(app, request, (approvers, { able, ...found }) => {
      if (!able.includes(slackUser)) return null;
      const others = approvers.called.filter((call) => call.slackUser !== slackUser);
      const called = [...others, { slackUser, at: app.clock.now(), insteadOf: null }];
      return { ...foundAnew(approvers, found), called };
    });
  }
}

/** Calls the stand-in of a member who is away now to the waiting requests that had notified the member. */
export async function callStandIn(app: RequestsApp, slackUser: string): Promise<void> {
  for await (const request of allOf(app, openRequests)) {
    if (request.approvers === null || !isNotified(request.approvers, slackUser)) continue;
    await callAnew(app, request, (approvers, found) => {
      const absent = found.away.find((one) => one.slackUser === slackUser);
      const standIn = absent?.standIn ?? null;
      const isNew = standIn !== null && !isNotified(approvers, standIn);
      const called = isNew ? [{ slackUser: standIn, at: app.clock.now(), insteadOf: absent?.name ?? null }] : [];
      return { ...foundAnew(approvers, found), called: [...approvers.called, ...called] };
    });
  }
}

/** True if the request was posted with a mention of the member, also among a whole group, or they have a message of it. */
function isNotified(
  { mention, reached, direct, called }: NonNullable<Request["approvers"]>,
  slackUser: string,
): boolean {
  if (mention?.includes(`<@${slackUser}>`)) return true;
  return [...reached.notified, ...direct, ...called].some((one) => one.slackUser === slackUser);
}

/** Applies stricter rules to requests that are pending or scheduled. */
export async function tightenAll(app: RequestsApp): Promise<void> {
  for await (const request of allOf(app, openRequests)) if (request.state === "pending") await tighten(app, request);
  for await (const request of allOf(app, scheduledRequests)) await tightenDecided(app, request);
}

/** A scheduled request was decided by older rules. If the present ones demand more, it becomes void. */
async function tightenDecided(app: RequestsApp, request: Request): Promise<void> {
  const { required, why } = await lackingNow(app, request);
  if (why === null) return;
  const operation = operationOf(app, request);
  if (operation && (await askOwner(app, request, operation, { why, ruling: required }))) return;
  await end(app, request, why, required.demand === "not-allowed" ? "" : undefined);
}

/** The present rules about a pending request and the backup before it, with their words. */
async function readDemands(app: RequestsApp, request: Request) {
  const ruling = await readRuling(app, request);
  const backup = await readBackupRuling(app, request);
  const [rule, backupRule] = [ruleReason(ruling), backup && ruleReason(backup, backup.price)];
  const reasons = [...new Set([rule, backupRule])].filter((reason) => reason !== null);
  const words = reasons.length > 0 ? ` The rule: ${reasons.join(" ")}` : "";
  const forbidden = [ruling, backup].findIndex((one) => one?.demand === "not-allowed");
  const demanded = { ...demandedOf(ruling, backup), demand: strictestDemand(ruling, backup) };
  const backupFirst =
    request.backupFirst && backup ? { ...request.backupFirst, rule: backupRule } : request.backupFirst;
  const isOverridable = ruling.rule?.overridable ?? false;
  return { demanded, isOverridable, forbidden: ["it", "the backup before it"][forbidden], rule, words, backupFirst };
}

/** A pending request needs more approvals then, or becomes void. Looser rules change nothing. */
async function tighten(app: RequestsApp, request: Request): Promise<void> {
  const { demanded, isOverridable, forbidden, rule, words, backupFirst } = await readDemands(app, request);
  if (forbidden) return end(app, request, `A rule of this workspace no longer allows ${forbidden}.${words}`, "");
  const admin = demanded.admin || request.ruling.admin;
  const { needed, mode } = approvalLevel(demanded.demand);
  const overridable = request.ruling.overridable && isOverridable;
  const passkey = request.ruling.passkey || demanded.passkey;
  const named = sharedApprovers(request.ruling.approvers, demanded.approvers);
  if (needed > 0 && named?.length === 0) return end(app, request, `Other people must approve it now.${words}`);
  const isSame =
    overridable === request.ruling.overridable &&
    admin === request.ruling.admin &&
    passkey === request.ruling.passkey &&
    named?.length === request.ruling.approvers?.length;
  if (needed <= request.needed && isSame) return;
  // Only the requester saw it: there is no place where others could decide it.
  if (needed > request.needed && request.mode !== mode) return end(app, request, `Others must approve it now.${words}`);
  const stored = { ...request.ruling, rule, overridable, admin, passkey, approvers: named };
  const approvals = request.approvals.filter(({ slackUser }) => isApprover(named, slackUser));
  const tightened = { ...request, needed: Math.max(needed, request.needed), ruling: stored, approvals };
  const approvers = await callMore(app, request, tightened);
  const auditOutcome = `${tightenedWords(request, tightened)}${words}`;
  const change = { needed: tightened.needed, ruling: stored, approvals, approvers, backupFirst };
  await step(app, request, "tighten", change, { auditOutcome });
}

/** Calls the approvers once more if a request needs more of them, an admin or others: an edit of its message notifies nobody. */
async function callMore(app: RequestsApp, before: Request, request: Request): Promise<Request["approvers"]> {
  const { approvers, needed, ruling } = request;
  const operation = operationOf(app, request);
  const isSame =
    needed === before.needed &&
    ruling.admin === before.ruling.admin &&
    ruling.approvers?.length === before.ruling.approvers?.length;
  if (!operation || !approvers || isSame) return approvers;
  return { ...foundAnew(approvers, await findApprovers(app, request, operation)), raisedAt: app.clock.now() };
}

/** Words what a stricter rule changed, for the audit log. */
function tightenedWords(before: Request, now: Pick<Request, "needed" | "ruling">): string {
  const changes = [
    ...(now.needed > before.needed ? [`It needs ${count(now.needed, "approval")} now.`] : []),
    ...(now.ruling.admin && !before.ruling.admin ? ["One of the approvers must be an admin now."] : []),
    ...(now.ruling.approvers?.length === before.ruling.approvers?.length
      ? []
      : ["Only the people whom the rules name can approve it now."]),
    ...(now.ruling.passkey && !before.ruling.passkey ? ["It needs a passkey now."] : []),
    ...(before.ruling.overridable && !now.ruling.overridable ? ["An emergency override is no longer possible."] : []),
  ];
  return changes.join(" ");
}

async function end(app: RequestsApp, request: Request, why: string, advice?: string): Promise<void> {
  const outcome = unsentOutcome(request, `The rules of this workspace changed. ${why}`, advice);
  await step(app, request, "void", { outcome });
}
