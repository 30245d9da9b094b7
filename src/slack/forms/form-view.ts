import type { Button, ExternalSelect, InputBlock, MultiExternalSelect, SectionBlock } from "@slack/types";
import { outsideButton } from "../../messages/answers/buttons.ts";
import { isGiven, isPagingInput } from "../../operation/act-input.ts";
import type { Choice } from "../../operation/call-context.ts";
import { type Field, fieldsOf, isOfPeople, isSecret, labelOf } from "../../operation/fields.ts";
import { unknownWords } from "../../operation/input.ts";
import type { Led } from "../../operation/leading.ts";
import type { Operation } from "../../operation/operation.ts";
import { reasonField } from "../../operation/reason.ts";
import { inField } from "../../operation/schedule-input.ts";
import { ownValue } from "../../process/own-value.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import {
  actions,
  alert,
  type Block,
  button,
  context,
  optionOf,
  plain,
  section,
  type View,
} from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, code, listing, oneLine, prose, sentence, withArticle } from "../../views/text.ts";
import { formElement } from "./elements.ts";
import {
  checkAction,
  choosePrefix,
  following,
  formCallback,
  moreAction,
  type PrivateMetadata,
  partMarks,
  targetAction,
} from "./submission.ts";

export interface FormState {
  operation: Operation;
  metadata: PrivateMetadata;
  /** The chosen target; null asks for it. */
  target: { label: PlainText; detail: string } | null;
  /** The values of the fields: typed, else the current ones. */
  input: Record<string, unknown>;
  /** The values that the member typed or chose before. Each of them is shown, or a sentence says why not. */
  typed: Record<string, unknown>;
  /** The values that the form keeps while it shows only its first field; the typed ones by default. */
  kept?: Record<string, unknown>;
  /** Choices that were typed by name and matched. */
  chosen: Record<string, Choice[]>;
  /** Fields whose list of choices could not be read, so that they are typed. */
  unlisted?: ReadonlySet<string>;
  /** The numbers of choices, by field. */
  counts?: Readonly<Record<string, number>>;
  /** The part that follows from the leading value; null until it is chosen. */
  led?: Led | null;
  /** The names of the other things in the request that it takes the place of. */
  rows?: readonly PlainText[];
  /** Inputs that the target takes none of. */
  unasked?: Readonly<Record<string, string>>;
  /** The target's page in the panel; null if it is unknown. */
  page?: string | null;
  /** A sentence above the fields: an input that was not understood, or the purpose of the form. */
  notice: string | null;
  /** The sentence that the values mean. */
  meaning?: string | null;
  /** Error texts by field, shown below each. */
  faults?: Record<string, string>;
}

/** The first view, opened before any call: it needs only the operation. */
export function openingView(operation: Operation, metadata: PrivateMetadata, given: Record<string, unknown>): View {
  return frame(
    { operation, metadata, input: given },
    [section(operation.summary), context(":hourglass_flowing_sand: One moment…")],
    false,
  );
}

export function formView(state: FormState): View {
  const { operation } = state;
  const leads = fieldsOf(operation.input).find(({ name }) => name === operation.leading?.input && !state.led);
  const waits = leads !== undefined || waitsForTarget(state);
  const { metadata, lost } = waits
    ? withTyped(state.metadata, state.kept ?? state.typed)
    : { metadata: state.metadata, lost: [] };
  const blocks: Block[] = [];
  if (operation.risk === "destroy") blocks.push(alert(`*${sentence(operation.summary)}* ${lossFirst}`, "warning"));
  blocks.push(...noticeBlocks(state, lost));
  blocks.push(...targetBlocks(state, waits));
  if (leads) blocks.push(...leadingBlocks(leads, state));
  if (!waits) blocks.push(...(state.led ? [section(state.led.words)] : []), ...fieldBlocks(state));
  blocks.push(...actions(pageButtons(state)));
  if (state.meaning) blocks.push({ ...section(`*This means:* ${state.meaning}`), block_id: "meaning" });
  if (operation.risk === "spend") blocks.push(context(priceFirst));
  return frame({ operation, metadata, input: state.input }, blocks, !waits);
}

