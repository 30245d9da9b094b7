import { type AccessApp, isKeyUsable, may } from "../members/access/access.ts";
import { type Links, slackUserOf } from "../members/identities/link.ts";
import { areTwoPeople, memberBeside, type Person, personOf } from "../members/identities/person.ts";
import { Refusal } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { code, listingOf } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import type { MemberRef, Request } from "./request.ts";

// The members who could decide an act, judged by links alone. Each press is checked against the platform.

/** The parts of the app that say if a key still counts. */
type UsableApp = Pick<AccessApp, "linkMaxAgeMs" | "clock">;

/** The owner and the place of the resources of an act, and the only Slack users whom a rule lets approve it; null if none does. */
export interface ActOwner {
  approvers: readonly string[] | null;
  requester: Pick<Request["requester"], "account" | "platformUser">;
  /** The projects of its resources; null among them is an unknown one. */
  projects: readonly ({ id: string } | null)[];
}

export function actOwner({
  requester,
  bulk,
  identity,
  ruling,
}: Pick<Request, "requester" | "bulk" | "identity" | "ruling">): ActOwner {
  return { approvers: ruling.approvers, requester, projects: bulk?.projects ?? [identity.project] };
}

/** True if the rules let this Slack user approve. Another account of the same person is not named. */
export function isApprover(approvers: readonly string[] | null, slackUser: string): boolean {
  return approvers?.includes(slackUser) ?? true;
}

/** Throws a Refusal with the people whom a rule lets approve it, if this Slack user is none of them. */
export function requireApprover(approvers: readonly string[] | null, slackUser: string): void {
  if (approvers === null || isApprover(approvers, slackUser)) return;
  const named = approvers.map((user) => `<@${user}>`);
  const who = approvers.length === 0 ? "nobody: its rules name different people" : listingOf(named, mostNamed);
  throw new Refusal(
    `The approval rules let only these people decide this: ${who}. Nothing was done. Its requester or an admin can withdraw it.`,
  );
}

const mostNamed = 5;

/**
 * The part of the act's resources that a member's key of its API can reach: none while the platform rejects the key, or it is overdue. `unproven`: only the key's own list tells. No route names the
 * account of a reseller key.
 */
export function reachOf(
  app: UsableApp,
  links: Links,
  { api }: PlatformOperation,
  { requester, projects }: Omit<ActOwner, "approvers">,
) {
  const { [api]: linked, customer } = links;
  if (!linked || !isKeyUsable(app, linked)) return "none";
  if (api === "reseller" || !customer) return "unproven";
  const { user, account, bound } = customer;
  if (holderOf(account?.id ?? null, user.id) !== holderOf(requester.account, requester.platformUser)) return "none";
  if (bound === null) return "all";
  if (projects.some((project) => project !== null && project.id !== bound.id)) return "none";
  return projects.includes(null) ? "unproven" : "all";
}

/** Spec section 2.2: without a team account, a key reaches what its user alone holds. So two users without one share nothing. */
function holderOf(account: string | null, user: string | null): string {
  return account === null ? `user ${user}` : `account ${account}`;
}

/**
 * The requester, and then the member who wanted it first: they never decide it. Keys that they unlinked count as well. Otherwise their other
 * account would pass as somebody else.
 */
export async function readRequesters(
  { identities }: Pick<RequestsApp, "identities">,
  { requester: { member }, originator }: { requester: Pick<MemberRef, "member">; originator: string | null },
): Promise<Person[]> {
  const members = [member, ...(originator === null ? [] : [memberBeside(member, originator)])];
  return Promise.all(members.map((one) => identities.person(one)));
}

/**
 * The first of the approvers who is not proven to be another person than this one; null if all are. Their links of now are not enough: by
 * another key, linked after the approval, one platform user would give both of two approvals.
 */
export async function findSamePerson<P extends Person>(
  { identities }: Pick<RequestsApp, "identities">,
  person: Person,
  approvers: readonly P[],
): Promise<P | null> {
  if (approvers.length === 0) return null;
  const own = await identities.person(person.member, person);
  for (const other of approvers) if (!areTwoPeople(own, await identities.person(other.member, other))) return other;
  return null;
}

/** Why the member may not decide the act, as the rest of a sentence in mrkdwn; null if they may. `requesters`: those who never do. */
export function whyNotDecide(
  app: UsableApp,
  links: Links,
  operation: PlatformOperation,
  owner: ActOwner,
  requesters: readonly Person[],
): string | null {
  const slackUser = slackUserOf(links);
  const { [operation.api]: linked } = links;
  if (slackUser === null || !linked) return "has linked no key for it";
  if (!isKeyUsable(app, linked)) return "has a key that must be linked again";
  if (!requesters.every((person) => areTwoPeople(person, personOf(links))))
    return "is not proven to be another person than the requester";
  if (!isApprover(owner.approvers, slackUser)) return "is not among those whom the rules let approve it";
  if (reachOf(app, links, operation, owner) === "none") return "has no key that reaches it";
  return may(links, operation) ? null : `has no key with the scope ${code(operation.scope)}`;
}

/** True if the member may decide the act. `requesters`: those who never do. */
export function couldDecide(
  app: UsableApp,
  links: Links,
  operation: PlatformOperation,
  owner: ActOwner,
  requesters: readonly Person[],
): boolean {
  return whyNotDecide(app, links, operation, owner, requesters) === null;
}
