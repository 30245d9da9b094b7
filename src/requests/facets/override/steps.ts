import { admit } from "../../../members/access/access.ts";
import { areTwoPeople, marksOf, memberBeside, personOf } from "../../../members/identities/person.ts";
import { hasOtherAdmin, isAdmin } from "../../../messages/admins.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import { listing } from "../../../views/text.ts";
import type { RequestsApp } from "../../app.ts";
import type { MemberRef, Request } from "../../request.ts";
import { approvalLevel, type Ruling } from "../../rules.ts";
import { firstUnknown } from "../../states.ts";
import { type Override, withoutDecision } from "./record.ts";

const noOverride = "No rule of this workspace lets an admin run this without approval. Nothing was done.";

/** Checks what can be known of an emergency override without the admin's own key. Used before an admin types a reason. */
export async function requireMayOverride(
  app: RequestsApp,
  { ruling: { overridable } }: Request,
  who: MemberRef,
): Promise<void> {
  if (!overridable) throw new Refusal(noOverride);
  await admit(app, who.slackUser, { fresh: true });
  if (!(await isAdmin(app, who.slackUser)))
    throw new Refusal("Only an admin of this workspace can run this without approval. Nothing was done.");
  if (!(await hasOtherAdmin(app, who.member)))
    throw new Refusal(
      "No other admin has linked a key, so nobody could review the override. It needs its approval. Nothing was done.",
    );
}

/**
 * Throws a Refusal unless the rules of now allow the override, of the act and of the backup before it. A request that needed no approval
 * has no emergency override: only its requester may run it, whatever the rule says now.
 */
export function requireBreakable(
  { ruling: { overridable } }: Request,
  { rule }: Pick<Ruling, "rule">,
  first: { ruling: Pick<Ruling, "demand">; overridable: boolean } | null,
): void {
  const needsBackupApproval = first !== null && approvalLevel(first.ruling.demand).needed > 0 && !first.overridable;
  if (!overridable || !rule?.overridable || needsBackupApproval) throw new Refusal(noOverride);
}

export async function overriddenBy(
  { identities, clock }: Pick<RequestsApp, "identities" | "clock">,
  { member, slackUser }: MemberRef,
  reason: PlainText,
): Promise<Override> {
  const marks = marksOf(await identities.links(member));
  return { slackUser, reason, at: clock.now(), reviewedBy: null, outcome: null, ...marks };
}

/** The overrides before another decision, which sends again: from then on nobody knows which of the two sendings did the act. */
export function overridesBefore({ overrides }: Pick<Request, "overrides">): Override[] {
  return withoutDecision(overrides, `${firstUnknown}.`);
}

/** The overrides that nobody has reviewed, and of which this member is proven to be another person than the admin who used them. */
export async function reviewableBy(
  { identities }: Pick<RequestsApp, "identities">,
  { requester: { member }, overrides }: Pick<Request, "requester" | "overrides">,
  who: Pick<MemberRef, "member">,
): Promise<Override[]> {
  const unreviewed = overrides.filter(({ reviewedBy }) => reviewedBy === null);
  if (unreviewed.length === 0) return [];
  const own = personOf(await identities.links(who.member));
  const others = await Promise.all(
    unreviewed.map((one) => identities.person(memberBeside(member, one.slackUser), one)),
  );
  return unreviewed.filter((_, at) => others[at] && areTwoPeople(own, others[at]));
}

/** Throws a Refusal unless the member is another admin than one who used an override, and another person. */
export async function requireReviewer(app: RequestsApp, request: Request, who: MemberRef): Promise<void> {
  const users = request.overrides.flatMap(({ slackUser, reviewedBy }) => (reviewedBy === null ? [slackUser] : []));
  const others = listing(
    [...new Set(users)].map((user) => `<@${user}>`),
    "or",
  );
  const wanted = `An admin other than ${others} must review this override`;
  if (users.every((user) => user === who.slackUser)) throw new Refusal(`${wanted}: you ran it yourself.`);
  if (!(await isAdmin(app, who.slackUser))) throw new Refusal(`${wanted}, and you are not an admin.`);
  if ((await reviewableBy(app, request, who)).length > 0) return;
  const { customer } = await app.identities.links(who.member);
  throw new Refusal(
    customer === null
      ? `${wanted}: you have no customer key linked, and a reseller key does not name its owner.`
      : `${wanted}: by your linked keys you may be the same person.`,
  );
}
