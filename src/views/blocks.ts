// views/: pure functions from data to Block Kit. Slack's limits live here; no network, no storage, no clock.
// May import: views/*.

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
  ModalView,
  MrkdwnElement,
  PlainTextElement,
  SectionBlock,
} from "@slack/types";
import type { ChartBlock } from "./chart.ts";
import { limits } from "./limits.ts";
import { clip, clipMarkup } from "./text.ts";

// What to show with what. Return all that there is: the engine gives an answer of any length out in parts (views/fit.ts), and sends
// plain text in place of what a workspace's Slack does not know yet (views/plain.ts). Nothing needs cutting, and no loop needs a `slice`.
//   a sentence, a fact         section, paragraphs, facts, context                      (this file)
//   rows of one kind           dataTables({ caption, columns, rows }), cells as text, { text, value } or { at }   (table.ts)
//   things that can be opened  listAnswer(call, options), with listFields as its input  (engine/answers/list.ts)
//   one chosen of such rows    choiceMenu or searchMenu, then menuRow                   (engine/answers/menus.ts)
//   figures over time          timeCharts(title, series, unit); side by side: barChart  (chart.ts)
//   the steps of a long job    plan(title, tasks)                                       (plan.ts)
//   a loss, in a form          alert(text, level)                                       (this file)
//   what nobody described      jsonBlocks(value, { title, none })                       (json.ts)
//   a file of rows             csvOf({ columns, rows })                                 (csv.ts)

export type Block = KnownBlock | ChartBlock;
export type View = (Omit<ModalView, "blocks"> | Omit<HomeView, "blocks">) & { blocks: Block[] };

/** What Slack is given to show: `text` is the notification and what a screen reader says. */
export interface Message {
  text: string;
  blocks: Block[];
}

/** mrkdwn of our own; `verbatim` keeps Slack from linking host names in it. */
function mrkdwn(text: string, most: number = limits.section.text): MrkdwnElement {
  return { type: "mrkdwn", text: clipMarkup(text, most) || " ", verbatim: true };
}

export function plain(text: string, most: number): PlainTextElement {
  return { type: "plain_text", text: clip(text, most), emoji: false };
}

export function section(text: string, accessory?: Button): SectionBlock {
  return { type: "section", text: mrkdwn(text), ...(accessory ? { accessory } : {}) };
}

/** Lines in as few sections as hold them. */
export function paragraphs(lines: string[]): SectionBlock[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < limits.section.text - 100)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts.map((text) => section(text));
}

export function header(text: string): HeaderBlock {
  return { type: "header", text: plain(text, limits.header) };
}

export function context(...texts: string[]): ContextBlock {
  return {
    type: "context",
    elements: texts.slice(0, limits.context.elements).map((text) => mrkdwn(text, limits.context.text)),
  };
}

/** What a member must not overlook in a form; messages have no alerts. */
export function alert(text: string, level: "warning" | "error"): AlertBlock {
  return { type: "alert", level, text: mrkdwn(text) };
}

export function divider(): DividerBlock {
  return { type: "divider" };
}

/** Label and value pairs in two columns; more than ten make further blocks. */
export function facts(rows: { label: string; value: string }[]): SectionBlock[] {
  const blocks: SectionBlock[] = [];
  for (let at = 0; at < rows.length; at += limits.section.fields) {
    const fields = rows
      .slice(at, at + limits.section.fields)
      .map(({ label, value }) => mrkdwn(`*${label}*\n${value}`, limits.section.field));
    blocks.push({ type: "section", fields });
  }
  return blocks;
}

/** Rows of elements; five to a row reads well on a phone. */
export function actions(elements: ActionsBlockElement[], blockId?: string): ActionsBlock[] {
  const rows: ActionsBlock[] = [];
  for (let at = 0; at < elements.length; at += 5) {
    rows.push({
      type: "actions",
      elements: elements.slice(at, at + 5),
      ...(blockId ? { block_id: `${blockId}:${at}` } : {}),
    });
  }
  return rows;
}

export interface ButtonOptions {
  style?: "primary" | "danger" | undefined;
  confirm?: ConfirmationDialog | undefined;
  url?: string | undefined;
}

export function button(label: string, actionId: string, value: string, options: ButtonOptions = {}): Button {
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

/** The dialog that Slack itself shows before a press counts. `text` is plain, so that names stand in it as they are. */
export function confirmation(dialog: {
  title: string;
  text: string;
  /** The words on its two buttons, each of which reads alone. */
  confirm: string;
  deny: string;
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
