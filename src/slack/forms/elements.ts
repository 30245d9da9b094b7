import type { InputBlock } from "@slack/types";
import type { Field } from "../../operation/fields.ts";
import { resolvedTimeOf } from "../../operation/schedule-input.ts";
import { plain } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip } from "../../views/text.ts";

type Element = InputBlock["element"];

/** Makes the element of a field; `preset` is its initial value. */
type ElementMaker = (field: Field, preset: string | null, valueAction: string) => Element;

/** The Slack element for a field; `preset` is its initial value, `end` the end of its action id. */
export function formElement(field: Field, preset: string | null, end = ""): Element {
  const make = makers[field.kind] ?? textInput;
  return make(field, preset, `value${end}`);
}

/** The kinds that are no text. */
const makers: Partial<Record<Field["kind"], ElementMaker>> = {
  toggle,
  moment: momentPicker,
  file: (_field, _preset, valueAction) => ({ type: "file_input", action_id: valueAction, max_files: 1 }),
  select,
  several: (field, preset, valueAction) =>
    (field.options.length > 0 ? multiSelect : textInput)(field, preset, valueAction),
  number: numberInput,
  channel: channelSelect,
  channels: channelsSelect,
  person: personSelect,
};

function toggle({ labels }: Field, preset: string | null, valueAction: string): Element {
  const option = { text: plain(labels.yes ?? "Yes", limits.option.text), value: "yes" };
  const on = preset === "true" || preset === "yes";
  return {
    type: "checkboxes",
    action_id: valueAction,
    options: [option],
    ...(on ? { initial_options: [option] } : {}),
  };
}

/** A date and time picker in the member's zone, preset to a typed time once that is resolved. */
function momentPicker(_field: Field, preset: string | null, valueAction: string): Element {
  const at = resolvedTimeOf({ at: preset });
  return {
    type: "datetimepicker",
    action_id: valueAction,
    ...(at === null ? {} : { initial_date_time: Math.floor(at / 1000) }),
  };
}

function select(field: Field, preset: string | null, valueAction: string): Element {
  const options = field.options.map((value) => optionFor(field, value));
  const initial = options.find(({ value }) => value === preset);
  return { type: "static_select", action_id: valueAction, options, ...(initial ? { initial_option: initial } : {}) };
}

function multiSelect(field: Field, preset: string | null, valueAction: string): Element {
  const chosen = [...new Set(preset?.split(/[\s,]+/).filter((word) => word !== ""))];
  // A stored value that is not in the list stays chosen: without its option, the submit would take it away.
  const options = [...new Set([...field.options, ...chosen])].slice(0, limits.select.options);
  const initial = chosen.filter((value) => options.includes(value)).map((value) => optionFor(field, value));
  return {
    type: "multi_static_select",
    action_id: valueAction,
    placeholder: plain("Choose any", limits.select.placeholder),
    options: options.map((value) => optionFor(field, value)),
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  };
}

function numberInput(field: Field, preset: string | null, valueAction: string): Element {
  return {
    type: "number_input",
    action_id: valueAction,
    is_decimal_allowed: false,
    ...limitsOf(field),
    ...(preset && /^-?\d+$/.test(preset) ? { initial_value: preset } : {}),
  };
}

function channelSelect(_field: Field, preset: string | null, valueAction: string): Element {
  const [initial] = idsIn(preset, channelId);
  return {
    type: "conversations_select",
    action_id: valueAction,
    placeholder: plain("Choose a channel", limits.select.placeholder),
    filter: { include: ["public", "private"], exclude_external_shared_channels: true },
    ...(initial ? { initial_conversation: initial } : {}),
  };
}

function channelsSelect(_field: Field, preset: string | null, valueAction: string): Element {
  const initial = idsIn(preset, channelId);
  return {
    type: "multi_conversations_select",
    action_id: valueAction,
    placeholder: plain("Choose channels", limits.select.placeholder),
    // Externally shared channels are allowed: a rule may name them, since commands are typed there, too.
    filter: { include: ["public", "private"] },
    ...(initial.length > 0 ? { initial_conversations: initial } : {}),
  };
}

function personSelect(_field: Field, preset: string | null, valueAction: string): Element {
  const [initial] = idsIn(preset, personId);
  return {
    type: "users_select",
    action_id: valueAction,
    placeholder: plain("Choose somebody", limits.select.placeholder),
    ...(initial ? { initial_user: initial } : {}),
  };
}

function textInput(field: Field, preset: string | null, valueAction: string): Element {
  const secret = field.kind === "password" || field.kind === "secret";
  const most = field.maxLength ?? limits.input.plainText;
  // Keep a value that is too long, so that the member can shorten it; the submit reports it.
  const given = secret ? "" : clip(preset ?? "", limits.input.plainText);
  return {
    type: "plain_text_input",
    action_id: valueAction,
    multiline: field.long,
    max_length: Math.min(Math.max(most, given.length), limits.input.plainText),
    ...(given ? { initial_value: given } : {}),
  };
}

/** The schema of a whole number has a limit of its own, which is no number that a person would type. */
function limitsOf({ minimum, maximum }: Field): { min_value?: string; max_value?: string } {
  return {
    ...(minimum === null || minimum <= Number.MIN_SAFE_INTEGER ? {} : { min_value: String(minimum) }),
    ...(maximum === null || maximum >= Number.MAX_SAFE_INTEGER ? {} : { max_value: String(maximum) }),
  };
}

// Whole words alone: the id of a user group can contain what looks like the id of a person.
const channelId = /^<?#?([CG][A-Z0-9]{5,})(?:\|.*)?>?$/;
const personId = /^<?@?([UW][A-Z0-9]{5,})(?:\|.*)?>?$/;

/** The ids of a kind among the words of a value. */
function idsIn(preset: string | null, pattern: RegExp): string[] {
  return (preset ?? "").split(/[\s,]+/).flatMap((word) => pattern.exec(word)?.[1] ?? []);
}

function optionFor({ labels }: Field, value: string) {
  return { text: plain(labels[value] ?? value, limits.option.text), value };
}
