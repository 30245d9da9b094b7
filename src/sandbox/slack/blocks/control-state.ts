import { isObject, type Json } from "../wire/json.ts";
import type { Block, ViewState } from "./block.ts";
import { controlsOf } from "./controls.ts";
import { optionsOf } from "./elements.ts";

interface ValueField {
  /** The field of a state, and of an action, of the entered value. */
  field: string;
  /** The field of the element of its initial value. */
  initial: string;
  empty: unknown;
}

const chosen = (what: string): ValueField => ({ field: `selected_${what}`, initial: `initial_${what}`, empty: null });
const chosenMany = (what: string): ValueField => ({ field: `selected_${what}`, initial: `initial_${what}`, empty: [] });
const written: ValueField = { field: "value", initial: "initial_value", empty: null };

/** The state of each kind of element between being shown and being submitted. */
export const valueFields: Record<string, ValueField> = {
  static_select: chosen("option"),
  external_select: chosen("option"),
  users_select: chosen("user"),
  channels_select: chosen("channel"),
  conversations_select: chosen("conversation"),
  multi_static_select: chosenMany("options"),
  multi_external_select: chosenMany("options"),
  multi_users_select: chosenMany("users"),
  multi_channels_select: chosenMany("channels"),
  multi_conversations_select: chosenMany("conversations"),
  datepicker: chosen("date"),
  timepicker: chosen("time"),
  datetimepicker: chosen("date_time"),
  checkboxes: chosenMany("options"),
  radio_buttons: chosen("option"),
  plain_text_input: written,
  number_input: written,
  email_text_input: written,
  url_text_input: written,
  file_input: { field: "files", initial: "initial_files", empty: [] },
};

/**
 * The state of what is shown: what was entered before where the same element (block_id, action_id, type) is still there,
 * as Slack's clients show it (a new initial value does not show there), and its initial value otherwise.
 */
export function stateOf(blocks: Block[], before: ViewState = { values: {} }): ViewState {
  const values: ViewState["values"] = {};
  for (const { type, element, block_id, action_id } of controlsOf(blocks)) {
    const known = valueFields[type];
    if (!known) continue;
    const previous = before.values[block_id]?.[action_id];
    const entry =
      previous?.type === type && stillOffered(element, previous)
        ? previous
        : { type, [known.field]: element[known.initial] ?? known.empty };
    values[block_id] = { ...values[block_id], [action_id]: entry };
  }
  return { values };
}

/** False when a menu no longer lists the chosen option. */
function stillOffered(element: Json, entered: Json): boolean {
  const offered = optionsOf(element).map((option) => option.value);
  const chosen = [entered.selected_option, entered.selected_options].flat().filter(isObject);
  return offered.length === 0 || chosen.every((option) => offered.includes(option.value));
}

/** The state with one element's entry replaced. */
export function withEntry(state: ViewState, block_id: string, action_id: string, entry: Json): ViewState {
  return { values: { ...state.values, [block_id]: { ...state.values[block_id], [action_id]: entry } } };
}

/** The state that a page sent, as far as it is about elements that are there. */
export function mergedState(state: ViewState, sent: unknown): ViewState {
  const values = isObject(sent) && isObject(sent.values) ? sent.values : {};
  let merged = state;
  for (const [block_id, entries] of Object.entries(values)) {
    if (!isObject(entries)) continue;
    for (const [action_id, entry] of Object.entries(entries)) {
      const known = state.values[block_id]?.[action_id];
      if (known && isObject(entry))
        merged = withEntry(merged, block_id, action_id, { ...known, ...entry, type: known.type });
    }
  }
  return merged;
}
