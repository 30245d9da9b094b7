import { type Price, withTax } from "../operation/answer.ts";
import type { Risk } from "../operation/risk.ts";
import { unitsOf } from "../platform/amounts.ts";
import type { PlainText } from "../process/plain-text.ts";
import { type ApprovalLevel, type Condition, type Limit, type Rule, strictness } from "./rule.ts";

/** The act that the rules are evaluated for. */
export interface RuledAct {
  risk: Risk;
  command: string;
  /** The other commands of the same act on such a resource: strict rules about them apply as well. */
  sameAs?: readonly string[];
  /** Null when the platform does not state it. */
  project: { id: string; name: PlainText } | null;
  channel: string | null;
  /** Not null when a member's agent proposes it, and no member asked. */
  agent?: object | null;
  /** True when an admin's maintenance window of the machine is open at the time of the act. */
  inWindow?: boolean;
  /** The price; "unknown" when the platform states it only with the charge; null when the act is free. */
  price: Price | "unknown" | null;
  /** The member's spending within 24 hours by currency, without this act. `unknown` is true when an amount was not known. */
  spent: Spent;
}

export interface Spent {
  sums: Limit[];
  unknown: boolean;
}

/** The required approval and the rule that requires it; the rule is null when the default applies. */
export interface RequiredApproval {
  demand: ApprovalLevel;
  rule: Rule | null;
  /** Not null when the decision needs a passkey, with the rule that asks for it; that is null where `PASSKEYS` asks. */
  passkey: { rule: Rule | null } | null;
}

/** The required approval by risk when no rule fits. */
export interface Defaults extends Record<Risk, ApprovalLevel> {
  /** `required`: everything that destroys needs a passkey, whatever the rules say. `off`: nothing does. */
  passkeys: "off" | "on" | "required";
}

/** An act that destroys at a price needs what its loss needs and what its price needs: a change of plan that shrinks a disk, for example. */
export function evaluate(rules: readonly Rule[], subject: RuledAct, defaults: Defaults): RequiredApproval {
  const own = evaluateRisk(rules, subject, defaults);
  if (subject.risk !== "destroy" || subject.price === null) return own;
  const priced = evaluateRisk(rules, { ...subject, risk: "spend" }, defaults);
  const passkey = own.passkey ?? priced.passkey;
  if (own.demand !== priced.demand)
    return { ...(strictness(own.demand) < strictness(priced.demand) ? priced : own), passkey };
  const rule = own.rule ?? priced.rule;
  const overridable = [own, priced].every((one) => one.rule?.overridable);
  return { demand: own.demand, rule: rule && { ...rule, overridable }, passkey };
}

/** The strictest fitting rule, else the default. Of equally strict rules all apply, so one without emergency override is named first. */
function evaluateRisk(rules: readonly Rule[], subject: RuledAct, defaults: Defaults): RequiredApproval {
  const fitting = rules.filter(({ when, demand }) => !when.agent && fits(when, demand, subject, rules));
  const widened = widenedRules(rules, fitting, subject);
  const passkey = passkeyOf([...fitting, ...widened], subject, defaults);
  const byRisk = leastApproval(subject, rules);
  const least = passkey ? stricterOf("confirm", byRisk) : byRisk;
  const [first, ...others] = fitting;
  const named = first ? others.reduce((a, b) => (isStricter(b, a) ? b : a), first) : null;
  const base = { demand: defaults[subject.risk], overridable: false, rule: null };
  const strictest = widened.reduce<Strict>(
    (most, rule) => (isStricter(rule, most) ? { ...rule, rule } : most),
    named ? { ...named, rule: named } : base,
  );
  const { demand, rule } = strictest;
  return { demand: stricterOf(demand, least), rule: rule && withPresentName(rule, subject), passkey };
}

type Strict = Pick<Rule, "demand" | "overridable"> & { rule: Rule | null };

/**
 * The rules about another command of the same act: nobody escapes them by another name of the act. They only make it stricter: a rule
 * permits the commands that it names, and an override of theirs.
 */
function widenedRules(rules: readonly Rule[], fitting: readonly Rule[], subject: RuledAct): Rule[] {
  return rules
    .filter((rule) => rule.when.command !== null && !fitting.includes(rule))
    .filter(({ when, demand }) =>
      (subject.sameAs ?? []).some((command) => fits(when, demand, { ...subject, command }, rules)),
    )
    .map((rule) => ({ ...rule, overridable: false }));
}

