import { admit } from "../../../members/access/access.ts";
import { memberBeside } from "../../../members/identities/person.ts";
import { hasOtherAdmin, isAdmin, isSecondPerson } from "../../../messages/admins.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import type { RequestsApp } from "../../app.ts";
import type { MemberRef, Request } from "../../request.ts";
import { approvalLevel, type Ruling } from "../../rules.ts";

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

export function overriddenBy(slackUser: string, reason: PlainText): NonNullable<Request["override"]> {
  return { slackUser, reason, reviewedBy: null };
}

/** Throws a Refusal unless the member is another admin than the one who used the override, and another person. */
export async function requireReviewer(
  app: RequestsApp,
  { requester: { member }, override }: Request,
  who: MemberRef,
): Promise<void> {
  const wanted = `An admin other than <@${override?.slackUser}> must review this override`;
  if (who.slackUser === override?.slackUser) throw new Refusal(`${wanted}: you ran it yourself.`);
  if (!(await isAdmin(app, who.slackUser))) throw new Refusal(`${wanted}, and you are not an admin.`);
  if (await isSecondPerson(app, who.member, memberBeside(member, override?.slackUser ?? ""))) return;
  const { customer } = await app.identities.links(who.member);
  throw new Refusal(
    customer === null
      ? `${wanted}: you have no customer key linked, and a reseller key does not name its owner.`
      : `${wanted}: by your linked keys you may be the same person.`,
  );
}
