import type { ActionsBlock, Button, PlainTextOption, StaticSelect } from "@slack/types";
import type { Step } from "../../operation/answer.ts";
import type { Invocation } from "../../operation/operation.ts";
import { type Group, groups, groupTitles, riskGroup } from "../../operation/risk.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { actions, plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { oneLine } from "../../views/text.ts";
import {
  invocationButton,
  invokePrefix,
  type OfferedStep,
  offeredButton,
  offeredSteps,
  packInvocation,
  unpackInvocation,
} from "./buttons.ts";
import type { Offer } from "./offer.ts";

/** So many acts of a card are buttons beside *Details*. The others are in the menu, by their operations' groups. */
const mostActs = 3;

/** The action ids of the menu *More…* begin with this. An option's value is the invocation. */
export const morePrefix = "more:";
/** Value of the one option whose invocation is too long for an option: the action id holds it. */
const inActionId = "=";

export interface MenuEntry {
  label: PlainText;
  group: Group;
  invocation: Invocation;
}

/**
 * The buttons of a card, and its menu. `details`: the card's own invocation; null for a card that has none behind it. `more`: buttons that
 * run no command.
 */
export function cardActions(
  steps: Step[],
  offer: Offer,
  {
    name,
    details,
    menu = [],
    more = [],
  }: { name: PlainText; details: Invocation | null; menu?: MenuEntry[]; more?: Button[] },
): ActionsBlock[] {
  const offered = offeredSteps(steps, offer);
  const acts = offered.filter(isButton).slice(0, mostActs);
  const rest = offered.filter((one) => !acts.includes(one));
  const entries = [
    ...rest.map(({ step, operation, invocation }) => ({ label: step.label, group: riskGroup(operation), invocation })),
    ...menu,
  ];
  const { select, left } = moreMenu(entries);
  const buttons = [
    ...acts.flatMap((one, at) => offeredButton(one, at, name)),
    ...(details ? detailsButton(details) : []),
    ...more,
    ...left.flatMap(({ label, invocation }, at) =>
      invocationButton(label, `${invokePrefix}left:${at}`, invocation, { operation: undefined }),
    ),
  ];
  // Without an id of the block: Slack keeps what was chosen in a menu of the same id, and would send no second press of it.
  return actions([...buttons, ...(select ? [select] : [])]);
}

/** An act that may destroy is only in the menu: a finger that meant *Refresh* must not meet it. */
function isButton({ operation }: OfferedStep): boolean {
  return !(operation.api === "app" ? operation.risk === "destroy" : operation.risks.includes("destroy"));
}

function detailsButton(invocation: Invocation): Button[] {
  const whole = { ...invocation, replace: false, share: false, details: true };
  return invocationButton("Details", `${invokePrefix}details`, whole, { operation: undefined });
}

/** The menu, and the entries that do not fit into its values. A choice asks what a button's own dialog would have asked. */
function moreMenu(entries: MenuEntry[]): { select: StaticSelect | null; left: MenuEntry[] } {
  const packed = entries.map((entry) => ({ entry, value: packInvocation(entry.invocation) }));
  const fits = ({ value }: { value: string }) => value.length <= limits.option.value;
  const long = packed.find((one) => !fits(one) && morePrefix.length + one.value.length <= limits.id);
  const shown = packed.filter((one) => one === long || fits(one));
  const left = packed.filter((one) => !shown.includes(one)).map(({ entry }) => entry);
  const optionGroups = groups.flatMap((group) => {
    const options = shown
      .filter(({ entry }) => entry.group === group)
      .map(
        (one): PlainTextOption => ({
          text: plain(oneLine(one.entry.label), limits.option.text),
          value: one === long ? inActionId : one.value,
        }),
      );
    return options.length > 0 ? [{ label: plain(groupTitles[group], limits.option.text), options }] : [];
  });
  if (optionGroups.length === 0) return { select: null, left };
  const action_id = `${morePrefix}${long?.value ?? ""}`;
  const placeholder = plain("More…", limits.select.placeholder);
  return { select: { type: "static_select", action_id, placeholder, option_groups: optionGroups }, left };
}

/** The invocation of a choice in the menu of a card; null for an old or forged one. */
export function chosenAct(actionId: string, value: string): Invocation | null {
  return unpackInvocation(value === inActionId ? actionId.slice(morePrefix.length) : value);
}
