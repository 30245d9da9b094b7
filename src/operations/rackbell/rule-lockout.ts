import { may } from "../../members/access/access.ts";
import { type Links, slackUserOf } from "../../members/identities/link.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { canBothFit } from "../../policy/conflicts.ts";
import { isUnder, sharedApprovers } from "../../policy/evaluate.ts";
import { needsOthers, type Rule } from "../../policy/rule.ts";
import { count } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";

// A rule that nobody could meet: each request under it would wait in vain.

/** Throws an InputError if too few people could approve what the rule is about, alone or together with another rule. */
export async function refuseLockout(context: AppContext, rule: Rule, others: readonly Rule[]): Promise<void> {
  const why = (await findLockouts(context, [rule], others)).get(rule.id);
  if (why !== undefined) throw wrongInput(rule.approvers ? "approvers" : "demand", why);
}

/**
 * Finds those of the rules under which no request could be approved by the members who are linked now, each with the reason as a sentence.
 * `nameOf`: the words for another rule that the reason is about.
 */
export async function findLockouts(
  { identities, registry }: AppContext,
  rules: readonly Rule[],
  others: readonly Rule[],
  nameOf = ({ id }: Rule) => `the rule ${id}`,
): Promise<Map<string, string>> {
  const strict = rules.filter(({ demand }) => needsOthers(demand));
  const linked = strict.length === 0 ? [] : await identities.all();
  return new Map(
    strict.flatMap((rule) => {
      const operations = operationsOf(rule, registry.all);
      // A rule that fits no command has nobody wait.
      if (operations.length === 0) return [];
      const able = new Map(linked.flatMap((links) => ableUser(links, operations)));
      const why = whyNobody(rule, others, { able, nameOf });
      return why === null ? [] : [[rule.id, why]];
    }),
  );
}

/** The Slack users who can do what a rule is about, each with the person behind their key. */
type Able = ReadonlyMap<string, string>;

function whyNobody(
  rule: Rule,
  others: readonly Rule[],
  { able, nameOf }: { able: Able; nameOf: (rule: Rule) => string },
): string | null {
  const requesters = personsIn(able, (user) => mayRequest(rule, user));
  const beside = others.filter(
    ({ id, demand, when }) => id !== rule.id && needsOthers(demand) && canBothFit(when, rule.when),
  );
  for (const other of [null, ...beside]) {
    const approvers = sharedApprovers(rule.approvers?.users ?? null, other?.approvers?.users ?? null);
    // Two rules of which neither names approvers are each judged by themselves.
    if (other && approvers === null) continue;
    const persons = personsIn(able, (user) => approvers?.includes(user) ?? true);
    const amounts = { needed: Math.max(approvalsOf(rule), approvalsOf(other)), able: persons.size };
    if (amounts.able - (areAmong(requesters, persons) ? 1 : 0) >= amounts.needed) continue;
    return approvers === null ? tooFewWords(amounts) : namedTooFewWords(amounts, other && nameOf(other));
  }
  return null;
}

/** True if each requester is one of the approvers: nobody approves their own request. */
function areAmong(requesters: ReadonlySet<string>, approvers: ReadonlySet<string>): boolean {
  return requesters.size > 0 && [...requesters].every((person) => approvers.has(person));
}

interface Amounts {
  /** The approvals that it takes, and the people who can give one. */
  needed: number;
  able: number;
}

function tooFewWords({ needed, able }: Amounts): string {
  return `Nobody could get this approved: ${count(able, "linked member")} can do it by now, and it needs ${needed + 1}: the requester and ${count(needed, "approver")}. Others link a key with /rackbell link.`;
}

/** `other`: the words for the rule together with which they are too few; null for the rule alone. */
function namedTooFewWords({ needed, able }: Amounts, other: string | null): string {
  const which = other === null ? "Nobody" : `Together with ${other}, nobody`;
  const own = able >= needed ? " Nobody but them can request it, and a requester approves nothing." : "";
  return `${which} could ever get this approved: it needs ${count(needed, "approval")} by different people. Of those named, ${able} can give one, with a linked customer key that may do it.${own}`;
}

function personsIn(able: Able, isMeant: (user: string) => boolean): Set<string> {
  return new Set([...able].flatMap(([user, person]) => (isMeant(user) ? [person] : [])));
}

function mayRequest({ when: { who, notWho } }: Rule, user: string): boolean {
  const isMeant = !who || who.list.agents || who.users.includes(user);
  return isMeant && !(notWho?.users.includes(user) ?? false);
}

/** The user with the platform user behind their key, if it may do one of the operations; else nothing. */
function ableUser(links: Links, operations: readonly PlatformOperation[]): [string, string][] {
  const slackUser = slackUserOf(links);
  if (slackUser === null || !links.customer) return [];
  return operations.some((operation) => may(links, operation)) ? [[slackUser, links.customer.user.id]] : [];
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

function approvalsOf(rule: Rule | null): number {
  return rule === null ? 0 : rule.demand === "two-approvals" ? 2 : 1;
}
