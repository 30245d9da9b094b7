import * as z from "#zod";
import { PeopleList } from "../members/people/people-list.ts";
import { amountOf, unitsOf } from "../platform/amounts.ts";
import { PlainText } from "../process/plain-text.ts";

/** The approval that an act requires, from the loosest: run at once, confirm, one approval, two approvals, not allowed. */
export const approvalLevels = ["allowed", "confirm", "one-approval", "two-approvals", "not-allowed"] as const;
export type ApprovalLevel = (typeof approvalLevels)[number];

export const Limit = z.object({ amount: z.string(), currency: z.string() });
export type Limit = z.infer<typeof Limit>;

/** Adds amounts up: one sum for each currency. */
export function sumsByCurrency(amounts: readonly Limit[]): Limit[] {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + unitsOf(amount));
  return [...sums].map(([currency, units]) => ({ currency, amount: amountOf(units) }));
}

/** A price as stored in a request. `beforeTax`: the platform adds tax and does not state beforehand how much. */
export const StoredPrice = Limit.extend({ beforeTax: z.literal(true).optional() });

/** In one of these channels, or outside all of them. An act without a channel (Home, a schedule) is outside. */
export const Channels = z.object({ are: z.enum(["in", "outside"]), ids: z.array(z.string()).min(1) });
export type Channels = z.infer<typeof Channels>;

/** A project, found by its id, so that nobody escapes a rule by renaming it. `name` is its name at the last read. */
export const RuledProject = z.object({ id: z.string(), name: PlainText });
export type RuledProject = z.infer<typeof RuledProject>;

/** People of a rule, with the Slack users whom the list meant when the rule was saved. Only these count: a group never hands out a right unseen. */
export const PinnedPeople = z.object({ list: PeopleList, users: z.array(z.string()) });
export type PinnedPeople = z.infer<typeof PinnedPeople>;

/** The acts that a rule applies to; null, or absent, matches anything. */
export const Condition = z.object({
  risk: z.enum(["read", "change", "spend", "destroy"]).nullable(),
  /** A command or the beginning of some: "vps cancel", "vps". */
  command: z.string().nullable(),
  /** An act without a stated project counts as in this project. */
  project: RuledProject.nullable(),
  channels: Channels.nullable(),
  /** Applies while no admin's maintenance window of the machine is open; absent means at any time. */
  outsideWindows: z.literal(true).optional(),
  /** The rule lets members' agents run these commands at once, and applies to nothing else. */
  agent: z.object({ commands: z.array(z.string()).min(1) }).optional(),
  /** Acts of these people, or of members' agents. */
  who: PinnedPeople.optional(),
  /** Acts of everybody but these people, or agents. */
  notWho: PinnedPeople.optional(),
  /** A price above this in one request, with tax. */
  over: Limit.nullable(),
  /** A member's spending within 24 hours above this, with this request and with tax. */
  overInDay: Limit.nullable(),
});
export type Condition = z.infer<typeof Condition>;

/** People who are notified if nobody has decided `after` milliseconds. */
export const RuleStep = z.object({ to: PeopleList, after: z.number() });
export type RuleStep = z.infer<typeof RuleStep>;

export const Rule = z.object({
  id: z.string(),
  when: Condition,
  demand: z.enum(approvalLevels),
  /** An admin may run the act at once by emergency override, announced in the channel and reviewed afterwards. */
  overridable: z.boolean(),
  /** A decider of the act proves it with a passkey. */
  passkey: z.literal(true).optional(),
  /** Only these people approve it; absent: whoever may. */
  approvers: PinnedPeople.optional(),
  /** The people who are notified that it waits; absent: those who could approve it. Nobody gains a right by it. */
  notify: PeopleList.optional(),
  /** At most two steps, the earlier one first. */
  steps: z.array(RuleStep).max(2).optional(),
  /** Milliseconds in which it can be decided; absent: as for every request. */
  expiresAfter: z.number().optional(),
});
export type Rule = z.infer<typeof Rule>;

/** The Slack users whom the lists of a rule name by themselves. */
export function usersNamedIn({ when: { who, notWho }, approvers, notify, steps = [] }: Rule): string[] {
  const lists = [who?.list, notWho?.list, approvers?.list, notify, ...steps.map(({ to }) => to)];
  return lists.flatMap((list) => list?.users ?? []);
}

/** So many rules are there at most: people read them, and each act is held against all of them. */
export const mostRules = 200;

/** True if others approve it. A forbidden act has no request, and the rest needs nobody else. */
export function needsOthers(demand: ApprovalLevel): boolean {
  return demand === "one-approval" || demand === "two-approvals";
}

/** Emergency override replaces only the approval of others. */
export function isOverridable(demand: ApprovalLevel): boolean {
  return needsOthers(demand);
}

/** A passkey is asked for at a decision. An act that runs at once has none, and a forbidden one never comes to it. */
export function takesPasskey(demand: ApprovalLevel): boolean {
  return demand !== "allowed" && demand !== "not-allowed";
}

export function strictness(demand: ApprovalLevel): number {
  return approvalLevels.indexOf(demand);
}
