import { money } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import type { Condition, Demand, Rule } from "./rule.ts";

/** A rule as a sentence: "`/vps cancel` in project production: two others must approve." */
export function ruleWords({ when, demand, breakGlass }: Rule): string {
  const what = conditionWords(when);
  const glass = breakGlass ? " An admin may break the glass." : "";
  return `${what}: ${demandWords[demand]}.${glass}`;
}

/** What holds, as the rest of a sentence. */
export const demandWords: Record<Demand, string> = {
  allowed: "it is done at once",
  self: "who asks confirms it",
  peer: "somebody else must approve",
  peers: "two others must approve",
  never: "it is never done from here",
};

const riskWords: Record<NonNullable<Condition["risk"]>, string> = {
  read: "Whatever only reads",
  change: "Whatever changes something at once",
  spend: "Whatever costs money",
  destroy: "Whatever destroys something",
};

function conditionWords({ risk, command, project, channels, outsideWindows, over, overInDay }: Condition): string {
  const subject = [
    ...(command === null ? [] : [code(`/${command}`)]),
    ...(risk === null ? [] : [command === null ? riskWords[risk] : `(${riskWords[risk].toLowerCase()})`]),
  ];
  const parts = [
    subject.length === 0 ? "Everything" : subject.join(" "),
    ...(project === null ? [] : [`in project ${prose(project, 80)}`]),
    ...(channels === null
      ? []
      : [
          `${channels.are === "in" ? "in" : "outside"} ${listing(
            channels.ids.map((id) => `<#${id}>`),
            "or",
          )}`,
        ]),
    ...(outsideWindows ? ["outside a maintenance window of the machine"] : []),
    ...(over === null ? [] : [`over ${money(over.amount, over.currency)}`]),
    ...(overInDay === null
      ? []
      : [`once a member spends over ${money(overInDay.amount, overInDay.currency)} in 24 hours`]),
  ];
  return parts.join(" ");
}
