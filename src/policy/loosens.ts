import type { Risk } from "../operation/risk.ts";
import { unitsOf } from "../platform/amounts.ts";
import { type Defaults, isUnder } from "./evaluate.ts";
import { type Channels, type Condition, type Limit, type PinnedPeople, type Rule, strictness } from "./rule.ts";

/**
 * True when anything could need less approval under the new rules than under the old ones. It may be true for a change that loosens
 * nothing, and is never false for one that does.
 */
export function loosens(old: readonly Rule[], now: readonly Rule[], defaults: Defaults): boolean {
  return (
    old.some((rule) => !isKept(rule, now, defaults)) ||
    now.some((rule) => !old.some((was) => isWithinRule(rule, was)) && undercuts(rule, defaults)) ||
    movesCurrency(old, now, defaults)
  );
}

/** True when a new rule is as strict wherever this one fits, or when nothing weaker than this one remains. */
function isKept(rule: Rule, now: readonly Rule[], defaults: Defaults): boolean {
  // Without a rule that releases agents, they wait.
  if (rule.when.agent) return true;
  if (now.some((other) => covers(other, rule))) return true;
  if (rule.passkey || rule.approvers) return false;
  const level = strictness(rule.demand);
  return (
    risksOf(rule.when).every((risk) => strictness(defaults[risk]) >= level) &&
    now.every(({ demand, overridable }) => strictness(demand) >= level && (!overridable || rule.overridable))
  );
}

export function covers(other: Rule, rule: Rule): boolean {
  return isAsStrict(other, rule) && coversActs(other.when, rule.when);
}

/** True if the one rule asks for as much as the other, where both fit. */
function isAsStrict(other: Rule, rule: Rule): boolean {
  return (
    strictness(other.demand) >= strictness(rule.demand) &&
    (other.passkey === true || rule.passkey !== true) &&
    (!other.overridable || rule.overridable) &&
    (!rule.approvers || isWithin(other.approvers, rule.approvers))
  );
}

/** True if the one condition fits each act that the other fits. */
export function coversActs(wide: Condition, narrow: Condition): boolean {
  return (
    (!wide.who || isWithin(narrow.who, wide.who)) &&
    (!wide.notWho || isWithin(wide.notWho, narrow.notWho)) &&
    (wide.risk === null ? narrow.risk !== "read" && readsAlike(wide, narrow) : wide.risk === narrow.risk) &&
    (wide.command === null || (narrow.command !== null && isUnder(narrow.command, wide.command))) &&
    (wide.project === null || (narrow.project !== null && wide.project.id === narrow.project.id)) &&
    (!wide.outsideWindows || narrow.outsideWindows === true) &&
    coversChannels(wide.channels, narrow.channels) &&
    coversLimit(wide.over, narrow.over) &&
    coversLimit(wide.overInDay, narrow.overInDay)
  );
}

/** A rule that names no risk forbids reading only where it names a command. */
function readsAlike(wide: Condition, narrow: Condition): boolean {
  return wide.command !== null || narrow.risk !== null || narrow.command === null;
}

/** True if everybody in the one list is in the other. */
export function isWithin(one: PinnedPeople | undefined, other: PinnedPeople | undefined): boolean {
  if (!one || !other || (one.list.agents && !other.list.agents)) return false;
  return one.users.every((user) => other.users.includes(user));
}

function coversChannels(wide: Channels | null, narrow: Channels | null): boolean {
  if (wide === null) return true;
  if (narrow === null || wide.are !== narrow.are) return false;
  return wide.are === "in"
    ? narrow.ids.every((id) => wide.ids.includes(id))
    : wide.ids.every((id) => narrow.ids.includes(id));
}

function coversLimit(wide: Limit | null, narrow: Limit | null): boolean {
  if (wide === null) return true;
  return narrow !== null && wide.currency === narrow.currency && unitsOf(wide.amount) <= unitsOf(narrow.amount);
}

/** True if the rule fits nothing but what the old one fitted, and is as strict there: it lets nobody do more than the old one did. */
function isWithinRule(rule: Rule, was: Rule): boolean {
  return (
    JSON.stringify(rule.when.agent) === JSON.stringify(was.when.agent) &&
    isAsStrict(rule, was) &&
    coversActs(was.when, rule.when)
  );
}

/** True when the rule requires less than what applies without it. */
function undercuts({ when, demand, overridable }: Rule, defaults: Defaults): boolean {
  if (when.agent) return true;
  return overridable || risksOf(when).some((risk) => strictness(demand) < strictness(defaults[risk]));
}

function risksOf({ risk }: Condition): Risk[] {
  return risk === null ? ["read", "change", "spend", "destroy"] : [risk];
}

/**
 * True when limits name other currencies, and need less by it: an amount in a currency that no limit of a kind names is over all of them. One
 * in a new currency is below some, and one in a currency that went fits each rule that permits more above its limit.
 */
function movesCurrency(old: readonly Rule[], now: readonly Rule[], defaults: Defaults): boolean {
  return (["over", "overInDay"] as const).some((kind) => {
    const currencies = (rules: readonly Rule[]) => rules.flatMap(({ when }) => when[kind]?.currency ?? []);
    const [before, after] = [currencies(old), currencies(now)];
    const isNew = before.length > 0 && after.some((currency) => !before.includes(currency));
    const isGone = before.some((currency) => !after.includes(currency));
    return isNew || (isGone && now.some((rule) => rule.when[kind] && undercuts(rule, defaults)));
  });
}
