import { isUnder } from "./evaluate.ts";
import { covers, coversActs, isWithin } from "./loosens.ts";
import { type Channels, type Condition, type PinnedPeople, type Rule, strictness } from "./rule.ts";
import { demandSentence } from "./words.ts";

/** Says how other rules change what a rule does, as sentences in mrkdwn; empty where none does. */
export function conflictWords(rule: Rule, others: readonly Rule[]): string {
  const { when, demand } = rule;
  if (when.agent) return "";
  if (when.who && isWithin(when.who, when.notWho)) return " It never applies: it spares everybody whom it names.";
  const beside = others.filter((other) => other.id !== rule.id && !other.when.agent);
  const stricter = beside
    .filter((other) => strictness(other.demand) > strictness(demand))
    .toSorted((a, b) => strictness(b.demand) - strictness(a.demand));
  const whole = stricter.find((other) => coversActs(other.when, when));
  if (whole) return ` It never applies, because a stricter rule applies to all of it: ${demandSentence(whole)}`;
  const same = beside.find((other) => covers(other, rule));
  if (same) return ` It adds nothing, because another rule asks for as much: ${demandSentence(same)}`;
  const [first, ...more] = stricter.filter((other) => canBothFit(other.when, when));
  if (!first) return "";
  const rest = more.length > 0 ? ` So do ${more.length} more.` : "";
  return ` A stricter rule applies as well, so this never loosens it: ${demandSentence(first)}${rest}`;
}

/** True unless no act can fit both. */
export function canBothFit(one: Condition, other: Condition): boolean {
  return (
    (one.risk === null || other.risk === null || one.risk === other.risk) &&
    (one.command === null ||
      other.command === null ||
      isUnder(one.command, other.command) ||
      isUnder(other.command, one.command)) &&
    (one.project === null || other.project === null || one.project.id === other.project.id) &&
    canBothFitIn(one.channels, other.channels) &&
    canBothFitBy(one.who, other.who) &&
    !(one.who && isWithin(one.who, other.notWho)) &&
    !(other.who && isWithin(other.who, one.notWho))
  );
}

function canBothFitIn(one: Channels | null, other: Channels | null): boolean {
  if (one === null || other === null || (one.are === "outside" && other.are === "outside")) return true;
  const [inside, second] = one.are === "in" ? [one, other] : [other, one];
  return inside.ids.some((id) => (second.are === "in") === second.ids.includes(id));
}

function canBothFitBy(one: PinnedPeople | undefined, other: PinnedPeople | undefined): boolean {
  if (!one || !other) return true;
  // Agents act for the people of the other list, too.
  return one.list.agents || other.list.agents || one.users.some((user) => other.users.includes(user));
}
