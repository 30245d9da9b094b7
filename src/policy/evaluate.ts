import type { PeopleList } from "../members/people/people-list.ts";
import { type Price, withTax } from "../operation/answer.ts";
import type { Risk } from "../operation/risk.ts";
import { unitsOf } from "../platform/amounts.ts";
import type { PlainText } from "../process/plain-text.ts";
import {
  type ApprovalLevel,
  type Condition,
  type Limit,
  needsOthers,
  type PinnedPeople,
  type Rule,
  type RuleStep,
  strictness,
} from "./rule.ts";

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
  /** The member who asks; absent means that it could be anybody. */
  by?: RuledMember;
  /** True when an admin's maintenance window of the machine is open at the time of the act. */
  inWindow?: boolean;
  /** The price; "unknown" when the platform states it only with the charge; null when the act is free. */
  price: Price | "unknown" | null;
  /** The member's spending within 24 hours by currency, without this act. `unknown` is true when an amount was not known. */
  spent: Spent;
}

/** The member who asks, as rules about people look at them. */
export interface RuledMember {
  slackUser: string;
  /** The other Slack users in the rules who are the same person, or may be. */
  mayBe: readonly string[];
}

export interface Spent {
  sums: Limit[];
  unknown: boolean;
}

/** The people of a decision, by the rules that fit, and its time. */
export interface DecisionPeople {
  /** Slack users of whom alone each approver is one; null if the rules name none. */
  approvers: string[] | null;
  /** The people who are notified; null if the rules name none. */
  notify: PeopleList | null;
  /** The steps that notify others while nobody has decided, the earlier one first. */
  steps: RuleStep[];
  /** Milliseconds in which it can be decided; null if the rules say nothing. */
  expiresAfter: number | null;
}

export const noPeople: DecisionPeople = { approvers: null, notify: null, steps: [], expiresAfter: null };

/** The required approval and the rule that requires it; the rule is null when the default applies. */
export interface RequiredApproval extends DecisionPeople {
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
  const [most, least] = strictness(own.demand) < strictness(priced.demand) ? [priced, own] : [own, priced];
  const both = withBoth(most, least);
  if (own.demand !== priced.demand) return both;
  const rule = own.rule ?? priced.rule;
  const overridable = [own, priced].every((one) => one.rule?.overridable);
  return { ...both, rule: rule && { ...rule, overridable } };
}

/** The stricter of two rulings that both apply: what the other one asks for beside the approval stays. */
export function withBoth(stricter: RequiredApproval, other: RequiredApproval): RequiredApproval {
  return { ...stricter, passkey: stricter.passkey ?? other.passkey, ...joinPeople([stricter, other]) };
}

/** The people of several demands, the strictest first. An approver must be named by each that names any. */
export function joinPeople(demands: readonly DecisionPeople[]): DecisionPeople {
  return {
    approvers: demands.map(({ approvers }) => approvers).reduce(sharedApprovers, null),
    notify: demands.find(({ notify }) => notify !== null)?.notify ?? null,
    steps: demands.find(({ steps }) => steps.length > 0)?.steps ?? [],
    expiresAfter: demands.find(({ expiresAfter }) => expiresAfter !== null)?.expiresAfter ?? null,
  };
}

/** The approvers whom both allow; null allows everybody. */
export function sharedApprovers(one: string[] | null, other: string[] | null): string[] | null {
  if (one === null || other === null) return one ?? other;
  return one.filter((user) => other.includes(user));
}

/** The strictest fitting rule, else the default. Of equally strict rules all apply, so one without emergency override is named first. */
function evaluateRisk(rules: readonly Rule[], subject: RuledAct, defaults: Defaults): RequiredApproval {
  // A rule about agents lets them go on, and asks for nothing.
  const asking = rules.filter(({ when }) => !when.agent);
  const fitting = asking.filter(({ when, demand }) => fits(when, demand, subject, asking));
  const widened = widenedRules(asking, fitting, subject);
  const passkey = passkeyOf([...fitting, ...widened], subject, defaults);
  const base = { demand: defaults[subject.risk], overridable: false, rule: null };
  const strictest = widened.reduce<Strict>(
    (most, rule) => (isStricter(rule, most) ? { ...rule, rule } : most),
    strictestOwn(fitting, subject, base),
  );
  const { demand, rule } = strictest;
  const required = demand === "allowed" && (passkey || needsConfirmation(subject, rules)) ? "confirm" : demand;
  const people = joinPeople(toSortedByStrictness([...fitting, ...widened]).map(peopleOf));
  return { demand: required, rule: rule && withPresentName(rule, subject), passkey, ...peopleFor(required, people) };
}

