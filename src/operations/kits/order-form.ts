import type { InputBlock } from "@slack/types";
import { searchEntries } from "../../access/resolve.ts";
import type { CallContext, Choice } from "../../operation/call-context.ts";
import { ambiguityMessage, matchingChoices } from "../../operation/input.ts";
import type { IndexedKind } from "../../operation/target.ts";
import type { FormValues } from "../../operation/wizard.ts";
import { characters, type PlainText } from "../../plain-text.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { optionOf, plain } from "../../views/blocks.ts";
import { cycleName } from "../../views/cycles.ts";
import { bytes } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { clip } from "../../views/text.ts";

/** The entries of a kind whose name contains the typed text. */
export async function suggestEntries<A extends ApiName>(call: CallContext<A>, kind: IndexedKind<A>, query: string) {
  const { entries } = await call.listing(kind);
  return searchEntries(entries, query).slice(0, limits.select.options);
}

/** The same as choices of a field, by id. */
export async function suggestByName<A extends ApiName>(
  call: CallContext<A>,
  kind: IndexedKind<A>,
  query: string,
): Promise<Choice[]> {
  const found = await suggestEntries(call, kind, query);
  return found.map(({ id, name, detail }) => ({ value: id, label: name, description: detail }));
}

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

/** A whole number from `least` to `most`, if a maximum is known. */
export function numberField(field: FieldOptions, value: number, least: number, most: number | null = null): InputBlock {
  return input(field, {
    type: "number_input",
    action_id: "value",
    is_decimal_allowed: false,
    min_value: String(least),
    // A value that is over the maximum already stays to be corrected: Slack refuses a field with such a value and a maximum.
    ...(most === null || value > most ? {} : { max_value: String(most) }),
    initial_value: String(value),
  });
}

/** A field for the quantity of an option: yes or no if at most one is allowed. `most` is null if the maximum is unknown. */
export function amountField(field: FieldOptions, value: number, most: number | null): InputBlock {
  if (most !== 1) return numberField(field, value, 0, most);
  const answers = [
    { value: "0", label: "No" },
    { value: "1", label: "Yes" },
  ];
  return selectField(field, answers, value > 0 ? "1" : "0");
}

/** The chosen one first, where Slack's list would leave it out. */
function shownOf(choices: readonly Choice[], chosen: readonly string[]): Choice[] {
  const most = limits.select.options;
  const hidden = choices.slice(most).filter(({ value }) => chosen.includes(value));
  return [...hidden, ...choices].slice(0, most);
}

/** Says of a list that is longer than Slack shows how the others are chosen. */
function withRest(field: FieldOptions, lists: readonly (readonly Choice[])[]): FieldOptions {
  const most = limits.select.options;
  const left = lists.reduce((sum, { length }) => sum + Math.max(0, length - most), 0);
  if (left === 0) return field;
  const rest = `${left.toLocaleString("en")} more are not shown here: type the command with ${field.id}= and the name.`;
  return { ...field, hint: field.hint ? `${field.hint}. ${rest}` : rest };
}

export function selectField(field: FieldOptions, choices: Choice[], value: string | null): InputBlock {
  const options = shownOf(choices, value === null ? [] : [value]).map(optionOf);
  const initial = options.find((option) => option.value === value);
  return input(withRest(field, [choices]), {
    type: "static_select",
    action_id: "value",
    options,
    ...(initial ? { initial_option: initial } : {}),
  });
}

function groupedField(
  field: FieldOptions,
  groups: { label: string; choices: Choice[] }[],
  value: string | null,
): InputBlock {
  const filled = groups
    .filter(({ choices }) => choices.length > 0)
    .map(({ label, choices }) => ({
      label: plain(label, limits.option.text),
      options: shownOf(choices, value === null ? [] : [value]).map(optionOf),
    }));
  const initial = filled.flatMap(({ options }) => options).find((option) => option.value === value);
  const lists = groups.map(({ choices }) => choices);
  return input(withRest(field, lists), {
    type: "static_select",
    action_id: "value",
    option_groups: filled,
    ...(initial ? { initial_option: initial } : {}),
  });
}

/** A system of a product, in an order's one field for the image: never both a system and an image of the member's own are set. */
function systemChoice({ id, name }: { id: string; name: PlainText }): Choice {
  return { value: `os:${id}`, label: name, aliases: [id] };
}

/** An image that the member captured or registered, as both APIs show it. */
interface OwnImage {
  id: string;
  name?: PlainText | null | undefined;
  status: string;
  virtual_size_bytes?: number | null | undefined;
}

