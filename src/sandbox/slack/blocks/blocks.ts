// blocks/: Block Kit: what Slack accepts and refuses (schema.ts and those built of it), what a form holds and would
// refuse, which controls and which text there are.

import { limits } from "../../../views/limits.ts";
import { isObject, type Json, objectAt } from "../wire/json.ts";
import { plainText, text } from "./composition.ts";
import { accessory, actionElement, elements, inputElement, oneImage } from "./elements.ts";
import { dataTable, newerOnesTogether, plan, tableCell, taskCard, visualization } from "./newer.ts";
import { richTextElements } from "./rich-text.ts";
import { flag, issuesIn, list, oneOf, type Report, type Rule, type Shape, string, typed, url } from "./schema.ts";
import { textsOf } from "./text.ts";

export type Surface = "message" | "modal" | "home";

const everywhere: Surface[] = ["message", "modal", "home"];
const markdownSum = 12_000;

interface BlockShape extends Shape {
  on: Surface[];
}

const contextText = text(limits.context.text);

/** Every block that the practice workspace knows, its fields, and where it may stand. */
export const blocks: Record<string, BlockShape> = {
  section: {
    on: everywhere,
    optional: {
      text: text(limits.section.text),
      fields: list(text(limits.section.field), limits.section.fields, 1),
      accessory,
      expand: flag,
    },
    also(block, at, report) {
      if (block.text === undefined && block.fields === undefined) report(at, "missing required field: text or fields");
    },
  },
  header: { on: everywhere, required: { text: plainText(limits.header) } },
  context: {
    on: everywhere,
    required: {
      elements: list(
        (value, at, report) => {
          if (isObject(value) && value.type === "image") typed(elements, "image")(value, at, report);
          else contextText(value, at, report);
        },
        limits.context.elements,
        1,
      ),
    },
  },
  divider: { on: everywhere },
  actions: { on: everywhere, required: { elements: list(actionElement, limits.actions, 1) } },
  input: {
    on: everywhere,
    required: { label: plainText(limits.input.label), element: inputElement },
    optional: { hint: plainText(limits.input.hint), optional: flag, dispatch_action: flag },
  },
  image: {
    on: everywhere,
    required: { alt_text: string(2_000, 1) },
    optional: { image_url: url(3_000), title: plainText(2_000), slack_file: () => {} },
    also: oneImage,
  },
  markdown: { on: ["message"], required: { text: string(markdownSum, 1) } },
  rich_text: { on: everywhere, required: { elements: richTextElements } },
  alert: {
    on: ["modal"],
    required: { text: text(limits.section.text) },
    optional: { level: oneOf("default", "info", "warning", "error", "success") },
  },
  data_table: { on: ["message"], ...dataTable },
  data_visualization: { on: ["message"], ...visualization },
  plan: { on: ["message"], ...plan },
  task_card: { on: ["message"], ...taskCard },
  table: {
    on: ["message"],
    required: {
      rows: list(list(tableCell, limits.table.columns, 1), limits.table.rows, 1),
    },
    optional: {
      column_settings: list((value, at, report) => {
        if (value !== null)
          typed({ column: columnSettings }, "column")({ ...asColumn(value), type: "column" }, at, report);
      }, limits.table.columns),
    },
  },
};

const columnSettings: Shape = { optional: { align: oneOf("left", "center", "right"), is_wrapped: flag } };

function asColumn(value: unknown): Json {
  return isObject(value) ? value : { invalid: value };
}

const maxBlocks: Record<Surface, number> = {
  message: limits.message.blocks,
  modal: limits.view.blocks,
  home: limits.view.blocks,
};

/** The rule for a whole list of blocks on one surface. */
export function blocksOn(surface: Surface): Rule {
  const shapes = Object.entries(blocks).filter(([, block]) => block.on.includes(surface));
  const block = typed(
    Object.fromEntries(
      shapes.map(([type, found]) => [
        type,
        { ...found, optional: { ...found.optional, block_id: string(limits.id, 1) } },
      ]),
    ),
  );
  const each = list(block, maxBlocks[surface]);
  return (value, at, report) => {
    each(value, at, report);
    if (!Array.isArray(value)) return;
    const all = value.filter(isObject);
    uniqueIds(all, at, report);
    fewOf(all, at, report);
    if (surface === "message") fileInputOnlyInModals(all, at, report);
  };
}

function uniqueIds(all: Json[], at: string, report: Report): void {
  const seen = new Set<unknown>();
  for (const [index, block] of all.entries()) {
    if (block.block_id !== undefined && seen.has(block.block_id))
      report(`${at}/${index}/block_id`, `block_id "${String(block.block_id)}" already exists`);
    seen.add(block.block_id);
    const actions = elementsOf(block).flatMap((element) =>
      element.action_id === undefined ? [] : [element.action_id],
    );
    if (new Set(actions).size < actions.length) report(`${at}/${index}`, "action_id must be unique within a block");
  }
}

function fewOf(all: Json[], at: string, report: Report): void {
  if (all.filter((block) => block.type === "table").length > 1) report(at, "no more than 1 table allowed");
  newerOnesTogether(all, at, report);
  const markdown = all.flatMap((block) =>
    block.type === "markdown" && typeof block.text === "string" ? [block.text] : [],
  );
  if (markdown.join("").length > markdownSum)
    report(at, `markdown must be less than ${markdownSum + 1} characters in sum`);
  const focused = all.flatMap(elementsOf).filter((element) => element.focus_on_load === true);
  if (focused.length > 1) report(at, "focus_on_load may be true for one element only");
}

function fileInputOnlyInModals(all: Json[], at: string, report: Report): void {
  for (const [index, block] of all.entries()) {
    if (objectAt(block, "element")?.type === "file_input")
      report(`${at}/${index}/element/type`, "unsupported type: file_input");
  }
}

/** The elements of one block: its accessory, its input element, or those in its list. */
export function elementsOf(block: Json): Json[] {
  if (block.type === "rich_text") return [];
  return [block.accessory, block.element, block.elements].flat().filter(isObject);
}

/** How many characters a message's blocks say together. */
export function lengthOf(all: unknown): number {
  return textsOf(all).reduce((sum, { text: said }) => sum + said.length, 0);
}

/** Why Slack would refuse these blocks in a message; nothing if it would not. */
export function refusedBlocks(value: unknown): string[] {
  return issuesIn(blocksOn("message"), value, "/blocks");
}
