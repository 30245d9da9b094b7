import type { Risk } from "../operation/risk.ts";
import type { ProjectRef } from "../operation/target.ts";
import { amountOf, unitsOf } from "../platform/amounts.ts";
import { type Defaults, evaluate, type RequiredApproval, type RuledAct } from "./evaluate.ts";
import { type Rule, strictness } from "./rule.ts";

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

/** The strictest approval that a move removes, and the command that would no longer need it. */
export interface LostApproval extends RequiredApproval {
  command: string;
}

/**
 * Finds the strictest approval that an act on a resource would no longer need after a move; null when none is lost. Every act is
 * evaluated before and after, wherever a rule can differ: in and outside each channel, in and outside a maintenance window, below and
 * above each limit. A resource without a stated project counts as being in every project.
 */
export function lostByMove(rules: readonly Rule[], defaults: Defaults, { from, to, acts }: Move): LostApproval | null {
  let most: LostApproval | null = null;
  for (const subject of subjectsOf(rules, acts)) {
    const before = evaluate(rules, { ...subject, project: from }, defaults);
    const after = evaluate(rules, { ...subject, project: to }, defaults);
    const passkey = after.passkey ? null : before.passkey;
    if (strictness(after.demand) >= strictness(before.demand) && !passkey) continue;
    // A default that a laxer rule of the other project takes away is explained by that rule.
    const rule = before.rule ?? after.rule;
    most = stricterLoss(most, { demand: before.demand, rule, passkey, command: subject.command });
  }
  return most;
}

/** Of equal losses the first. A passkey that either loses is lost. */
function stricterLoss(most: LostApproval | null, loss: LostApproval): LostApproval {
  const stricter = most && strictness(loss.demand) <= strictness(most.demand) ? most : loss;
  return { ...stricter, passkey: most?.passkey ?? loss.passkey };
}

function subjectsOf(rules: readonly Rule[], acts: readonly CommandRisks[]): Omit<RuledAct, "project">[] {
  const channels = [null, ...new Set(rules.flatMap(({ when }) => when.channels?.ids ?? []))];
  const prices = pricesOf(rules);
  const agents = rules.some(({ when }) => when.agent) ? [null, {}] : [null];
  return acts.flatMap(({ command, sameAs = [], risks }) =>
    risks.flatMap((risk) =>
      channels.flatMap((channel) =>
        [true, false].flatMap((inWindow) =>
          (hasPrice(risk, risks) ? prices : [null]).flatMap((price) =>
            agents.map((agent) => ({
              command,
              sameAs,
              risk,
              channel,
              inWindow,
              price,
              agent,
              spent: { sums: [], unknown: false },
            })),
          ),
        ),
      ),
    ),
  );
}

/** True for what spends, and for the loss of a command that can spend as well: a smaller disk of a change of plan. */
function hasPrice(risk: Risk, risks: readonly Risk[]): boolean {
  return risk === "spend" || (risk === "destroy" && risks.includes("spend"));
}

/** Nothing, an unknown price, a currency that no rule names, and a price just below and just above each limit. */
function pricesOf(rules: readonly Rule[]): RuledAct["price"][] {
  const limits = rules.flatMap(({ when }) => [when.over ?? [], when.overInDay ?? []].flat());
  const around = limits.flatMap(({ amount, currency }) =>
    [0n, 1n].map((more) => ({ amount: amountOf(unitsOf(amount) + more), currency })),
  );
  return [null, "unknown", { amount: "0.01", currency: "XXX" }, ...around];
}
