import type { Risk } from "../operation/risk.ts";
import type { ProjectRef } from "../operation/target.ts";
import { amountOf, unitsOf } from "../platform/amounts.ts";
import {
  type Defaults,
  evaluate,
  type RequiredApproval,
  type RuledAct,
  type RuledMember,
  sharedApprovers,
} from "./evaluate.ts";
import { type PinnedPeople, type Rule, strictness } from "./rule.ts";

/** A command that acts on the moved resource, with the risks that it can have. */
export interface CommandRisks {
  command: string;
  sameAs?: readonly string[];
  risks: readonly Risk[];
}

/** A resource that moves between projects, with the commands that act on it. `from` is null when the platform does not state it. */
export interface Move {
  from: ProjectRef | null;
  to: ProjectRef;
  acts: readonly CommandRisks[];
}

/** The strictest approval that a move removes, with the approvers whom it removes, and the command that would no longer need it. */
export interface LostApproval extends RequiredApproval {
  command: string;
}

/**
 * Finds the strictest approval that an act on a resource would no longer need after a move; null when none is lost. Every act is
 * evaluated before and after, wherever a rule can differ: for each kind of person, in and outside each channel, in and outside a maintenance
 * window, below and above each limit. A resource without a stated project counts as being in every project.
 */
export function lostByMove(rules: readonly Rule[], defaults: Defaults, { from, to, acts }: Move): LostApproval | null {
  let most: LostApproval | null = null;
  for (const subject of subjectsOf(rules, acts)) {
    const before = evaluate(rules, { ...subject, project: from }, defaults);
    const after = evaluate(rules, { ...subject, project: to }, defaults);
    const passkey = after.passkey ? null : before.passkey;
    const approvers = isWithin(after.approvers, before.approvers) ? null : before.approvers;
    if (strictness(after.demand) >= strictness(before.demand) && !passkey && !approvers) continue;
    // A default that a laxer rule of the other project takes away is explained by that rule.
    const rule = before.rule ?? after.rule;
    most = stricterLoss(most, { ...before, rule, passkey, approvers, command: subject.command });
  }
  return most;
}

/** True if each approver of the one is one of the other; null is everybody. */
function isWithin(one: RequiredApproval["approvers"], other: RequiredApproval["approvers"]): boolean {
  return other === null || (one?.every((user) => other.includes(user)) ?? false);
}

/** Of equal losses the first. A passkey that either loses is lost, and so are the approvers of each. */
function stricterLoss(most: LostApproval | null, loss: LostApproval): LostApproval {
  if (!most) return loss;
  const stricter = strictness(loss.demand) <= strictness(most.demand) ? most : loss;
  const approvers = sharedApprovers(most.approvers, loss.approvers);
  return { ...stricter, passkey: most.passkey ?? loss.passkey, approvers };
}

function subjectsOf(rules: readonly Rule[], acts: readonly CommandRisks[]): Omit<RuledAct, "project">[] {
  const channels = [null, ...new Set(rules.flatMap(({ when }) => when.channels?.ids ?? []))];
  const prices = pricesOf(rules);
  const named = rules.flatMap(({ when: { who, notWho } }) => [who ?? [], notWho ?? []].flat());
  const isAboutAgents = rules.some(({ when }) => when.agent) || named.some(({ list }) => list.agents);
  const agents = isAboutAgents ? [null, {}] : [null];
  const members = membersOf(named);
  return acts.flatMap(({ command, sameAs = [], risks }) =>
    risks.flatMap((risk) =>
      channels.flatMap((channel) =>
        [true, false].flatMap((inWindow) =>
          (hasPrice(risk, risks) ? prices : [free]).flatMap((priced) =>
            agents.flatMap((agent) =>
              members.map((by) => ({ command, sameAs, risk, channel, inWindow, agent, by, ...priced })),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A member whom no rule names, and for each set of lists that name the same people one of these, and one who may be that person. */
function membersOf(named: readonly PinnedPeople[]): RuledMember[] {
  const users = new Set(named.flatMap((people) => people.users));
  const byLists = new Map([...users].map((user) => [named.map((people) => people.users.includes(user)).join(), user]));
  const each = [...byLists.values()];
  const others = [...each.map((user) => [user]), ...(each.length > 1 ? [each] : [])];
  return [
    { slackUser: "", mayBe: [] },
    ...each.map((slackUser) => ({ slackUser, mayBe: [] })),
    ...others.map((mayBe) => ({ slackUser: "", mayBe })),
  ];
}

/** True for what spends, and for the loss of a command that can spend as well: a smaller disk of a change of plan. */
function hasPrice(risk: Risk, risks: readonly Risk[]): boolean {
  return risk === "spend" || (risk === "destroy" && risks.includes("spend"));
}

type Priced = Pick<RuledAct, "price" | "spent">;

const free: Priced = { price: null, spent: { sums: [], unknown: false } };
const unknownSum: RuledAct["spent"] = { sums: [], unknown: true };

/**
 * No price; an unknown one, which counts without any limit too; and in each currency nothing, and a price just above each limit. Each price
 * comes after spending of nothing, of just so much that both are above a limit of the day, and of an unknown sum.
 */
function pricesOf(rules: readonly Rule[]): Priced[] {
  const limits = rules.flatMap(({ when }) => [when.over ?? [], when.overInDay ?? []].flat());
  const days = [...justAbove(rules, "overInDay")];
  const around = [...new Set(limits.map(({ currency }) => currency))].flatMap((currency) => {
    const amount = (units: bigint) => ({ amount: amountOf(units), currency });
    return [0n, ...justAbove(rules, "over")].flatMap((units): Priced[] => {
      const price = amount(units);
      const sums = [units, ...days.filter((day) => day > units)].map((both) => [amount(both - units)]);
      return [{ price, spent: unknownSum }, ...sums.map((sums) => ({ price, spent: { sums, unknown: false } }))];
    });
  });
  return [free, { ...free, price: "unknown" }, ...around];
}

function justAbove(rules: readonly Rule[], kind: "over" | "overInDay"): Set<bigint> {
  const limits = rules.flatMap(({ when }) => when[kind] ?? []);
  return new Set(limits.map(({ amount }) => unitsOf(amount) + 1n));
}
