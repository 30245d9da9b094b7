import type { Step } from "../../operation/answer.ts";
import type { Limit, Rule } from "../../policy/rule.ts";

/** The buttons of a rule in the list, for admins: the form with its values, and the question before it goes. */
export function ruleSteps(rule: Rule): Step[] {
  const asks =
    "Requests that only this rule holds back may then run at once. If it loosens something, another admin must agree.";
  return [
    { label: "Change…", command: "rackbell policy add", input: valuesOf(rule), form: true },
    { label: "Remove…", command: "rackbell policy remove", input: { rule: rule.id }, asks },
  ];
}

/** The values with which `/rackbell policy add` makes the same rule in its place. */
function valuesOf({ id, when, demand, breakGlass }: Rule): Record<string, string | boolean> {
  const { risk, command, project, channels, outsideWindows, agent, over, overInDay } = when;
  const values = {
    instead: id,
    project: project && (project.id ?? project.name),
    ...(agent
      ? { agent: "run", commands: agent.commands.join(", ") }
      : { demand, risk, command, over: amountOf(over), day: amountOf(overInDay) }),
    ...(channels ? { [channels.are === "in" ? "in" : "outside"]: channels.ids.join(" ") } : {}),
    ...(outsideWindows ? { window: "outside" } : {}),
    ...(breakGlass ? { glass: true } : {}),
  };
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function amountOf(limit: Limit | null): string | null {
  return limit && `${limit.amount} ${limit.currency}`;
}
