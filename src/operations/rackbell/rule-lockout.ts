import { may } from "../../members/access/access.ts";
import type { Links } from "../../members/identities/link.ts";
import { memberBeside } from "../../members/identities/person.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { canBothFit } from "../../policy/conflicts.ts";
import { isUnder, sharedApprovers } from "../../policy/evaluate.ts";
import { needsOthers, type Rule } from "../../policy/rule.ts";
import { code, count } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";

// A rule that nobody could ever meet: each request under it would wait in vain.

/** Throws an InputError if nobody whom the rule names could approve it, alone or together with another rule. */
export async function refuseLockout(
  context: AppContext,
  rule: Rule,
  others: readonly Rule[],
  { member }: { member: string },
): Promise<void> {
  if (!rule.approvers) return;
  const links = await Promise.all(
    rule.approvers.users.map((user) => context.identities.links(memberBeside(member, user))),
  );
  const able = new Map(rule.approvers.users.flatMap((user, at) => ableUser(links[at], user, rule, context)));
  const beside = others.filter(
    ({ id, demand, when }) => id !== rule.id && needsOthers(demand) && canBothFit(when, rule.when),
  );
  for (const other of [null, ...beside]) {
    const named = sharedApprovers([...able.keys()], other?.approvers?.users ?? null) ?? [];
    const persons = new Set(named.map((user) => able.get(user))).size;
    const needed = Math.max(approvalsOf(rule), other ? approvalsOf(other) : 0);
    if (persons >= needed) continue;
    const which = other ? `Together with the rule ${other.id}, nobody` : "Nobody";
    throw wrongInput(
      "approvers",
      `${which} could ever get this approved: it needs ${count(needed, "approval")} by different people. Of those named, ${persons} can give one, with a linked customer key that may do it.`,
    );
  }
}

/** The user with the platform user behind their key, if it may do one of the acts; else nothing. */
function ableUser(links: Links | undefined, user: string, rule: Rule, { registry }: AppContext): [string, string][] {
  const { customer } = links ?? {};
  if (!links || !customer) return [];
  return operationsOf(rule, registry.all).some((operation) => may(links, operation)) ? [[user, customer.user.id]] : [];
}

function operationsOf({ when: { command, risk } }: Rule, all: AppContext["registry"]["all"]): PlatformOperation[] {
  return all.flatMap((operation) =>
    operation.api !== "app" &&
    (command === null || isUnder(operation.command, command)) &&
    operation.risks.some((one) => (risk === null ? one !== "read" : one === risk))
      ? [operation]
      : [],
  );
}

function approvalsOf({ demand }: Rule): number {
  return demand === "two-approvals" ? 2 : 1;
}

/** Says that fewer linked members could approve it than it needs now; empty if they are enough, or the rule names them. */
export async function tooFewWords(context: AppContext, rule: Rule): Promise<string> {
  if (!needsOthers(rule.demand) || rule.approvers) return "";
  const all = await context.identities.all();
  const users = new Set(all.flatMap((links) => ableUser(links, links.member, rule, context).map(([, user]) => user)));
  const needed = approvalsOf(rule);
  if (users.size > needed) return "";
  return ` :warning: ${count(users.size, "linked member")} can do it by now, and it needs ${needed + 1}: the requester and ${count(needed, "approver")}. Others link a key with ${code("/rackbell link")}.`;
}