/**
 * The strictest of the rules that fit. Where each is about people of whom the member only may be one, the default applies as well: no rule
 * permits something to somebody who is not proven to be meant.
 */
function strictestOwn([first, ...others]: readonly Rule[], subject: RuledAct, base: Strict): Strict {
  if (!first) return base;
  const rule = others.reduce((most, one) => (isStricter(one, most) ? one : most), first);
  const isSure = [first, ...others].some(({ when }) => surelyMeans(when, subject));
  const strictest = { ...rule, rule };
  return !isSure && isStricter(base, strictest) ? base : strictest;
}

function toSortedByStrictness(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => strictness(b.demand) - strictness(a.demand));
}

function peopleOf({ approvers, notify, steps = [], expiresAfter }: Rule): DecisionPeople {
  return { approvers: approvers?.users ?? null, notify: notify ?? null, steps, expiresAfter: expiresAfter ?? null };
}

/** Nobody but its requester decides what needs no approval. */
function peopleFor(demand: ApprovalLevel, people: DecisionPeople): DecisionPeople {
  return needsOthers(demand) ? people : { ...noPeople, expiresAfter: people.expiresAfter };
}

type Strict = Pick<Rule, "demand" | "overridable"> & { rule: Rule | null };

/**
 * The rules about another command of the same act: nobody escapes them by another name of the act. They only make it stricter: a rule
 * permits the commands that it names, and an override of theirs.
 */
function widenedRules(rules: readonly Rule[], fitting: readonly Rule[], subject: RuledAct): Rule[] {
  return rules
    .filter((rule) => !fitting.includes(rule))
    .filter(({ when, demand }) => subject.sameAs?.some((command) => fits(when, demand, { ...subject, command }, rules)))
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
 * True for an act that never runs at once, whatever a rule says: a command alone never destroys or spends, and what an agent proposes
 * waits for its member unless a rule about agents names the command.
 */
function needsConfirmation({ risk, command, project, agent = null }: RuledAct, rules: readonly Rule[]): boolean {
  if (risk === "spend" || risk === "destroy") return true;
  return risk === "change" && agent !== null && !rules.some(({ when }) => isReleased(when, command, project));
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

function fits(when: Condition, demand: ApprovalLevel, subject: RuledAct, rules: readonly Rule[]): boolean {
  return (
    fitsRisk(when, demand, subject.risk) &&
    mayMean(when, subject) &&
    fitsPlainly(when, subject) &&
    (when.over === null || isOver(when.over, "over", subject, rules)) &&
    (when.overInDay === null || isOver(when.overInDay, "overInDay", subject, rules))
  );
}

/** A rule about people fits a member who may be one of them, and one who may be none of those that it spares. */
function mayMean({ who, notWho }: Condition, subject: RuledAct): boolean {
  return (!who || mayBeAmong(who, subject)) && !(notWho && isAmong(notWho, subject));
}

/** True if the member is one of the people of the rule, and none of those that it spares. */
function surelyMeans({ who, notWho }: Condition, subject: RuledAct): boolean {
  return (!who || isAmong(who, subject)) && !(notWho && mayBeAmong(notWho, subject));
}

function isAmong({ list, users }: PinnedPeople, { by, agent = null }: RuledAct): boolean {
  return (list.agents && agent !== null) || (by !== undefined && users.includes(by.slackUser));
}

function mayBeAmong(people: PinnedPeople, subject: RuledAct): boolean {
  const { by } = subject;
  return isAmong(people, subject) || people.users.some((user) => !by || by.mayBe.includes(user));
}

/** A read can only be forbidden, and only by a rule that names reads or the command. */
function fitsRisk({ risk, command }: Condition, demand: ApprovalLevel, of: Risk): boolean {
  if (of === "read") return demand === "not-allowed" && (risk === "read" || (risk === null && command !== null));
  return risk === null || risk === of;
}

function fitsPlainly({ command, project, channels, outsideWindows }: Condition, subject: RuledAct): boolean {
  const inChannels = channels?.ids.some((id) => id === subject.channel);
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