/** One fitting rule that asks for a passkey is enough, however strict the others are: no rule takes it back. */
function passkeyOf(fitting: readonly Rule[], subject: RuledAct, defaults: Defaults): RequiredApproval["passkey"] {
  const { passkeys } = defaults;
  if (passkeys === "off" || subject.risk === "read") return null;
  const asking = fitting.find(({ passkey }) => passkey);
  if (asking) return { rule: withPresentName(asking, subject) };
  return passkeys === "required" && subject.risk === "destroy" ? { rule: null } : null;
}

/**
 * The least approval, whatever a rule says: a command alone never destroys or spends, and what an agent proposes waits
 * for its member unless a rule about agents names the command.
 */
function leastApproval(subject: RuledAct, rules: readonly Rule[]): ApprovalLevel {
  const { risk, command, agent = null } = subject;
  if (risk === "spend" || risk === "destroy") return "confirm";
  if (risk === "read" || agent === null) return "allowed";
  return rules.some(({ when }) => isReleased(when, command, subject.project)) ? "allowed" : "confirm";
}

/** A resource of an unknown project is in no project that a rule releases. */
function isReleased({ agent, project }: Condition, command: string, actual: RuledAct["project"]): boolean {
  if (!agent?.commands.includes(command)) return false;
  return project === null || project.id === actual?.id;
}

/** Uses the project's present name, so that a message does not name it by an old one. */
function withPresentName(rule: Rule, { project }: RuledAct): Rule {
  if (project === null || rule.when.project?.id !== project.id) return rule;
  return { ...rule, when: { ...rule.when, project } };
}

function isStricter(one: Pick<Rule, "demand" | "overridable">, other: Pick<Rule, "demand" | "overridable">): boolean {
  const [own, others] = [strictness(one.demand), strictness(other.demand)];
  return own > others || (own === others && other.overridable && !one.overridable);
}

function stricterOf(one: ApprovalLevel, other: ApprovalLevel): ApprovalLevel {
  return strictness(one) < strictness(other) ? other : one;
}

function fits(when: Condition, demand: ApprovalLevel, subject: RuledAct, rules: readonly Rule[]): boolean {
  return (
    fitsRisk(when, demand, subject.risk) &&
    fitsPlainly(when, subject) &&
    (when.over === null || isOver(when.over, "over", subject, rules)) &&
    (when.overInDay === null || isOver(when.overInDay, "overInDay", subject, rules))
  );
}

/** A read can only be forbidden, and only by a rule that names reads or the command. */
function fitsRisk({ risk, command }: Condition, demand: ApprovalLevel, of: Risk): boolean {
  if (of === "read") return demand === "not-allowed" && (risk === "read" || (risk === null && command !== null));
  return risk === null || risk === of;
}

function fitsPlainly({ command, project, channels, outsideWindows }: Condition, subject: RuledAct): boolean {
  const inChannels = channels !== null && subject.channel !== null && channels.ids.includes(subject.channel);
  return (
    !(outsideWindows && subject.inWindow) &&
    (command === null || isUnder(subject.command, command)) &&
    (project === null || subject.project === null || project.id === subject.project.id) &&
    (channels === null || (channels.are === "in") === inChannels)
  );
}

/** True when a command belongs to a prefix: "vps cancel" to "vps" and "vps cancel", and not to "vps can". */
export function isUnder(command: string, prefix: string): boolean {
  return `${command} `.startsWith(`${prefix} `);
}

/** An unknown amount is over every limit. Amounts compare within one currency; one in a currency that no rule names is over. */
function isOver(limit: Limit, kind: "over" | "overInDay", subject: RuledAct, rules: readonly Rule[]): boolean {
  const { price, spent } = subject;
  if (price === null) return false;
  if (price === "unknown" || (kind === "overInDay" && spent.unknown)) return true;
  if (price.currency !== limit.currency) return !rules.some(({ when }) => when[kind]?.currency === price.currency);
  const before = kind === "over" ? undefined : spent.sums.find(({ currency }) => currency === limit.currency);
  return unitsOf(withTax(price).amount) + unitsOf(before?.amount ?? "0") > unitsOf(limit.amount);
}
