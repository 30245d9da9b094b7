import type { Risk } from "../../operation/operation.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { type Defaults, isOf, sameName } from "./judge.ts";
import { type Channels, type Condition, type Limit, type Rule, strictness } from "./rule.ts";

/**
 * Whether anything could need less under the new rules than under the old ones. It may say so of a change that loosens nothing, and
 * never the other way round.
 */
export function loosens(old: readonly Rule[], now: readonly Rule[], defaults: Defaults): boolean {
  return (
    old.some((rule) => !isKept(rule, now, defaults)) ||
    now.some((rule) => !old.some((was) => isSame(was, rule)) && undercuts(rule, defaults)) ||
    newCurrency(old, now)
  );
}

/** A rule as strict that fits wherever this one fits; or nothing left that is weaker than this one was. */
function isKept(rule: Rule, now: readonly Rule[], defaults: Defaults): boolean {
  if (now.some((other) => covers(other, rule))) return true;
  const level = strictness(rule.demand);
  return (
    risksOf(rule.when).every((risk) => strictness(defaults[risk]) >= level) &&
    now.every(({ demand }) => strictness(demand) >= level)
  );
}

function covers(other: Rule, rule: Rule): boolean {
  const [wide, narrow] = [other.when, rule.when];
  return (
    strictness(other.demand) >= strictness(rule.demand) &&
    (!other.breakGlass || rule.breakGlass) &&
    (wide.risk === null ? narrow.risk !== "read" && readsAlike(wide, narrow) : wide.risk === narrow.risk) &&
    (wide.command === null || (narrow.command !== null && isOf(narrow.command, wide.command))) &&
    (wide.project === null || (narrow.project !== null && sameName(wide.project, narrow.project))) &&
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

function isSame(a: Rule, b: Rule): boolean {
  return covers(a, b) && covers(b, a);
}

/** It asks for less than what holds without it. */
function undercuts({ when, demand, breakGlass }: Rule, defaults: Defaults): boolean {
  return breakGlass || risksOf(when).some((risk) => strictness(demand) < strictness(defaults[risk]));
}

function risksOf({ risk }: Condition): Risk[] {
  return risk === null ? ["read", "change", "spend", "destroy"] : [risk];
}

/** Limits in other currencies count an amount as over until there is one in its own. */
function newCurrency(old: readonly Rule[], now: readonly Rule[]): boolean {
  return (["over", "overInDay"] as const).some((kind) => {
    const currencies = (rules: readonly Rule[]) => rules.flatMap(({ when }) => when[kind]?.currency ?? []);
    const before = currencies(old);
    return before.length > 0 && currencies(now).some((currency) => !before.includes(currency));
  });
}
