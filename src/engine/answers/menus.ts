import type { ActionsBlock, ExternalSelect, PlainTextOption, StaticSelect } from "@slack/types";
import type { Choice } from "../../operation/asking.ts";
import type { Invocation } from "../../operation/operation.ts";
import { type Block, plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, oneLine } from "../../views/text.ts";
import { packInvocation, unpackInvocation } from "./buttons.ts";

/** The action ids of menus whose choice completes an invocation begin with this. */
export const menuPrefix = "menu:";
/** The menus above a list, which concern nobody but who asked for it. */
export const filtersBlock = "filters";
/** The search under a list that opens one of its rows. */
export const searchBlock = "open";
/** The choice that takes a filter away. */
const noChoice = "-";

/** A menu in a message: what is chosen becomes the target, or an input, of the invocation that is then carried out. */
interface Menu {
  placeholder: string;
  invocation: Invocation;
  /** The input that the choice fills; null for the target. */
  field: string | null;
}

/** A menu of at most 100 choices. `all` names the choice that takes the input away. Null where Slack could not carry it. */
export function choiceMenu(
  menu: Menu & { choices: Choice[]; all?: string; chosen?: string | undefined },
): StaticSelect | null {
  const { placeholder, choices, all, chosen } = menu;
  const action_id = actionIdOf(menu, null);
  const none = all === undefined ? [] : [{ value: noChoice, label: all }];
  const offered = [...none, ...choices].filter(({ value }) => value !== "" && value.length <= limits.option.value);
  const options = offered.slice(0, limits.select.options).map(optionOf);
  if (action_id === null || options.length === 0) return null;
  const initial = chosen === undefined ? undefined : options.find(({ value }) => value === chosen);
  return {
    type: "static_select",
    action_id,
    placeholder: plain(placeholder, limits.select.placeholder),
    options,
    ...(initial ? { initial_option: initial } : {}),
  };
}

/** A menu that finds, as one types, what `targetsOf` (a command) can be said of. Null where Slack could not carry it. */
export function searchMenu(menu: Menu & { targetsOf: string }): ExternalSelect | null {
  const action_id = actionIdOf(menu, menu.targetsOf);
  if (action_id === null) return null;
  return {
    type: "external_select",
    action_id,
    placeholder: plain(menu.placeholder, limits.select.placeholder),
    min_query_length: 0,
  };
}

/** The menus that there are, in one row. */
export function menuRow(menus: (StaticSelect | ExternalSelect | null)[], blockId: string): Block[] {
  const elements = menus.filter((menu) => menu !== null);
  const row: ActionsBlock = { type: "actions", block_id: blockId, elements };
  return elements.length > 0 ? [row] : [];
}

/** What a choice in a menu asks for; null when the menu is an old one, or somebody's invention. */
export function chosenInvocation(actionId: string, value: string): Invocation | null {
  const menu = readActionId(actionId);
  if (!menu) return null;
  const { field, invocation } = menu;
  if (field === null) return { ...invocation, target: value };
  const { [field]: _, ...rest } = invocation.input;
  return { ...invocation, input: value === noChoice ? rest : { ...rest, [field]: value } };
}

/** The command whose targets a menu searches; null where it searches none. */
export function searchedBy(actionId: string): string | null {
  return readActionId(actionId)?.targetsOf ?? null;
}

function actionIdOf({ field, invocation }: Menu, targetsOf: string | null): string | null {
  const id = `${menuPrefix}${field ?? ""}:${targetsOf ?? ""}:${packInvocation(invocation)}`;
  return id.length <= limits.id ? id : null;
}

function readActionId(id: string) {
  const [, field, targetsOf, packed] = /^menu:([^:]*):([^:]*):(.*)$/.exec(id) ?? [];
  const invocation = unpackInvocation(packed ?? "");
  return invocation && { field: field || null, targetsOf: targetsOf || null, invocation };
}

function optionOf({ value, label, description }: Choice): PlainTextOption {
  return {
    text: plain(oneLine(label), limits.option.text),
    value,
    ...(description ? { description: plain(clip(oneLine(description), 75), limits.option.description) } : {}),
  };
}
