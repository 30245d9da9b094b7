import { limits } from "../../../views/limits.ts";
import { flag, list, oneOf, type Rule, type Shape, shape, string, typed, url } from "./schema.ts";

const { confirm: confirmLimits, option: optionLimits, select } = limits;

function textShapes(max: number): Record<string, Shape> {
  return {
    plain_text: { required: { text: string(max, 1) }, optional: { emoji: flag } },
    mrkdwn: { required: { text: string(max, 1) }, optional: { verbatim: flag } },
  };
}

/** A text object of either type. */
export function text(max: number): Rule {
  return typed(textShapes(max));
}

/** A text object where Slack takes no markup. */
export function plainText(max: number): Rule {
  return typed(textShapes(max), "plain_text");
}

/** A confirmation dialog, which opens before an element acts. */
export const confirm: Rule = shape({
  required: {
    title: plainText(confirmLimits.title),
    text: text(confirmLimits.text),
    confirm: plainText(confirmLimits.confirm),
    deny: plainText(confirmLimits.deny),
  },
  optional: { style: oneOf("primary", "danger") },
});

function optionWith(label: (max: number) => Rule, more: Record<string, Rule> = {}): Rule {
  return shape({
    required: { text: label(optionLimits.text), value: string(optionLimits.value, 1) },
    optional: { description: label(optionLimits.description), ...more },
  });
}

/** Selects take plain text; checkboxes and radio buttons take markup as well; overflow menus take links. */
export const option: Rule = optionWith(plainText);
export const markedOption: Rule = optionWith(text);
export const overflowOption: Rule = optionWith(plainText, { url: url(limits.button.url) });

export const options: Rule = list(option, select.options, 1);

const optionGroup: Rule = shape({ required: { label: plainText(optionLimits.text), options } });

export const optionGroups: Rule = list(optionGroup, select.groups, 1);

/** An app's answer to a typeahead: no options is one, too. */
export const suggestions: Rule = shape({
  optional: {
    options: list(option, select.options),
    option_groups: list(
      shape({ required: { label: plainText(optionLimits.text), options: list(option, select.options) } }),
      select.groups,
    ),
  },
  also(answer, at, report) {
    if (answer.options === undefined && answer.option_groups === undefined)
      report(at, "missing required field: options");
  },
});
