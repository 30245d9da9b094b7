import * as z from "#zod";
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

/** The acts that a rule applies to; null matches anything. */
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
  /** A price above this in one request, with tax. */
  over: Limit.nullable(),
  /** A member's spending within 24 hours above this, with this request and with tax. */
  overInDay: Limit.nullable(),
});
export type Condition = z.infer<typeof Condition>;

export const Rule = z.object({
  id: z.string(),
  when: Condition,
  demand: z.enum(approvalLevels),
  /** An admin may run the act at once by emergency override, announced in the channel and reviewed afterwards. */
  overridable: z.boolean(),
  /** A decider of the act proves it with a passkey. */
  passkey: z.literal(true).optional(),
});
export type Rule = z.infer<typeof Rule>;

/** Emergency override replaces only the approval of others. A forbidden act has no request, and the rest needs nobody else. */
export function isOverridable(demand: ApprovalLevel): boolean {
  return demand === "one-approval" || demand === "two-approvals";
}

/** A passkey is asked for at a decision. An act that runs at once has none, and a forbidden one never comes to it. */
export function takesPasskey(demand: ApprovalLevel): boolean {
  return demand !== "allowed" && demand !== "not-allowed";
}

export function strictness(demand: ApprovalLevel): number {
  return approvalLevels.indexOf(demand);
}
