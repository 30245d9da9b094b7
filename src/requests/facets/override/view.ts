import type { Button } from "@slack/types";
import { actions, button, context, facts, type Message, section } from "../../../views/blocks.ts";
import { prose } from "../../../views/text.ts";
import { overrideAction, reviewAction } from "../../actions.ts";
import { type Request, titleOf } from "../../request.ts";
import { controlValue } from "../../shown-facts.ts";
import { askedBecause } from "../agent/view.ts";

/** The button of a request that others decide, and whose rule allows an emergency override. */
export function overrideButton(request: Request): Button[] {
  const { mode, unsettled, ruling } = request;
  if (mode !== "peer" || unsettled || !ruling.overridable) return [];
  return [button("Override…", overrideAction, controlValue(request))];
}

/** Announces an emergency override, and asks another admin to review it. */
export function overrideMessage(request: Request): Message {
  const { override } = request;
  const { rule } = request.ruling;
  const text = `:rotating_light: *Emergency override* by <@${override?.slackUser}>: ${titleOf(request)}, ${askedBecause(request)}, was run without approval.`;
  const reviewed = override?.reviewedBy
    ? `:eyes: <@${override.reviewedBy}> reviewed the override.`
    : "Another admin must review the override.";
  return {
    text: `${text} ${reviewed}`,
    blocks: [
      section(text),
      ...facts([{ label: "Why", value: prose(override?.reason ?? "", 500) }]),
      ...(rule ? [context(`The rule: ${rule}`)] : []),
      context(reviewed),
      ...(override?.reviewedBy ? [] : actions([button("I have reviewed it", reviewAction, request.id)], "override")),
    ],
  };
}
