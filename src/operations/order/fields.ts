import type { InputBlock, PlainTextOption } from "@slack/types";
import type { Choice } from "../../operation/asking.ts";
import { plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";

interface Asked {
  id: string;
  label: string;
  hint?: string;
  optional?: boolean;
}

function input({ id, label, hint, optional = false }: Asked, element: InputBlock["element"]): InputBlock {
  return {
    type: "input",
    block_id: id,
    label: plain(label, limits.input.label),
    optional,
    ...(hint ? { hint: plain(hint, limits.input.hint) } : {}),
    element,
  };
}

export function textField(asked: Asked, value: string, { multiline = false } = {}): InputBlock {
  return input(asked, {
    type: "plain_text_input",
    action_id: "value",
    multiline,
    max_length: limits.input.plainText,
    ...(value && value.length <= limits.input.plainText ? { initial_value: value } : {}),
  });
}

export function numberField(asked: Asked, value: number, least: number): InputBlock {
  return input(asked, {
    type: "number_input",
    action_id: "value",
    is_decimal_allowed: false,
    min_value: String(least),
    initial_value: String(value),
  });
}

/** How many of an option: yes or no where there can be one at most. `most`: null where that is not known. */
export function amountField(asked: Asked, value: number, most: number | null): InputBlock {
  if (most !== 1) return numberField(asked, value, 0);
  const answers = [
    { value: "0", label: "No" },
    { value: "1", label: "Yes" },
  ];
  return selectField(asked, answers, value > 0 ? "1" : "0");
}

export function selectField(asked: Asked, choices: Choice[], value: string | null): InputBlock {
  const options = choices.slice(0, limits.select.options).map(optionOf);
  const initial = options.find((option) => option.value === value);
  return input(asked, {
    type: "static_select",
    action_id: "value",
    options,
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function groupedField(
  asked: Asked,
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
  return input(asked, {
    type: "static_select",
    action_id: "value",
    option_groups: filled,
    ...(initial ? { initial_option: initial } : {}),
  });
}

export function severalField(asked: Asked, choices: Choice[], values: string[], mostChosen: number): InputBlock {
  const options = choices.slice(0, limits.select.options).map(optionOf);
  const initial = options.filter((option) => values.includes(option.value ?? ""));
  return input(asked, {
    type: "multi_static_select",
    action_id: "value",
    options,
    max_selected_items: mostChosen,
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  });
}

/** A search whose options the pages' `suggest` tells; the page hears of a choice at once. */
export function searchField(asked: Asked, placeholder: string, chosen: Choice | null): InputBlock {
  const block = input(asked, {
    type: "external_select",
    action_id: `choose:${asked.id}`,
    min_query_length: 0,
    placeholder: plain(placeholder, limits.select.placeholder),
    ...(chosen ? { initial_option: optionOf(chosen) } : {}),
  });
  return { ...block, dispatch_action: true };
}

export function fileField(asked: Asked): InputBlock {
  return input(asked, { type: "file_input", action_id: "value", max_files: 1 });
}

function optionOf({ value, label, description }: Choice): PlainTextOption {
  return {
    text: plain(label || "(no name)", limits.option.text),
    value,
    ...(description ? { description: plain(description, limits.option.description) } : {}),
  };
}

/** Marks of mrkdwn taken off, for where Slack shows plain text only. */
export function unmarked(text: string): string {
  return text.replaceAll(/[*`]/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
