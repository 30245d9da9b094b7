import type { ActionsBlock, ExternalSelect, Overflow, StaticSelect } from "@slack/types";
import type { Choice } from "../../operation/call-context.ts";
import type { Invocation } from "../../operation/operation.ts";
import { type Block, fitsOption, optionOf, plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { packInvocation, unpackInvocation } from "./buttons.ts";

/** The action ids of menus whose choice completes an invocation begin with this. */
export const menuPrefix = "menu:";
/** Block id of the menus above a list, which are for the requester alone. */
export const filtersBlock = "filters";
/** Option value that removes a filter. */
const noChoice = "-";

/** A menu in a message. The chosen value becomes the target, or an input, of the invocation, which then runs. */
interface Menu {
  placeholder: string;
  invocation: Invocation;
  /** The input that the choice fills; null for the target. */
  field: string | null;
}

/** A menu of at most 100 choices. `all` labels the choice that removes the input. Null when it exceeds Slack's limits. */
export function choiceMenu(
  menu: Menu & { choices: Choice[]; all?: string; chosen?: string | undefined },
): StaticSelect | null {
  const { placeholder, choices, all, chosen } = menu;
  const action_id = actionIdOf(menu, null);
  const none = all === undefined ? [] : [{ value: noChoice, label: all }];
  const offered = [...none, ...choices].filter(fitsOption);
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

/** A menu that searches the targets of the command `targetsOf` while the member types. Null when it exceeds Slack's limits. */
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

/** The place of an input's name in a menu that chooses the command; no input is called so. */
const commandField = "=";

/**
 * The acts on a list row in one menu, as commands by label; what is chosen runs with the row's target and input. Null when it exceeds
 * Slack's limits.
 */
export function actsMenu(acts: Record<string, string>, row: Omit<Invocation, "command">): Overflow | null {
  const action_id = actionIdOf({ placeholder: "", field: commandField, invocation: { command: "", ...row } }, null);
  const options = Object.entries(acts).map(([label, value]) => optionOf({ value, label }));
  if (action_id === null || options.length === 0 || options.length > limits.overflow.options) return null;
  return { type: "overflow", action_id, options };
}

/** A menu of commands that need no input; the chosen one runs. */
export function commandMenu(
  placeholder: string,
  operations: { command: string; summary: string }[],
): StaticSelect | null {
  const choices = operations.map(({ command, summary }) => ({
    value: command,
    label: `/${command}`,
    description: summary,
  }));
  return choiceMenu({ placeholder, field: commandField, invocation: { command: "", input: {} }, choices });
}

/** The menus that are not null, in one row. */
export function menuRow(menus: (StaticSelect | ExternalSelect | null)[], blockId: string): Block[] {
  const elements = menus.filter((menu) => menu !== null);
  const row: ActionsBlock = { type: "actions", block_id: blockId, elements };
  return elements.length > 0 ? [row] : [];
}

/** The invocation of a choice in a menu; null for an old or forged menu. */
export function chosenInvocation(actionId: string, value: string): Invocation | null {
  const menu = readActionId(actionId);
  if (!menu) return null;
  const { field, invocation } = menu;
  if (field === null) return { ...invocation, target: value };
  if (field === commandField) return { ...invocation, command: value };
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
