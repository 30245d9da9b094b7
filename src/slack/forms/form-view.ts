import type { ExternalSelect, InputBlock, MultiExternalSelect, SectionBlock } from "@slack/types";
import * as z from "zod";
import { outsideButton } from "../../notifications/answers/buttons.ts";
import { Origin } from "../../notifications/origin.ts";
import { isGiven, isPagingInput } from "../../operation/act-input.ts";
import type { Choice } from "../../operation/call-context.ts";
import { type Field, fieldsOf, isSecret, labelOf } from "../../operation/fields.ts";
import { unknownWords } from "../../operation/input.ts";
import type { Operation } from "../../operation/operation.ts";
import { reasonField } from "../../operation/reason.ts";
import { inField } from "../../operation/schedule-input.ts";
import type { FormFile } from "../../operation/wizard.ts";
import { characters, type PlainText, plainly } from "../../plain-text.ts";
import { alert, type Block, context, optionOf, plain, section, type View } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { clip, code, listing, oneLine, prose, sentence, withArticle } from "../../views/text.ts";
import { type ElementValue, parseMetadata, type ShownView, ViewState } from "../payloads.ts";
import { elementOf } from "./elements.ts";

export const formCallback = "form";
export const targetAction = "target";
export const choosePrefix = "choose:";

/** A form's metadata between Slack's calls: 3,000 characters at most, so it contains no list and no secret. */
const PrivateMetadata = z.object({
  command: z.string(),
  origin: Origin,
  target: z.string().nullable(),
  /** The first requester, if a colleague has taken the request over. */
  originator: z.string().optional(),
  /** Digests of the initial values of some fields. A field that still has its initial value is omitted. */
  untouched: z.record(z.string(), z.string()).optional(),
  /** Clearable fields that show the stored value. */
  filled: z.array(z.string()).optional(),
  /** The typed values, while the form shows only the search for the target. */
  typed: z.record(z.string(), z.unknown()).optional(),
  /** The member typed `force=yes`. */
  confirmed: z.literal(true).optional(),
});
export type PrivateMetadata = z.infer<typeof PrivateMetadata>;