function ownChoice({ id, name }: OwnImage): Choice {
  return { value: `own:${id}`, label: name ?? id, aliases: [id] };
}

/** The field of the image: the systems of the product, and own images with the disk that each needs. */
export function imageField(
  field: FieldOptions,
  systems: { id: string; name: PlainText }[],
  own: { label: string; images: OwnImage[] },
  value: string | null,
): InputBlock {
  const choices = own.images.map((image) => ({
    ...ownChoice(image),
    ...(image.virtual_size_bytes ? { description: `needs a disk of ${bytes(image.virtual_size_bytes)}` } : {}),
  }));
  const groups = [
    { label: "Systems", choices: systems.map(systemChoice) },
    { label: own.label, choices },
  ];
  return groupedField(field, groups, value);
}

/** The images that a member can type for an order. */
export function typedImages(systems: { id: string; name: PlainText }[], own: OwnImage[]): Choice[] {
  return [...systems.map(systemChoice), ...own.filter(({ status }) => status === "available").map(ownChoice)];
}

/** The chosen image as the platform takes it. */
export function chosenImage(image: string | null): { osImage?: string; customImage?: string } {
  const [, kind, id] = /^(os|own):(.*)$/.exec(image ?? "") ?? [];
  if (id === undefined) return {};
  return kind === "os" ? { osImage: id } : { customImage: id };
}

export function severalField(field: FieldOptions, choices: Choice[], values: string[], mostChosen: number): InputBlock {
  const options = shownOf(choices, values).map(optionOf);
  const initial = options.filter((option) => values.includes(option.value ?? ""));
  const left = choices.length - options.length;
  const rest = left > 0 ? { hint: `${left.toLocaleString("en")} more are not shown here` } : {};
  return input(
    { ...field, ...rest },
    {
      type: "multi_static_select",
      action_id: "value",
      options,
      max_selected_items: mostChosen,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
  );
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

/** The typed values of a command as texts, by input. Those whose list depends on the product wait in the draft until it is known. */
export function typedTexts(input: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(input).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value).trim()] as const] : [],
  );
  return Object.fromEntries(given.filter(([, text]) => text !== ""));
}

/** The errors of typed values by input, as plain text. */
export type TypedFaults = Record<string, string>;

/** The value of the one choice that the typed text of an input names; else null, with the reason in `faults`. */
export function findTyped(
  input: string,
  typed: string | undefined,
  choices: Choice[],
  faults: TypedFaults,
): string | null {
  if (typed === undefined) return null;
  const found = matchingChoices(typed, choices);
  const [only] = found;
  if (only && found.length === 1) return only.value;
  faults[input] =
    found.length > 1
      ? characters(clip(ambiguityMessage(typed, found), 300))
      : `I found no “${clip(typed, 60)}” for this product: choose one.`;
  return null;
}

/** The typed quantity, from 1; null if there is none or it is wrong, with the reason in `faults`. */
export function typedQuantity(typed: string | undefined, most: number, faults: TypedFaults): number | null {
  if (typed === undefined) return null;
  const quantity = Number(typed);
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= most) return quantity;
  faults.quantity = `“${clip(typed, 60)}” is not a quantity from 1 to ${most.toLocaleString("en")}.`;
  return null;
}

/** The billing cycle. A product with one cycle is billed so. */
export function cycleField(prices: { cycle: string; price: string | null }[], chosen: string | null): InputBlock {
  const choices = prices.map(({ cycle, price }) => ({
    ...cycleChoice(cycle),
    ...(price ? { description: price } : {}),
  }));
  const [only, ...others] = choices;
  const value = chosen ?? (others.length === 0 ? (only?.value ?? null) : null);
  return selectField({ id: "cycle", label: "Billed" }, choices, value);
}

export function cycleChoice(cycle: string): Choice {
  return { value: cycle, label: cycleName(cycle) };
}

/** The ids of the fields for options begin so. */
export const optionPrefix = "option:";
/** A modal takes 100 blocks. */
export const mostOptionFields = 80;

/** The options of which at least one was ordered, with their quantities. */
export function chosenOptions(values: FormValues): Record<string, number> {
  const options = Object.entries(values).flatMap(([id, value]) =>
    id.startsWith(optionPrefix) && Number(value) > 0 ? [[id.slice(optionPrefix.length), Number(value)] as const] : [],
  );
  return Object.fromEntries(options);
}

/** A submitted text without blanks around it; empty if the page has no such field. */
export function textOf(values: FormValues, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}
