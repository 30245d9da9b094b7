// views/: pure functions from data to Block Kit. Slack's limits live here; no network, no storage, no clock.

import type {
  ActionsBlock,
  ActionsBlockElement,
  AlertBlock,
  Button,
  ConfirmationDialog,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  HomeView,
  KnownBlock,
  MarkdownBlock,
  ModalView,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  PlainTextOption,
  SectionBlock,
} from "@slack/types";
import { characters, type PlainText } from "../process/plain-text.ts";
import type { ChartBlock } from "./chart.ts";
import { limits } from "./limits.ts";
import { chunks, clip, clipMarkup, intoParts, oneLine, packed } from "./text.ts";

// Choose a view by the data. Return all of it: the engine splits a long answer into parts (views/fit.ts), and replaces blocks that a
// workspace's Slack lacks by plain text (views/plain.ts). Never cut data in an operation. The exception: these
// functions cut one text at Slack's limit for its element, since Slack would refuse the whole message. A longer value goes through
// preformatted.ts, which makes several blocks of it.
//   a sentence, a fact         section, paragraphs, facts, context                      (this file)
//   one resource               card, whose details a modal shows                        (operations/kits/card.ts)
//   rows of one kind           dataTables({ caption, columns, rows }), cells as text, { text, value } or { at }   (table.ts)
//   resources to open          listAnswer(call, options), with listFields as its input  (messages/answers/list.ts)
//   one chosen of such rows    choiceMenu or searchMenu, then menuRow                   (messages/answers/menus.ts)
//   figures over time          timeCharts(title, series, unit); side by side: barChart  (chart.ts)
//   the steps of a long job    plan(title, tasks)                                       (plan.ts)
//   a page of the guide        markdown(text)                                           (this file)
//   a loss, in a form          alert(text, level)                                       (this file)
//   undocumented JSON          jsonBlocks(value, { title, none })                       (json.ts)
//   a file of rows             csvOf({ columns, rows })                                 (csv.ts)

export type Block = KnownBlock | ChartBlock;
export type View = (Omit<ModalView, "blocks"> | Omit<HomeView, "blocks">) & { blocks: Block[] };

/** A Slack message: `text` is the notification, and the text for screen readers. */
export interface Message {
  text: string;
  blocks: Block[];
}

/** mrkdwn written by the app. `verbatim` stops Slack from turning host names into links. */
function mrkdwn(text: string, most: number = limits.section.text): MrkdwnElement {
  return { type: "mrkdwn", text: clipMarkup(text, most) || " ", verbatim: true };
}

/** Text that Slack shows as it is: folded, since a name in it could turn the direction of writing or break the line. */
export function plain(text: PlainText, most: number): PlainTextElement {
  return { type: "plain_text", text: characters(clip(oneLine(text), most)), emoji: false };
}

/** True for a value that Slack takes in an option: it would refuse the whole list for another one. */
export function fitsOption({ value }: { value: string }): boolean {
  return value !== "" && value.length <= limits.option.value;
}

/** A choice as an option of a list or a search. */
export function optionOf(choice: { value: string; label: PlainText; description?: PlainText }): PlainTextOption {
  const { value, label, description } = choice;
  return {
    text: plain(label, limits.option.text),
    value,
    ...(description ? { description: plain(description, limits.option.description) } : {}),
  };
}

export function section(text: string, accessory?: Button | Overflow): SectionBlock {
  return { type: "section", text: mrkdwn(text), ...(accessory ? { accessory } : {}) };
}

/** A text as a message. */
export function textMessage(text: string): Message {
  return { text, blocks: paragraphs([text]) };
}

/** Some room below Slack's limit for a section. */
const mostInParagraph = limits.section.text - 100;

/** Packs lines, or other texts with `joiner` between them, into as few sections as possible. One that is too long is parted. */
export function paragraphs(texts: readonly string[], joiner = "\n"): SectionBlock[] {
  const parts = texts.flatMap((text) => intoParts(text, mostInParagraph));
  return packed(parts, joiner, mostInParagraph).map((text) => section(text));
}

/** Sentences in bold, each behind `mark`. Bold text that ended in another section than it began would show its asterisks. */
export function boldLines(sentence: string, mark: string): string[] {
  return intoParts(sentence, mostInParagraph - mark.length - 3).map(
    (part, at) => `${at === 0 ? `${mark} ` : ""}*${part}*`,
  );
}

export function header(text: PlainText): HeaderBlock {
  return { type: "header", text: plain(text, limits.header) };
}

export function context(...texts: string[]): ContextBlock {
  const parts = texts.flatMap((text) => intoParts(text, limits.context.text));
  return {
    type: "context",
    elements: parts.slice(0, limits.context.elements).map((text) => mrkdwn(text, limits.context.text)),
  };
}

/** A warning in a form; Slack takes alert blocks in modals only. */
export function alert(text: string, level: "warning" | "error"): AlertBlock {
  return { type: "alert", level, text: mrkdwn(text) };
}

/** Standard Markdown written by the app; messages alone take it. */
export function markdown(text: string): MarkdownBlock {
  return { type: "markdown", text };
}

export function divider(): DividerBlock {
  return { type: "divider" };
}

/** Pairs of label and value in two columns; more than ten make further blocks. One too long for a column follows in paragraphs. */
export function facts(rows: { label: string; value: string }[]): SectionBlock[] {
  const texts = rows.map(({ label, value }) => `*${label}*\n${value}`);
  const isLong = (text: string) => text.length > limits.section.field;
  const fields = texts.filter((text) => !isLong(text)).map((text) => mrkdwn(text, limits.section.field));
  const columns = chunks(fields, limits.section.fields).map(
    (some): SectionBlock => ({ type: "section", fields: some }),
  );
  return [...columns, ...paragraphs(texts.filter(isLong))];
}

/** Elements in a row: more are hard to use on a phone. */
const mostInRow = 5;

/** The elements in rows. */
export function actions(elements: ActionsBlockElement[], blockId?: string): ActionsBlock[] {
  return chunks(elements, mostInRow).map((some, row) => ({
    type: "actions",
    elements: some,
    ...(blockId ? { block_id: `${blockId}:${row * mostInRow}` } : {}),
  }));
}

export interface ButtonOptions {
  style?: "primary" | "danger" | undefined;
  confirm?: ConfirmationDialog | undefined;
  url?: string | undefined;
}

export function button(label: PlainText, actionId: string, value: string, options: ButtonOptions = {}): Button {
  const { style, confirm, url } = options;
  return {
    type: "button",
    text: plain(label, limits.button.text),
    action_id: actionId,
    value,
    ...(style ? { style } : {}),
    ...(confirm ? { confirm } : {}),
    ...(url ? { url } : {}),
  };
}

/** Slack's own dialog before a press counts. `text` is plain text, so names need no escaping. */
export function confirmation(dialog: {
  title: PlainText;
  text: PlainText;
  /** The labels of its two buttons; each is understood without the other. */
  confirm: PlainText;
  deny: PlainText;
  style: "primary" | "danger";
}): ConfirmationDialog {
  return {
    title: plain(dialog.title, limits.confirm.title),
    text: plain(dialog.text, limits.confirm.text),
    confirm: plain(dialog.confirm, limits.confirm.confirm),
    deny: plain(dialog.deny, limits.confirm.deny),
    style: dialog.style,
  };
}
