import type { Button } from "@slack/types";
import { actions, button, context, facts, type Message, section } from "../../../views/blocks.ts";
import { prose } from "../../../views/text.ts";
import { overrideAction, reviewAction } from "../../actions.ts";
import { type Request, titleOf, wasNotDone } from "../../request.ts";
import { controlValue } from "../../shown-facts.ts";
import { askedBecause } from "../agent/view.ts";
import type { Override } from "./record.ts";

/** The button of a request that others decide, and whose rule allows an emergency override. */
export function overrideButton(request: Request): Button[] {
  const { mode, unsettled, ruling } = request;
  if (mode !== "peer" || unsettled || !ruling.overridable) return [];
  return [button("Override…", overrideAction, controlValue(request))];
}

/** "run without approval by <@ana>"; `tried` if the platform did not do it. */
export function overriddenWords(request: Request, override: Override): string {
  return `${failureOf(request, override) === null ? "run" : "tried"} without approval by <@${override.slackUser}>`;
}

/** The outcome of an override's attempt that did nothing, or of which nobody knows if it did; null if the act was done or goes on. */
function failureOf(request: Request, { outcome }: Override): string | null {
  return outcome ?? (wasNotDone(request) || request.unsettled ? request.outcome : null);
}

/** Announces an emergency override, and asks another admin to review it. */
export function overrideMessage(request: Request, override: Override): Message {
  const { rule } = request.ruling;
  const failure = failureOf(request, override);
  const text = `:rotating_light: *Emergency override*: ${titleOf(request)}, ${askedBecause(request)}, was ${overriddenWords(request, override)}.`;
  const reviewed = override.reviewedBy
    ? `:eyes: <@${override.reviewedBy}> reviewed the override.`
    : "Another admin must review the override.";
  return {
    text: `${text} ${reviewed}`,
    blocks: [
      section(text),
      ...(failure === null ? [] : [section(failure)]),
      ...facts([{ label: "Why", value: prose(override.reason, 500) }]),
      ...(rule ? [context(`The rule: ${rule}`)] : []),
      context(reviewed),
      ...(override.reviewedBy ? [] : actions([button("I have reviewed it", reviewAction, request.id)], "override")),
    ],
  };
}
