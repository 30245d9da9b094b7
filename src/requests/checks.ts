import { admit, markRejected, requireRecent } from "../members/access/access.ts";
import { type BoundAct, type BoundOperation, bind, bindPinned } from "../members/access/bound.ts";
import { comparePeople, type Person, personOf, slackUserIn } from "../members/identities/person.ts";
import { isAdmin } from "../messages/admins.ts";
import { errorText, isLasting, sealLost, whoseKey } from "../messages/answers/error-text.ts";
import type { Origin } from "../messages/origin.ts";
import type { Act } from "../operation/act.ts";
import type { Json } from "../operation/answer.ts";
import { Gone, goneState, InputError, NotYet, Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import { SealBroken } from "../storage/errors.ts";
import type { RequestsApp } from "./app.ts";
import { actOwner, reachOf, readRequesters, requireApprover } from "./deciders.ts";
import { beginBulk } from "./facets/bulk/act.ts";
import { readTargets } from "./facets/bulk/targets.ts";
import { requireMayOverride, requireReviewer } from "./facets/override/steps.ts";
import { identityChanges, preconditionChanges, priceChanges } from "./preconditions.ts";
import type { MemberRef, Request } from "./request.ts";
import { openedInput } from "./sealed.ts";
import { cellOf, type PressEvent, type Presser } from "./states.ts";

/** The request can never run as it was decided, and ends. `why` is a sentence. */
export class Over extends Refusal {
  override readonly name = "Over";
  readonly why: string;
  /** The next move of whoever still needs it; empty where asking again is no use. */
  readonly advice: string;

  constructor(why: string, advice = "Ask again if you still need it.") {
    super(`${why} Nothing was done.${advice === "" ? "" : ` ${advice}`}`);
    this.why = why;
    this.advice = advice;
  }
}

/** The act and its facts, as read at the press. */
export interface CheckedFacts extends BoundAct {
  /** The state to reconcile with. The review has it; an act without a review reads it by itself. */
  before: Json;
  price: Request["price"];
  /** The ids of what it destroys beside its target. */
  destroys: readonly string[];
}

/** Throws a Refusal if the member may not cause the event in the request's state: see the table of events. */
export async function requireMay(app: RequestsApp, event: PressEvent, request: Request, origin: Origin): Promise<void> {
  const by = cellOf(event, request)?.by;
  if (by) await requirements[by](app, request, origin, event);
}

/** For each entry of `by` in the table of events. */
const requirements: Record<
  Presser,
  (app: RequestsApp, request: Request, who: MemberRef, event: PressEvent) => Promise<void>
> = {
  "a member who may decide it": (app, request, who, event) =>
    requireDecider(app, request, requireOperation(app, request), who, event),
  async "the requester, or a member who may decide it"(app, request, who, event) {
    if (who.member === request.requester.member) return admit(app, who.slackUser, { fresh: true });
    await requireDecider(app, request, requireOperation(app, request), who, event);
  },
  "an admin, by the rule": async (app, request, who) => {
    await requireMayOverride(app, request, who);
    await requireSight(app, request, await bindAble(app, request, requireOperation(app, request), who));
  },
  "the requester, for another time": async (_, request, who) => {
    if (who.member === request.requester.member) return;
    throw new Refusal(
      `Only <@${request.requester.slackUser}>, who asked, can reschedule this request. Nothing changed. An approver or an admin can withdraw the request.`,
    );
  },
  "the requester, about its backup": async (_, request, who) => {
    if (who.member === request.requester.member) return;
    throw new Refusal(
      `Only <@${request.requester.slackUser}>, who asked, can choose the backup before any approval. Nothing changed.`,
    );
  },
  "the requester or an admin": (app, request, who) => requireOwn(app, request, who),
  "the requester, an approver or an admin": (app, request, who) => requireOwn(app, request, who, { orApproved: true }),
  "another admin": requireReviewer,
};

/** The operation of a request; null if this version does not have it any more. */
export function operationOf(
  { registry }: Pick<RequestsApp, "registry">,
  { command }: Pick<Request, "command">,
): PlatformOperation | null {
  const found = registry.find(command);
  return found && found.api !== "app" ? found : null;
}

export function requireOperation(
  app: Pick<RequestsApp, "registry">,
  request: Pick<Request, "command">,
): PlatformOperation {
  const found = operationOf(app, request);
  if (found) return found;
  throw new Over("This version of Rackbell no longer has that command.", "");
}

/** Throws a Refusal with the reason if the member may not decide the request. */
async function requireDecider(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  who: MemberRef,
  event: PressEvent = "approve",
): Promise<void> {
  await admit(app, who.slackUser, { fresh: true });
  if (request.mode !== "peer") {
    if (who.member !== request.requester.member)
      throw new Refusal(`Only <@${request.requester.slackUser}> can press this: it runs with their key.`);
    return;
  }
  if (who.member === request.requester.member) throw new Refusal(ownWords[event] ?? ownWords.approve);
  if (who.slackUser === request.originator)
    throw new Refusal(
      `You wanted this, and <@${request.requester.slackUser}> took it over for you, so a teammate has to approve it.`,
    );
  requireApprover(request.ruling.approvers, who.slackUser);
  const bound = await bindAble(app, request, operation, who);
  // An order has no resource that a key of another account could not see.
  if (reachOf(app, bound.links, operation, actOwner(request)) === "none") throw new Refusal(cannotSee);
  await requirePeer(app, request, personOf(bound.links));
  await requireSight(app, request, bound);
}

/** The answers to a requester who presses a button of those who decide. */
const ownWords: Partial<Record<PressEvent, string>> & { approve: string } = {
  approve: "You asked for this, so a teammate has to approve it. *Withdraw* takes your request back.",
  deny: "You asked for this, so you cannot deny it: withdraw it. Nothing changed.",
  defer: "You asked for this, so only a teammate can defer it. *Schedule…* sets another time. Nothing changed.",
};

/**
 * True if the approver could approve it now. `isOver`: tells the errors of the platform that end the approval from those that pass and are
 * thrown.
 */
export async function stillApproves(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  approver: MemberRef,
  isOver: (error: unknown) => boolean,
): Promise<boolean> {
  try {
    await requireDecider(app, request, operation, approver);
    return true;
  } catch (error) {
    if (error instanceof Refusal || isOver(error)) return false;
    throw error;
  }
}

/**
 * Throws a Refusal if the requester may not use Rackbell any more. It runs with the requester's key: a requester who became a guest, or
 * was deactivated, must run nothing.
 */
export function admitRequester(app: Pick<RequestsApp, "people">, { requester: { slackUser } }: Request): Promise<void> {
  return admit(app, slackUser, { fresh: true, whose: `<@${slackUser}>, who asked,` });
}

/** The sentence of a Refusal that is final. Any other error is thrown again, so that the caller is retried. */
export function refusalReason(error: unknown): string {
  if (error instanceof Over) return error.why;
  if (error instanceof Refusal) return error.message;
  throw error;
}

async function bindAble(
  app: RequestsApp,
  request: Request,
  operation: PlatformOperation,
  { member }: MemberRef,
): Promise<BoundOperation> {
  // Ask the platform again: a scope that the key lost since must not count. It answers while Slack does.
  const [admitted, refreshed] = await Promise.allSettled([
    admitRequester(app, request),
    app.identities.refresh(member, operation.api),
  ]);
  for (const asked of [admitted, refreshed]) if (asked.status === "rejected") throw asked.reason;
  return bind(app, operation, member);
}

/** Refuses a presser who may be the same person as the requester, or as the originator. */
async function requirePeer(app: RequestsApp, request: Request, presser: Person): Promise<void> {
  for (const [at, person] of (await readRequesters(app, request)).entries())
    refuseSamePerson(presser, person, `<@${slackUserIn(person.member)}>, who asked${at > 0 ? " for this first" : ""}`);
}

async function requireSight(app: RequestsApp, request: Request, bound: BoundOperation): Promise<void> {
  // Look in the requester's project, whichever project the approver works in.
  if (!(await isMissing(app, request, bound.in(request.requester.project)))) return;
  // If the requester cannot see it either, the resource is gone: `readFacts` then names that reason, and not the approver's key.
  if (await isMissing(app, request, await bindRequester(app, request))) return;
  throw new Refusal(cannotSee);
}

const cannotSee = "Your key cannot see the resource of this request, so you cannot approve it. Nothing was done.";

/** True if the key finds none of the resources of the request. */
async function isMissing(app: RequestsApp, request: Request, bound: BoundOperation): Promise<boolean> {
  try {
    const { states } = await beginRequest(app, request, bound);
    // The platform still lists a resource that it is deleting; it counts as gone.
    return states.includes(goneState);
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

/** Binds the operation to the requester's key. Throws Over if the key, user or account changed since. */
export async function bindRequester(
  app: RequestsApp,
  request: Pick<Request, "requester" | "command">,
): Promise<BoundOperation> {
  const operation = requireOperation(app, request);
  const { customer, reseller } = await app.identities.links(request.requester.member);
  const { slackUser, keyId, platformUser, account } = request.requester;
  const linked = operation.api === "customer" ? customer : reseller;
  const noKey = `<@${slackUser}> no longer has the key linked with which they asked.`;
  if (linked?.keyId !== keyId) throw new Over(noKey);
  if ((customer?.user.id ?? null) !== platformUser || (customer?.account?.id ?? null) !== account)
    throw new Over(`The user or account of <@${slackUser}> at the platform is not the same as when they asked.`);
  requireRecent(app, linked, { whose: `<@${slackUser}>, who asked,` });
  const bound = await bindPinned(app, operation, request.requester);
  if (bound) return bound;
  throw new Over(noKey);
}

/** Reads the preconditions again with the requester's key. Throws Over if one changed, and a NotYet if the platform does not answer. */
export async function readFacts(app: RequestsApp, request: Request, bound: BoundOperation): Promise<CheckedFacts> {
  try {
    const act = await beginRequest(app, request, bound);
    await act.usable();
    // An act that erases must meet the machine that was shown, and its address may be at a route of its own.
    const erases = request.risk === "destroy";
    const [{ preconditions, before, price, destroys = [] }, identity] = await Promise.all([
      act.review(),
      erases ? act.readIdentity() : act.identity,
    ]);
    const changes = [
      ...identityChanges(
        { name: request.target?.name ?? null, ...request.identity },
        { ...act, identity },
        request.risk,
      ),
      ...preconditionChanges(request.review.preconditions, preconditions),
    ];
    if (changes.length === 0) changes.push(...priceChanges(request.price, price));
    if (changes.length > 0) throw new Over(changedWords(changes.join(" ")));
    return { bound, act, before: before ?? (await act.before()), price, destroys };
  } catch (error) {
    await markRejected(app, request.requester, error);
    throw readingError(app, request, error);
  }
}

/** The error of a reading, as the request takes it. */
function readingError({ clock }: RequestsApp, { requester }: Request, error: unknown): Over | Refusal | NotYet {
  const { text } = errorText(error, clock.now(), whoseKey(requester.slackUser));
  if (error instanceof Gone) return new Over(error.fact);
  if (isGone(error)) return new Over(changedWords(text));
  if (error instanceof SealBroken) return new Over(sealLost);
  if (error instanceof Refusal) return error;
  return isLasting(error) ? new Refusal(text) : new NotYet(text);
}

async function requireOwn(
  app: RequestsApp,
  request: Request,
  { member, slackUser }: MemberRef,
  { orApproved = false } = {},
): Promise<void> {
  const approved = request.approvals.some((approval) => approval.member === member);
  if (member === request.requester.member || (orApproved && approved) || (await isAdmin(app, slackUser))) return;
  const act = request.state === "working" ? "stop" : "withdraw";
  throw new Refusal(
    `Only <@${request.requester.slackUser}>${orApproved ? ", an approver" : ""} or an admin can ${act} this.`,
  );
}

/** Throws a Refusal unless two people are proven to be different. `whose` names the other one in the sentence. */
function refuseSamePerson(presser: Person, other: Person, whose: string): void {
  const compared = comparePeople(presser, other);
  if (compared === "one")
    throw new Refusal(
      `You are or were linked as the same platform user as ${whose}, so you do not count as somebody else.`,
    );
  if (compared === "two") return;
  throw new Refusal(
    presser.users.length === 0
      ? "Your only linked key is a reseller key, and it does not name its owner. So you do not count as somebody else. Link your customer key as well."
      : `${whose}, has no customer key linked, so nobody counts as somebody else. After they link one with \`/rackbell link\`, you can approve.`,
  );
}

/** True if the error says that the resource does not exist any more. */
function isGone(error: unknown): boolean {
  return (
    error instanceof InputError || error instanceof Gone || (error instanceof PlatformRefused && error.status === 404)
  );
}

function changedWords(changes: string): string {
  return `Something changed since this request. ${changes}`;
}

/** Prepares the act of a request, and reads its target again. Writes nothing at the platform. */
export async function beginRequest(app: RequestsApp, request: Request, bound: BoundOperation): Promise<Act> {
  const { id, target } = request;
  if (request.bulk) return beginBulk(request, await readTargets(app, id), bound);
  const call = { id, targetId: target?.id ?? null, resolved: true, now: app.clock.now() };
  return bound.begin({ ...call, input: openedInput(app, request) });
}
