import type { Risk } from "../../operation/operation.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { type Condition, type Demand, type Limit, type Rule, strictness } from "./rule.ts";

/** What somebody is about to do. */
export interface Subject {
  risk: Risk;
  command: string;
  /** By name; null where it is not told. */
  project: string | null;
  channel: string | null;
  /** At its time an admin's maintenance window of its machine is open. */
  inWindow?: boolean;
  /** What it costs; unknown where the platform does not name it before it is charged, null where it costs nothing. */
  price: Limit | "unknown" | null;
  /** What the member has spent within 24 hours, by currency, this not counted; `unknown` where one of the amounts was not known. */
  spent: Spent;
}

export interface Spent {
  sums: Limit[];
  unknown: boolean;
}

/** What holds, and by which rule; null: by what holds where no rule says otherwise. */
export interface Verdict {
  demand: Demand;
  rule: Rule | null;
}

/** What holds where no rule fits. */
export type Defaults = Record<Risk, Demand>;

/** What is lost or charged is never done by a command alone, whatever a rule says (design section 4). */
const least: Defaults = { read: "allowed", change: "allowed", spend: "self", destroy: "self" };

/** The strictest of the rules that fit, else the default. */
export function judge(rules: readonly Rule[], subject: Subject, defaults: Defaults): Verdict {
  const fitting = rules.filter(({ when, demand }) => fits(when, demand, subject, rules));
  const [first, ...others] = fitting;
  if (!first) return { demand: atLeast(defaults[subject.risk], subject.risk), rule: null };
  const strictest = others.reduce((a, b) => (strictness(b.demand) > strictness(a.demand) ? b : a), first);
  return { demand: atLeast(strictest.demand, subject.risk), rule: strictest };
}

function atLeast(demand: Demand, risk: Risk): Demand {
  return strictness(demand) < strictness(least[risk]) ? least[risk] : demand;
}

function fits(when: Condition, demand: Demand, subject: Subject, rules: readonly Rule[]): boolean {
  return (
    fitsRisk(when, demand, subject.risk) &&
    fitsPlainly(when, subject) &&
    (when.over === null || isOver(when.over, "over", subject, rules)) &&
    (when.overInDay === null || isOver(when.overInDay, "overInDay", subject, rules))
  );
}

/** Reading is only ever forbidden, and only by a rule that speaks of it or of the command. */
function fitsRisk({ risk, command }: Condition, demand: Demand, of: Risk): boolean {
  if (of === "read") return demand === "never" && (risk === "read" || (risk === null && command !== null));
  return risk === null || risk === of;
}

function fitsPlainly({ command, project, channels, outsideWindows }: Condition, subject: Subject): boolean {
  const inChannels = channels !== null && subject.channel !== null && channels.ids.includes(subject.channel);
  return (
    !(outsideWindows && subject.inWindow) &&
    (command === null || isOf(subject.command, command)) &&
    (project === null || subject.project === null || sameName(project, subject.project)) &&
    (channels === null || (channels.are === "in") === inChannels)
  );
}

export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** "vps cancel" is of "vps" and of "vps cancel", and not of "vps can". */
export function isOf(command: string, prefix: string): boolean {
  return `${command} `.startsWith(`${prefix} `);
}

/** An amount that is not known is over every limit; amounts compare within one currency, and one that no rule names is over. */
function isOver(limit: Limit, kind: "over" | "overInDay", subject: Subject, rules: readonly Rule[]): boolean {
  const { price, spent } = subject;
  if (price === null) return false;
  if (price === "unknown" || (kind === "overInDay" && spent.unknown)) return true;
  if (price.currency !== limit.currency) return !rules.some(({ when }) => when[kind]?.currency === price.currency);
  const before = kind === "over" ? undefined : spent.sums.find(({ currency }) => currency === limit.currency);
  return unitsOf(price.amount) + unitsOf(before?.amount ?? "0") > unitsOf(limit.amount);
}
