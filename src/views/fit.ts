import { type Block, context, type Message } from "./blocks.ts";
import { limits } from "./limits.ts";
import { plainForm, plainLines } from "./plain.ts";
import { clipMarkup, count, unmarked } from "./text.ts";

/**
 * Keeps a message within Slack's limits, or within those of a view. A line counts the parts that did not fit, and the last buttons stay.
 * `text` also gets the words of tables and charts, for screen readers and old clients.
 */
export function fitted(message: Message, most: { blocks: number; allText: number } = limits.message): Message {
  // A table's caption may be the message's own text already.
  const words = message.blocks.flatMap(plainLines).filter((line) => unmarked(line) !== unmarked(message.text));
  const text = clipMarkup([message.text, ...words].join("\n"), limits.message.text);
  const ending = message.blocks.findLastIndex(({ type }) => type !== "actions") + 1;
  const tail = message.blocks.slice(Math.max(ending, message.blocks.length - 5));
  const head = message.blocks.slice(0, message.blocks.length - tail.length);
  const blocks: Block[] = [];
  let size = textLength(tail);
  for (const [at, block] of head.entries()) {
    const left = head.length - at;
    const full = blocks.length + tail.length === most.blocks - 1 && left > 1;
    size += textLength(block);
    if (full || size > most.allText) {
      blocks.push(context(`${count(left, "more part")} of this answer would not fit here.`));
      break;
    }
    blocks.push(block);
  }
  return { text, blocks: [...blocks, ...tail] };
}

/** Leaves room for the buttons and the line about the requester around a page. */
const mostInPage = { blocks: 36, text: limits.message.allText - 1_000, charts: limits.chart.inMessage };

/**
 * Splits the blocks of an answer into as many pages as needed, at least one. A context stays with its subject, and a divider or
 * header with the next block. The buttons at the end are on every page.
 */
export function splitPages(blocks: Block[]): Block[][] {
  const ending = blocks.findLastIndex(({ type }) => type !== "actions") + 1;
  const tail = blocks.slice(ending);
  const pages: Block[][] = [];
  let page: Block[] = [];
  let used = weightOf(tail);
  for (const unit of unitsOf(blocks.slice(0, ending))) {
    const weight = weightOf(unit);
    if (page.length > 0 && !fits(sum(used, weight))) {
      pages.push([...page, ...tail]);
      page = [];
      used = weightOf(tail);
    }
    page.push(...unit);
    used = sum(used, weight);
  }
  return [...pages, [...page, ...tail]];
}

const mostTogether = 8;

function unitsOf(blocks: Block[]): Block[][] {
  const units: Block[][] = [];
  let begins = true;
  for (const block of blocks) {
    const last = units.at(-1);
    const belongs = !begins || block.type === "context" || block.type === "actions";
    if (last && belongs && last.length < mostTogether) last.push(block);
    else units.push([block]);
    begins = block.type !== "header" && block.type !== "divider";
  }
  return units;
}

interface Weight {
  blocks: number;
  text: number;
  charts: number;
}

/** The size of blocks, in their own form or the plain form, whichever is larger. */
function weightOf(blocks: Block[]): Weight {
  return blocks.reduce<Weight>(
    (all, block) => {
      const plain = plainForm(block);
      return sum(all, {
        blocks: Math.max(1, plain.length),
        text: Math.max(textLength(block), textLength(plain)),
        charts: block.type === "data_visualization" ? 1 : 0,
      });
    },
    { blocks: 0, text: 0, charts: 0 },
  );
}

function sum(one: Weight, other: Weight): Weight {
  return { blocks: one.blocks + other.blocks, text: one.text + other.text, charts: one.charts + other.charts };
}

function fits({ blocks, text, charts }: Weight): boolean {
  return blocks <= mostInPage.blocks && text <= mostInPage.text && charts <= mostInPage.charts;
}

function textLength(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const own = lengthOf("text" in part && part.text) + lengthOf("fallback" in part && part.fallback);
  return Object.values(part).reduce<number>((total, inner) => total + textLength(inner), own);
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}
