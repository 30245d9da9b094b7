import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  KnownBlock,
  MrkdwnElement,
  PlainTextElement,
  SectionBlock,
  View as SlackView,
} from "@slack/types";
import { limits } from "./limits.ts";
import { clip } from "./text.ts";

export type Block = KnownBlock;
export type View = SlackView;

/** What Slack is given to show: `text` is the notification and what a screen reader says. */
export interface Message {
  text: string;
  blocks: Block[];
}

/** mrkdwn of our own; `verbatim` keeps Slack from linking host names in it. */
export function mrkdwn(text: string, most: number = limits.section.text): MrkdwnElement {
  return { type: "mrkdwn", text: clip(text, most), verbatim: true };
}

export function plain(text: string, most: number): PlainTextElement {
  return { type: "plain_text", text: clip(text, most), emoji: false };
}

export function section(text: string, accessory?: Button): SectionBlock {
  return { type: "section", text: mrkdwn(text), ...(accessory ? { accessory } : {}) };
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
export function confirmation(
  title: string,
  text: string,
  verb: string,
  style: "primary" | "danger" = "danger",
): ConfirmationDialog {
  return {
    title: plain(title, limits.confirm.title),
    text: plain(text, limits.confirm.text),
    confirm: plain(verb, limits.confirm.confirm),
    deny: plain("Not now", limits.confirm.deny),
    style,
  };
}

/** Keeps a message within what Slack takes; what is left out is said, never dropped in silence. */
export function fitted(message: Message): Message {
  const blocks: Block[] = [];
  let size = 0;
  for (const [at, block] of message.blocks.entries()) {
    const length = textLength(block);
    const left = message.blocks.length - at;
    const full = blocks.length === limits.message.blocks - 1 && left > 1;
    if (full || size + length > limits.message.allText) {
      blocks.push(
        context(
          `${left} more parts of this answer do not fit into one Slack message. Narrow the question to see them.`,
        ),
      );
      break;
    }
    blocks.push(block);
    size += length;
  }
  return { text: clip(message.text, limits.message.text), blocks };
}

function textLength(part: unknown): number {
  if (Array.isArray(part)) return part.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (typeof part !== "object" || part === null) return 0;
  return Object.entries(part).reduce((sum, [key, value]) => {
    const isText = key === "text" && typeof value === "string";
    return sum + (isText ? value.length : textLength(value));
  }, 0);
}
