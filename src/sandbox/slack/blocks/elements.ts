import { limits } from "../../../views/limits.ts";
import { isObject, type Json, objectsAt } from "../wire/json.ts";
import { confirm, markedOption, option, optionGroups, options, overflowOption, plainText } from "./composition.ts";
import {
  flag,
  list,
  oneOf,
  pattern,
  type Report,
  type Rule,
  type Shape,
  shape,
  string,
  typed,
  url,
  whole,
} from "./schema.ts";

const { button, checkboxes, id, input, overflow, radios, select } = limits;

const actionId = string(id, 1);
const placeholder = plainText(select.placeholder);
const ids = list(string(id, 1), select.options);
const common = { action_id: actionId, confirm };
const focusable = { ...common, focus_on_load: flag };
const menu = { ...focusable, placeholder };
const multiMenu = { ...menu, max_selected_items: whole(1, select.options) };
const typing = {
  action_id: actionId,
  focus_on_load: flag,
  placeholder,
  dispatch_action_config: shape({
    optional: { trigger_actions_on: list(oneOf("on_enter_pressed", "on_character_entered"), 2, 1) },
  }),
};

const filter = shape({
  optional: {
    include: list(oneOf("im", "mpim", "private", "public"), 4, 1),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
});

function optionsOrGroups(element: Json, at: string, report: Report): void {
  const given = ["options", "option_groups"].filter((name) => element[name] !== undefined);
  if (given.length !== 1) report(at, "must have either options or option_groups");
  initialAmongOptions(element, at, report);
}

function initialAmongOptions(element: Json, at: string, report: Report): void {
  const values = optionsOf(element).map((known) => known.value);
  const initial = [element.initial_option, element.initial_options].flat().filter(isObject);
  if (initial.some((chosen) => !values.includes(chosen.value))) report(at, "initial option not found in options");
}

/** Every option of an element that lists its own, groups included. */
export function optionsOf(element: Json): Json[] {
  const groups = objectsAt(element, "option_groups");
  return [element.options, ...groups.map((group) => group.options)].flat().filter(isObject);
}

function lengthsAgree(element: Json, at: string, report: Report): void {
  const { min_length: min, max_length: max, initial_value: initial } = element;
  if (typeof min === "number" && typeof max === "number" && min > max) report(at, "min_length is over max_length");
  if (typeof initial === "string" && typeof max === "number" && initial.length > max)
    report(`${at}/initial_value`, "is longer than max_length");
}

const decimal = pattern(/^-?\d+(\.\d+)?$/, "a number in a string");
const initialOptions = list(option, select.options, 1);

/** Every element that the practice workspace knows, and its fields. */
export const elements: Record<string, Shape> = {
  button: {
    required: { text: plainText(button.text) },
    optional: {
      ...common,
      value: string(button.value),
      url: url(button.url),
      style: oneOf("primary", "danger"),
      accessibility_label: string(button.accessibilityLabel),
    },
  },
  static_select: {
    optional: { ...menu, options, option_groups: optionGroups, initial_option: option },
    also: optionsOrGroups,
  },
  multi_static_select: {
    optional: { ...multiMenu, options, option_groups: optionGroups, initial_options: initialOptions },
    also: optionsOrGroups,
  },
  external_select: { optional: { ...menu, initial_option: option, min_query_length: whole(0, 150) } },
  multi_external_select: {
    optional: { ...multiMenu, initial_options: initialOptions, min_query_length: whole(0, 150) },
  },
  users_select: { optional: { ...menu, initial_user: string(id, 1) } },
  multi_users_select: { optional: { ...multiMenu, initial_users: ids } },
  channels_select: { optional: { ...menu, initial_channel: string(id, 1), response_url_enabled: flag } },
  multi_channels_select: { optional: { ...multiMenu, initial_channels: ids } },
  conversations_select: {
    optional: {
      ...menu,
      filter,
      initial_conversation: string(id, 1),
      default_to_current_conversation: flag,
      response_url_enabled: flag,
    },
  },
  multi_conversations_select: {
    optional: { ...multiMenu, filter, initial_conversations: ids, default_to_current_conversation: flag },
  },
  overflow: { required: { options: list(overflowOption, overflow.options, 1) }, optional: common },
  datepicker: { optional: { ...menu, initial_date: pattern(/^\d{4}-\d\d-\d\d$/, "a date as YYYY-MM-DD") } },
  timepicker: {
    optional: { ...menu, initial_time: pattern(/^\d\d:\d\d$/, "a time as HH:mm"), timezone: string(id, 1) },
  },
  datetimepicker: { optional: { ...focusable, initial_date_time: whole(1_000_000_000, 9_999_999_999) } },
  checkboxes: {
    required: { options: list(markedOption, checkboxes, 1) },
    optional: { ...focusable, initial_options: list(markedOption, checkboxes, 1) },
    also: initialAmongOptions,
  },
  radio_buttons: {
    required: { options: list(markedOption, radios, 1) },
    optional: { ...focusable, initial_option: markedOption },
    also: initialAmongOptions,
  },
  plain_text_input: {
    optional: {
      ...typing,
      initial_value: string(input.plainText),
      multiline: flag,
      min_length: whole(0, input.plainText),
      max_length: whole(1, input.plainText),
    },
    also: lengthsAgree,
  },
  number_input: {
    required: { is_decimal_allowed: flag },
    optional: { ...typing, initial_value: decimal, min_value: decimal, max_value: decimal },
  },
  email_text_input: { optional: { ...typing, initial_value: string(input.plainText) } },
  url_text_input: { optional: { ...typing, initial_value: url(input.plainText) } },
  file_input: {
    optional: { action_id: actionId, filetypes: list(string(20, 1), 100, 1), max_files: whole(1, 10) },
  },
  image: {
    required: { alt_text: string(2_000, 1) },
    optional: { image_url: url(3_000), slack_file: shape({ optional: { id: string(id), url: url(3_000) } }) },
    also: oneImage,
  },
};

/** An image comes from an address or from a file in Slack, not from both. */
export function oneImage(image: Json, at: string, report: Report): void {
  if ((image.image_url === undefined) === (image.slack_file === undefined))
    report(at, "must have either image_url or slack_file");
}

const multi = [
  "multi_static_select",
  "multi_external_select",
  "multi_users_select",
  "multi_channels_select",
  "multi_conversations_select",
];
const single = ["static_select", "external_select", "users_select", "channels_select", "conversations_select"];
const pickers = [...single, ...multi, "datepicker", "timepicker", "checkboxes", "radio_buttons"];

export const accessory: Rule = typed(elements, "button", "overflow", "image", ...pickers);
export const actionElement: Rule = typed(elements, "button", "overflow", "datetimepicker", ...pickers);
export const inputElement: Rule = typed(
  elements,
  "datetimepicker",
  "plain_text_input",
  "number_input",
  "email_text_input",
  "url_text_input",
  "file_input",
  ...pickers,
);