function pageButtons({ metadata: { pages } }: FormState): Button[] {
  return [
    ...(pages?.more.length ? [button("More conditions", moreAction, "more")] : []),
    ...(pages?.check ? [button(pages.check, checkAction, "check")] : []),
  ];
}

/** Choices depend on the target, so they appear after it is chosen. */
function waitsForTarget({ operation, target }: FormState): boolean {
  return operation.target !== null && target === null && operation.chosen.length > 0;
}

/** The target, or the search for it, and a warning where nobody names the fields of the form. */
function targetBlocks({ operation: { target: kind, input }, target, page = null }: FormState, waits: boolean): Block[] {
  const unnamed = !waits && fieldsOf(input).some((field) => field.unnamed) ? [unnamedBlock(page)] : [];
  if (!kind) return unnamed;
  if (!target) return [...unnamed, targetBlock(kind.label, waits)];
  return [section(`*${kind.label}* ${code(target.label)}\n${target.detail}`), ...unnamed];
}

/** The sentence above the fields, with the typed values that the form does not have, or has no room for. */
function noticeBlocks({ operation: { input }, typed, notice }: FormState, lost: readonly string[]): Block[] {
  const sentences = [unknownWords(input, typed), notice, ...lost.map((name) => tooLong(labelOf(input, name)))];
  const text = sentences.filter(Boolean).join(" ");
  return text ? [section(`:information_source: ${text}`)] : [];
}

/** The first field of a form whose other fields depend on it. */
function leadingBlocks(field: Field, { faults, rows = [] }: FormState): Block[] {
  return [
    { ...section(`*${prose(field.label)}*`), block_id: field.name, accessory: choice(field) },
    ...faultBlocks(faults?.[field.name]),
    ...(rows.length > 0 ? [context(`Already in it: ${listing(rows.map((row) => prose(row)))}.`)] : []),
  ];
}

/** The fields, those of the leading value alone in the place of the input that they are parts of. */
function fieldBlocks(state: FormState): Block[] {
  const { operation, led } = state;
  return fieldsOf(operation.input).flatMap((field) => {
    const own = led?.own?.of === field.name ? led.own : null;
    const parts: Block[] = own?.fields.map((part) => ownBlock(part, own, state)) ?? [];
    if (own && parts.length > 0) parts.push(...faultBlocks(state.faults?.[field.name]));
    if (!isAsked(field, state)) return parts;
    const block = fieldBlock(field, state);
    return [...parts, block, ...faultBlocks(state.faults?.[field.name] ?? unshown(field, block, state))];
  });
}

function ownBlock(part: Field, { of, secrets }: NonNullable<Led["own"]>, state: FormState): InputBlock {
  const isHidden = isSecret(part);
  const mark = part.kind === "password" ? partMarks.generated : partMarks.part;
  const given = isHidden ? undefined : valueIn(state.input[of], part.name);
  const element = formElement(part, textOrNull(given ?? part.preset), endOfId(state, of));
  return inputBlock(part, `${isHidden ? secrets : of}${mark}${part.name}`, element);
}

function valueIn(values: unknown, name: string): unknown {
  return typeof values === "object" && values !== null ? Reflect.get(values, name) : undefined;
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : shownText(value);
}

/** Leads to the panel's own form, which names its fields, before the member fills in values that nobody names here. */
function unnamedBlock(page: string | null): Block {
  const [open] = page === null ? [] : outsideButton("Open in panel", page);
  const unnamed = ":warning: The platform's documents do not name the fields of this form.";
  const words = open
    ? `${unnamed} Its page in the panel shows them: do it there first, or look them up there.`
    : `${unnamed} Do it in the platform's panel first, or ask the platform's support for the fields.`;
  return section(words, open);
}