export interface FormState {
  operation: Operation;
  metadata: PrivateMetadata;
  /** The chosen target; null asks for it. */
  target: { label: PlainText; detail: string } | null;
  /** The values of the fields: typed, else the current ones. */
  input: Record<string, unknown>;
  /** The values that the member typed or chose before. Each of them is shown, or a sentence says why not. */
  typed: Record<string, unknown>;
  /** Choices that were typed by name and matched. */
  chosen: Record<string, Choice[]>;
  /** Fields whose list of choices could not be read, so that they are typed. */
  unlisted?: ReadonlySet<string>;
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
export function openingView(operation: Operation, metadata: PrivateMetadata): View {
  return frame(
    operation,
    metadata,
    [section(operation.summary), context(":hourglass_flowing_sand: One moment…")],
    false,
  );
}

export function formView(state: FormState): View {
  const { operation, target } = state;
  // Choices depend on the target, so they appear after it is chosen.
  const waits = operation.target !== null && target === null && operation.chosen.length > 0;
  const { metadata, lost } = waits ? withTyped(state.metadata, state.typed) : { metadata: state.metadata, lost: [] };
  const notice = [
    unknownWords(operation.input, state.typed),
    state.notice,
    ...lost.map((name) => tooLong(labelOf(operation.input, name))),
  ]
    .filter(Boolean)
    .join(" ");
  const blocks: Block[] = [];
  if (operation.risk === "destroy") blocks.push(alert(`*${sentence(operation.summary)}* ${lossFirst}`, "warning"));
  if (notice) blocks.push(section(`:information_source: ${notice}`));
  if (operation.target && target)
    blocks.push(section(`*${operation.target.label}* ${code(target.label)}\n${target.detail}`));
  if (!waits && fieldsOf(operation.input).some(({ unnamed }) => unnamed)) blocks.push(unnamedBlock(state.page ?? null));
  if (operation.target && !target) blocks.push(targetBlock(operation.target.label, waits));
  if (!waits)
    blocks.push(
      ...fieldsOf(operation.input)
        .filter((field) => isAsked(field, state))
        .flatMap((field) => {
          const block = fieldBlock(field, state);
          return [block, ...faultBlocks(state.faults?.[field.name] ?? unshown(field, block, state))];
        }),
    );
  if (state.meaning) blocks.push({ ...section(`*This means:* ${state.meaning}`), block_id: "meaning" });
  if (operation.risk === "spend") blocks.push(context(priceFirst));
  return frame(operation, metadata, blocks, !waits || operation.target === null);
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

function frame(operation: Operation, metadata: PrivateMetadata, blocks: Block[], submit: boolean): View {
  return {
    type: "modal",
    callback_id: formCallback,
    title: plain(operation.phrase, limits.view.title),
    close: plain("Close", limits.view.close),
    ...(submit
      ? {
          submit: plain(
            operation.risk === "destroy" || operation.risk === "spend" ? "Review" : operation.phrase,
            limits.view.submit,
          ),
        }
      : {}),
    private_metadata: JSON.stringify(metadata),
    blocks,
  };
}

// Slack shows errors only while a form is submitted; later ones appear below their field.
export function faultBlocks(fault: string | undefined): Block[] {
  return fault === undefined ? [] : [context(`:x: ${prose(fault)}`)];
}

/** True for fields that the form shows. A reason is asked only if somebody must decide; a time only as a date picker. */
function isAsked(
  { name, byButton }: Field,
  { operation: { risk, api }, input, typed, unasked = {} }: FormState,
): boolean {
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

function choice(field: Field, initial: Choice[] = []): ExternalSelect | MultiExternalSelect {
  const actionId = `${choosePrefix}${field.name}`;
  if (field.kind !== "several") return search(actionId, "Choose one", initial[0]);
  return {
    type: "multi_external_select",
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain("Choose any", limits.select.placeholder),
    ...(initial.length > 0 ? { initial_options: initial.map(optionOf) } : {}),
  };
}

function fieldBlock(field: Field, state: FormState): InputBlock {
  const given = state.input[field.name];
  const preset = given === undefined ? field.preset : given;
  const hint =
    field.kind === "password"
      ? `${field.hint ?? ""} Leave it empty to have one generated and shown to you once. Slack does not hide what is typed here.`.trim()
      : field.hint;
  return {
    type: "input",
    block_id: field.name,
    label: plain(field.label, limits.input.label),
    // Each choice, and Enter in a text, then comes here at once: the sentence below the fields follows it.
    ...(state.operation.api === "app" && state.operation.preview ? { dispatch_action: true } : {}),
    optional: !field.required || field.kind === "password" || field.kind === "toggle",
    ...(hint ? { hint: plain(hint, limits.input.hint) } : {}),
    element: isChosen(field, state)
      ? choice(field, state.chosen[field.name])
      : elementOf(field, preset === null || preset === undefined ? null : shownText(preset)),
  };
}

function isChosen({ name }: Field, { operation, unlisted }: FormState): boolean {
  return operation.chosen.includes(name) && !unlisted?.has(name);
}

/** The target, with the label of its option, and the values by field of a submitted form. */
export function readForm(
  operation: Operation,
  values: unknown,
): { target: string | null; label: string | null; input: Record<string, unknown> } {
  const state = ViewState.parse(values);
  const input: Record<string, unknown> = {};
  for (const field of fieldsOf(operation.input)) {
    const element = Object.values(state[field.name] ?? {})[0];
    if (!element) continue;
    const several = (element.selected_options ?? []).map(({ value }) => value);
    if (field.kind === "toggle") input[field.name] = several.length > 0;
    else if (field.kind === "several" && !element.value) input[field.name] = several.length > 0 ? several : undefined;
    else if (field.kind === "channels") input[field.name] = channelsIn(element);
    else if (field.kind === "moment") input[field.name] = isoOf(element.selected_date_time);
    else if (field.kind === "file") input[field.name] = unread(element.files?.[0]);
    else input[field.name] = enteredIn(element) ?? undefined;
  }
  const chosen = state.target?.[targetAction]?.selected_option;
  return { target: chosen?.value ?? null, label: chosen?.text?.text ?? null, input };
}

/** A picked time, which Slack sends in seconds, as ISO text. */
function isoOf(seconds: number | null | undefined): string | undefined {
  return seconds === null || seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();
}

/** Picked channels in the notation of commands. */
function channelsIn({ selected_conversations }: ElementValue): string | undefined {
  return selected_conversations?.map((id) => `#${id}`).join(" ") || undefined;
}

/** The value chosen from a list of the app or of Slack, or typed. */
function enteredIn(element: ElementValue): string | null | undefined {
  return element.selected_option?.value ?? element.selected_conversation ?? element.selected_user ?? element.value;
}

/** A file without its content, which is downloaded from Slack later. */
function unread(file: { name?: string | null | undefined } | undefined): FormFile | undefined {
  return file && { name: file.name ?? "file", content: "" };
}

export function readPrivateMetadata(view: Pick<ShownView, "private_metadata">): PrivateMetadata | null {
  return PrivateMetadata.safeParse(parseMetadata(view)).data ?? null;
}
