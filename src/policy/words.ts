import { type PeopleList, peopleWords } from "../members/people/people-list.ts";
import { type Price, withTax } from "../operation/answer.ts";
import { duration, money } from "../views/format.ts";
import { code, count, listing, prose } from "../views/text.ts";
import { type ApprovalLevel, type Condition, isOverridable, type Rule, type RuledProject } from "./rule.ts";

/** The parts of a rule's words that depend on the request and on the reader. */
interface Wording {
  /** With a price, the words say how the rule counts it. */
  price?: Price | "unknown" | null;
  channelWords?: (id: string) => string;
  /** Other words where a mention would notify people whom the rule only names. */
  people?: (list: PeopleList) => string;
}

/** A rule as a sentence: "`/vps cancel` in project production: needs two approvals." */
export function ruleWords(rule: Rule, wording: Wording = {}): string {
  const override = rule.overridable && isOverridable(rule.demand) ? " An admin may override it in an emergency." : "";
  return `${demandSentence(rule, wording)}${moveWords(rule)}${override}${waitingWords(rule, wording)}`;
}

/** Says what happens while its request waits; empty where the rule says nothing of it. */
function waitingWords({ notify, steps = [], expiresAfter }: Rule, { people = peopleWords }: Wording): string {
  const [first, second] = steps.map(({ to, after }) => ({ to: people(to), after: duration(after) }));
  const next = second ? `, and ${second.to} after ${second.after}` : "";
  const sentences = [
    ...(notify ? [`It notifies ${people(notify)}.`] : []),
    ...(first ? [`Without a decision, it notifies ${first.to} after ${first.after}${next}.`] : []),
    ...(expiresAfter === undefined ? [] : [`It expires after ${duration(expiresAfter)}.`]),
  ];
  return sentences.map((sentence) => ` ${sentence}`).join("");
}

/** Says that nobody escapes a rule about a project by moving a resource; empty where the rule is about no project. */
function moveWords({ when: { project, risk, command }, demand }: Rule): string {
  if (project === null) return "";
  if (demand !== "not-allowed") return " A move to a project that needs less needs the same.";
  const forbidsMoves = command === null && (risk === null || risk === "change");
  return forbidsMoves ? "" : " A move to a project that allows it needs an admin other than the requester.";
}

/**
 * The same without the sentences about moves, emergency override and the wait. Another rule, or the number of machines, may forbid the override where
 * this is quoted.
 */
export function demandSentence(
  { when, demand, passkey, approvers }: Rule,
  { price = null, channelWords = (id) => `<#${id}>`, people = peopleWords }: Wording = {},
): string {
  if (when.agent) {
    const commands = listing(when.agent.commands.map((command) => code(`/${command}`)));
    const where = when.project === null ? "" : ` ${projectWords(when.project)}`;
    return `Agents run ${commands}${where} at once, without their member.`;
  }
  const counts = when.over === null && when.overInDay === null ? "" : countWords(price);
  const by = approvers ? `, which only ${people(approvers.list)} can give` : "";
  const proof = passkey ? ", with a passkey" : "";
  return `${conditionWords(when, { channelWords, people })}: ${leastWords(when, demand)}${by}${proof}.${counts}`;
}

/** The list without a mention: "2 named people and `@ops`". */
export function countedWords({ users, ...groups }: PeopleList): string {
  const named = users.length === 0 ? [] : [count(users.length, "named person", "named people")];
  const others = groups.agents || groups.groups.length + groups.rotations.length > 0;
  return listing([...named, ...(others ? [peopleWords({ users: [], ...groups })] : [])]);
}

/** "by `@contractors`, but not <@U1>"; empty where the rule is about everybody. */
function membersWords({ who, notWho }: Condition, people: (list: PeopleList) => string): string {
  if (!who) return notWho ? `by anybody but ${people(notWho.list)}` : "";
  return `by ${people(who.list)}${notWho ? `, but not ${people(notWho.list)}` : ""}`;
}

/** Nothing that destroys or costs runs at once, whatever a rule says. */
function leastWords({ risk }: Condition, demand: ApprovalLevel): string {
  if (demand !== "allowed" || risk === "read" || risk === "change") return demandWords[demand];
  if (risk !== null) return demandWords.confirm;
  return `${demandWords.allowed}, and where it destroys or costs something it ${demandWords.confirm}`;
}

/** Says why a rule counts another price than the request shows; empty where it counts that one. */
function countWords(price: Price | "unknown" | null): string {
  if (price === "unknown") return " The price is not known beforehand, so it counts as over.";
  if (!price?.beforeTax) return "";
  const { amount, currency } = withTax(price);
  return ` With the highest tax that may be added, this counts as ${money(amount, currency)}.`;
}

/** The required approval, as a choice in a form. */
export const demandLabels: Record<ApprovalLevel, string> = {
  allowed: "Nothing: it runs at once, unless it destroys or costs something",
  confirm: "The requester's confirmation",
  "one-approval": "One approval",
  "two-approvals": "Two approvals",
  "not-allowed": "It is not allowed",
};

/** The required approval, as the rest of a sentence. */
export const demandWords: Record<ApprovalLevel, string> = {
  allowed: "runs at once",
  confirm: "needs the requester's confirmation",
  "one-approval": "needs one approval",
  "two-approvals": "needs two approvals",
  "not-allowed": "is not allowed",
};

export const riskWords: Record<NonNullable<Condition["risk"]>, string> = {
  read: "Reading",
  change: "Changing something at once",
  spend: "Spending money",
  destroy: "Destroying something",
};

function projectWords({ name }: RuledProject): string {
  return `in project ${prose(name, 80)}`;
}

function conditionWords(
  when: Condition,
  { channelWords, people }: { channelWords: (id: string) => string; people: (list: PeopleList) => string },
): string {
  const { risk, command, project, channels, outsideWindows, over, overInDay } = when;
  const members = membersWords(when, people);
  const subject = [
    ...(command === null ? [] : [code(`/${command}`)]),
    ...(risk === null ? [] : [command === null ? riskWords[risk] : `(${riskWords[risk].toLowerCase()})`]),
  ];
  const parts = [
    subject.length === 0 ? "Everything" : subject.join(" "),
    ...(members === "" ? [] : [members]),
    ...(project === null ? [] : [projectWords(project)]),
    ...(channels === null
      ? []
      : [`${channels.are === "in" ? "in" : "outside"} ${listing([...new Set(channels.ids.map(channelWords))], "or")}`]),
    ...(outsideWindows ? ["outside a maintenance window of the machine"] : []),
    ...(over === null ? [] : [`over ${money(over.amount, over.currency)}`]),
    ...(overInDay === null
      ? []
      : [`once a member spends over ${money(overInDay.amount, overInDay.currency)} in 24 hours`]),
  ];
  return parts.join(" ");
}