/** The metadata with the typed values, and the names of those for which Slack's 3,000 characters have no room. */
function withTyped(metadata: PrivateMetadata, typed: Record<string, unknown>) {
  let kept: PrivateMetadata = metadata;
  const lost: string[] = [];
  for (const [name, value] of Object.entries(typed)) {
    const larger = { ...kept, typed: { ...kept.typed, [name]: value } };
    if (JSON.stringify(larger).length <= limits.view.privateMetadata) kept = larger;
    else lost.push(name);
  }
  return { metadata: kept, lost };
}

function tooLong(label: string): string {
  return `“${prose(label)}” is too long to be kept here: type it again below.`;
}

/** The sentence for a typed value that its element does not show; undefined if it shows it. */
function unshown(field: Field, { element }: InputBlock, { typed, input }: FormState): string | undefined {
  const value = input[field.name];
  if (!isGiven(typed[field.name]) || isSecret(field) || (field.kind === "toggle" && value === false)) return undefined;
  const text = shownText(typed[field.name]);
  const isShown =
    "initial_value" in element
      ? element.initial_value === shownText(value)
      : Object.keys(element).some((key) => key.startsWith("initial_"));
  if (isShown) return undefined;
  if (text.length > limits.input.plainText)
    return `Only the first ${limits.input.plainText.toLocaleString("en")} characters fit here: the rest is left out.`;
  const known = field.options.length > 0 ? ` There is ${listing(field.options)}.` : "";
  return characters(plainly`“${clip(oneLine(text), 100)}” does not fit here.${known}`);
}

