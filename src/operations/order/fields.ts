import type { InputBlock, PlainTextOption } from "@slack/types";
import type { Choice } from "../../operation/call-context.ts";
import { plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";

interface FieldOptions {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
}

function input({ id, label, hint, optional = false }: FieldOptions, element: InputBlock["element"]): InputBlock {
  return {
    type: "input",
    block_id: id,
    label: plain(label, limits.input.label),
    optional,
    ...(hint ? { hint: plain(hint, limits.input.hint) } : {}),
    element,
  };
}

export function textField(field: FieldOptions, value: string, { multiline = false } = {}): InputBlock {
  return input(field, {
    type: "plain_text_input",
    action_id: "value",
    multiline,
    max_length: limits.input.plainText,
    ...(value && value.length <= limits.input.plainText ? { initial_value: value } : {}),
  });
}

export function numberField(field: FieldOptions, value: number, least: number): InputBlock {
  return input(field, {
    type: "number_input",
    action_id: "value",
    is_decimal_allowed: false,
    min_value: String(least),
    initial_value: String(value),
  });
}

/** A field for the quantity of an option: yes or no if at most one is allowed. `most` is null if the maximum is unknown. */
export function amountField(field: FieldOptions, value: number, most: number | null): InputBlock {
  if (most !== 1) return numberField(field, value, 0);
  const answers = [
    { value: "0", label: "No" },
    { value: "1", label: "Yes" },
  ];
  return selectField(field, answers, value > 0 ? "1" : "0");
}

export function selectField(field: FieldOptions, choices: Choice[], value: string | null): InputBlock {
  const options = choices.slice(0, limits.select.options).map(optionOf);
  const initial = options.find((option) => option.value === value);
  return input(field, {
    type: "static_select",
    action_id: "value",
    options,
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function groupedField(
  field: FieldOptions,
  groups: { label: string; choices: Choice[] }[],
  value: string | null,
): InputBlock {
  const filled = groups
    .filter(({ choices }) => choices.length > 0)
    .map(({ label, choices }) => ({
      label: plain(label, limits.option.text),
      options: choices.slice(0, limits.select.options).map(optionOf),
    }));
  const initial = filled.flatMap(({ options }) => options).find((option) => option.value === value);
  return input(field, {
    type: "static_select",
    action_id: "value",
    option_groups: filled,
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function severalField(field: FieldOptions, choices: Choice[], values: string[], mostChosen: number): InputBlock {
  const options = choices.slice(0, limits.select.options).map(optionOf);
  const initial = options.filter((option) => values.includes(option.value ?? ""));
  return input(field, {
    type: "multi_static_select",
    action_id: "value",
    options,
    max_selected_items: mostChosen,
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  });
}

/** A search field. The pages' `suggest` supplies its options, and Slack sends a choice at once. */
export function searchField(field: FieldOptions, placeholder: string, chosen: Choice | null): InputBlock {
  const block = input(field, {
    type: "external_select",
    action_id: `choose:${field.id}`,
    min_query_length: 0,
    placeholder: plain(placeholder, limits.select.placeholder),
    ...(chosen ? { initial_option: optionOf(chosen) } : {}),
  });
  return { ...block, dispatch_action: true };
}

export function fileField(field: FieldOptions): InputBlock {
  return input(field, { type: "file_input", action_id: "value", max_files: 1 });
}

function optionOf({ value, label, description }: Choice): PlainTextOption {
  return {
    text: plain(label || "(no name)", limits.option.text),
    value,
    ...(description ? { description: plain(description, limits.option.description) } : {}),
  };
}

/** Removes mrkdwn marks, for elements in which Slack shows plain text only. */
export function unmarked(text: string): string {
  return text.replaceAll(/[*`]/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
