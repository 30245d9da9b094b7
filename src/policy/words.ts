import { type Price, withTax } from "../operation/answer.ts";
import { money } from "../views/format.ts";
import { code, listing, prose } from "../views/text.ts";
import { type ApprovalLevel, type Condition, isOverridable, type Rule, type RuledProject } from "./rule.ts";

/** The parts of a rule's words that depend on the request and on the reader. */
interface Wording {
  /** With a price, the words say how the rule counts it. */
  price?: Price | "unknown" | null;
  channelWords?: (id: string) => string;
}

/** A rule as a sentence: "`/vps cancel` in project production: needs two approvals." */
export function ruleWords(rule: Rule, wording: Wording = {}): string {
  const override = rule.overridable && isOverridable(rule.demand) ? " An admin may override it in an emergency." : "";
  return `${demandSentence(rule, wording)}${moveWords(rule)}${override}`;
}

/** Says that nobody escapes a rule about a project by moving a resource; empty where the rule is about no project. */
function moveWords({ when: { project, risk, command }, demand }: Rule): string {
  if (project === null) return "";
  if (demand !== "not-allowed") return " A move to a project that needs less needs the same.";
  const forbidsMoves = command === null && (risk === null || risk === "change");
  return forbidsMoves ? "" : " A move to a project that allows it needs an admin other than the requester.";
}

/**
 * The same without the sentences about moves and emergency override. Another rule, or the number of machines, may forbid the override where
 * this is quoted.
 */
export function demandSentence(
  { when, demand, passkey }: Rule,
  { price = null, channelWords = (id) => `<#${id}>` }: Wording = {},
): string {
  if (when.agent) {
    const commands = listing(when.agent.commands.map((command) => code(`/${command}`)));
    const where = when.project === null ? "" : ` ${projectWords(when.project)}`;
    return `Agents run ${commands}${where} at once, without their member.`;
  }
  const counts = when.over === null && when.overInDay === null ? "" : countWords(price);
  return `${conditionWords(when, channelWords)}: ${leastWords(when, demand)}${passkey ? ", with a passkey" : ""}.${counts}`;
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
  { risk, command, project, channels, outsideWindows, over, overInDay }: Condition,
  channelWords: (id: string) => string,
): string {
  const subject = [
    ...(command === null ? [] : [code(`/${command}`)]),
    ...(risk === null ? [] : [command === null ? riskWords[risk] : `(${riskWords[risk].toLowerCase()})`]),
  ];
  const parts = [
    subject.length === 0 ? "Everything" : subject.join(" "),
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