/** A value as its field shows it. */
export function shownText(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

const lossFirst = "You'll see what is lost before anything happens.";
const priceFirst = "You'll see the price before anything happens.";

/** A modal with one text. */
export function noticeView(title: string, text: string): View {
  return {
    type: "modal",
    title: plain(title, limits.view.title),
    close: plain("Close", limits.view.close),
    blocks: [section(text)],
  };
}

/** The words of the act that a button chose, if the operation has several; else its own. */
function phraseOf({ input: schema, phrase }: Operation, given: Record<string, unknown>): PlainText {
  const chosen = fieldsOf(schema).filter(({ byButton }) => byButton);
  return chosen.flatMap(({ name, labels }) => ownValue(labels, String(given[name])) ?? [])[0] ?? phrase;
}

function frame(
  { operation, metadata, input }: Pick<FormState, "operation" | "metadata" | "input">,
  blocks: Block[],
  submit: boolean,
): View {
  const phrase = phraseOf(operation, input);
  return {
    type: "modal",
    callback_id: formCallback,
    title: plain(phrase, limits.view.title),
    close: plain("Close", limits.view.close),
    ...(submit
      ? {
          submit: plain(
            operation.risk === "destroy" || operation.risk === "spend" ? "Review" : phrase,
            limits.view.submit,
          ),
        }
      : {}),
    private_metadata: JSON.stringify(metadata),
    blocks,
  };
}

// Slack shows errors only while a form is submitted; later ones appear below their field.
function faultBlocks(fault: string | undefined): Block[] {
  return fault === undefined ? [] : [context(`:x: ${prose(fault)}`)];
}

/** True for fields that the form shows. A reason is asked only if somebody must decide; a time only as a date picker. */
function isAsked(
  { name, kind, byButton, only }: Field,
  { operation, metadata: { pages }, input, typed, unasked = {}, led, rows }: FormState,
): boolean {
  if (pages) return pages.first.includes(name);
  const { risk, api } = operation;
  if (Object.entries(only).some(([given, values]) => !values.includes(String(input[given])))) return false;
  // The field that selects the others is no question itself.
  if (fieldsOf(operation.input).some((other) => name in other.only)) return false;
  if (led?.unasked.includes(name) || (kind === "rows" && !rows?.length)) return false;
  if (name in unasked || isPagingInput(name) || (name === inField && api !== "app")) return false;
  if (byButton && !isGiven(input[name])) return false;
  return name !== reasonField || risk !== "change" || isGiven(typed[name]);
}

// Slack requires a submit button with every input. Before there is anything to submit, the search is in a section.
function targetBlock(label: string, waits: boolean): InputBlock | SectionBlock {
  const element = search(targetAction, `Find ${withArticle(label)} by name, address or id`);
  if (waits) return { ...section(`*${label}*`), block_id: "target", accessory: element };
  return { type: "input", block_id: "target", label: plain(label, limits.input.label), element };
}

function search(actionId: string, placeholder: string, initial?: Choice): ExternalSelect {
  return {
    type: "external_select",
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain(placeholder, limits.select.placeholder),
    ...(initial ? { initial_option: optionOf(initial) } : {}),
  };
}

/** The leading value, as the end of the action ids of elements that follow it. */
function endOfId({ operation: { leading }, chosen }: FormState, name: string): string {
  const [lead] = (leading && leading.input !== name && chosen[leading.input]) || [];
  return lead ? `${following}${lead.value}` : "";
}

function choice(field: Field, initial: Choice[] = [], end = ""): ExternalSelect | MultiExternalSelect {
  const actionId = `${choosePrefix}${field.name}${end}`;
  if (field.kind !== "several" && field.kind !== "people") return search(actionId, "Choose one", initial[0]);
  return {
    type: "multi_external_select",
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain(field.kind === "people" ? "Choose people or groups" : "Choose any", limits.select.placeholder),
    ...(initial.length > 0 ? { initial_options: initial.map(optionOf) } : {}),
  };
}

function fieldBlock(field: Field, state: FormState): InputBlock {
  const { operation, led, input, chosen, counts } = state;
  // Each choice, and Enter in a text, then comes here at once: what depends on it follows it. Slack sends nothing of a file by itself.
  const isShownAnew = operation.api === "app" && operation.preview && field.kind !== "file";
  const isFollowed = field.name === operation.leading?.input || isShownAnew;
  const element =
    field.kind === "rows"
      ? rowsElement(state)
      : isChosen(field, state)
        ? choice(field, chosen[field.name], endOfId(state, field.name))
        : formElement(field, textOrNull(input[field.name] ?? led?.presets?.[field.name] ?? field.preset));
  const amount = counts?.[field.name] ?? 0;
  const rest =
    amount > limits.select.options
      ? `The list shows the first ${limits.select.options} of ${amount.toLocaleString("en")}: type a part of the name to find the others.`
      : null;
  const needed = { ...field, required: field.required || (led?.required.includes(field.name) ?? false) };
  return { ...inputBlock(needed, field.name, element, rest), ...(isFollowed ? { dispatch_action: true } : {}) };
}

function inputBlock(field: Field, id: string, element: InputBlock["element"], rest: string | null = null): InputBlock {
  const generated =
    field.kind === "password"
      ? "Leave it empty to have one generated and shown to you once. Slack does not hide what is typed here."
      : null;
  const hints = [field.hint, generated, rest].flatMap((one) => one || []);
  const hint = hints.length > 1 ? hints.map(sentence).join(" ") : hints.join();
  return {
    type: "input",
    block_id: id,
    label: plain(field.label, limits.input.label),
    optional: !(field.required || field.asked) || field.kind === "password" || field.kind === "toggle",
    ...(hint ? { hint: plain(hint, limits.input.hint) } : {}),
    element,
  };
}

/** The other things of the request, each chosen until the member takes it out. */
function rowsElement({ rows = [], metadata: { replaces } }: FormState): InputBlock["element"] {
  const options = rows.map((label, at) => optionOf({ value: String(at), label }));
  const chosen = options.filter((_, at) => replaces?.stay?.includes(at) ?? true);
  return {
    type: "multi_static_select",
    action_id: "value",
    options,
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  };
}

function isChosen({ name, kind }: Field, { operation, unlisted }: FormState): boolean {
  if (isOfPeople({ kind })) return true;
  return operation.chosen.includes(name) && !unlisted?.has(name);
}
