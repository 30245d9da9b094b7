import type { DataTableBlock, RichTextBlock, RichTextElement } from "@slack/types";
import { characters, type PlainText, plainly } from "../process/plain-text.ts";
import { moment, slackSeconds, undatedWords } from "./format.ts";
import { limits } from "./limits.ts";
import { clip, code, oneLine, packed, prose, unmarked } from "./text.ts";

/**
 * A cell: plain text, a figure that sorts as a number, a name behind the emoji of its state, a moment (milliseconds or ISO) in the
 * reader's zone, or mrkdwn of the app with moments in it.
 */
export type TableCell =
  | PlainText
  | { text: PlainText; value: number }
  | { text: PlainText; mark: string }
  | { at: number | string }
  | { words: string };

export interface Table {
  /** The title above the plain form, which screen readers read, too. */
  caption: PlainText;
  columns: string[];
  rows: TableCell[][];
}

type BlockCell = DataTableBlock["rows"][number][number];

/** Characters in the tables of one message, with room for its other text. */
const mostCharacters = 9_300;
const mostInCell = 400;
const mostInFigure = 100;
/** Below the limit of a section, with room for the text around it. */
const mostInLine = 2_500;
const rowsShown = 10;

/**
 * Rows as tables that the reader can sort and filter. Slack shows the caption above the table: a message with one needs no title. Slack's limits on rows and characters decide their number; no rows make no
 * table. Pass all of them to the answer: the engine makes pages.
 */
export function dataTables({ caption, columns, rows }: Table): DataTableBlock[] {
  const header = blockRow(columns, columns);
  const parts = partsOf(
    rows.map((row) => blockRow(row, columns)),
    lengthOf(header),
  );
  return parts.map((part, at) => ({
    type: "data_table",
    caption: characters(
      clip(
        oneLine(parts.length > 1 ? plainly`${caption} (${at + 1} of ${parts.length})` : caption),
        limits.dataTable.caption,
      ),
    ),
    rows: [header, ...part],
    page_size: rowsShown,
  }));
}

/** A table as lines of mrkdwn, for workspaces without table blocks: the same words in the same order. */
export function tableLines({ caption, rows: [header = [], ...rows] }: DataTableBlock): string[] {
  const names = header.map((cell) => `*${prose(textOf(cell))}*`).join(" · ");
  return [`*${prose(caption)}*`, names, ...rows.flatMap(rowLines)];
}

function partsOf(rows: BlockCell[][], used: number): BlockCell[][][] {
  const parts: BlockCell[][][] = [];
  let part: BlockCell[][] = [];
  let size = used;
  for (const row of rows) {
    const length = lengthOf(row);
    if (part.length > 0 && (part.length === limits.dataTable.rows || size + length > mostCharacters)) {
      parts.push(part);
      part = [];
      size = used;
    }
    part.push(row);
    size += length;
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** The size of a row, in the table or its plain form, whichever is larger. */
function lengthOf(row: BlockCell[]): number {
  const cells = row.reduce((sum, cell) => sum + textOf(cell).length, 0);
  return Math.max(cells, rowLines(row).join("\n").length + 1);
}

/** A row with one cell for each column; the last of Slack's columns joins the rest. */
function blockRow(row: TableCell[], columns: string[]): BlockCell[] {
  const cells = columns.map((_, at) => blockCell(row[at] ?? ""));
  const most = limits.dataTable.columns;
  if (cells.length <= most) return cells;
  const kept = cells.slice(0, most - 1);
  return [
    ...kept,
    rawText(
      cells
        .slice(most - 1)
        .map(textOf)
        .join(" · "),
    ),
  ];
}

function blockCell(cell: TableCell): BlockCell {
  if (typeof cell !== "object") return rawText(cell);
  if ("at" in cell) return momentCell(cell.at);
  if ("mark" in cell) return markedCell(cell);
  if ("words" in cell) return wordedCell(cell.words);
  if (!Number.isFinite(cell.value)) return rawText(cell.text);
  return { type: "raw_number", value: cell.value, text: characters(clip(oneLine(cell.text), mostInFigure)) };
}

/** Slack refuses an empty cell. */
function rawText(text: PlainText): BlockCell {
  return { type: "raw_text", text: characters(clip(oneLine(text, "–"), mostInCell)) };
}

/** Slack draws an emoji only in rich text. */
function markedCell({ mark, text }: { mark: string; text: PlainText }): RichTextBlock {
  const elements = [
    { type: "emoji", name: mark.replaceAll(":", "") } as const,
    { type: "text", text: ` ${characters(clip(oneLine(text), mostInCell))}` } as const,
  ];
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
}

function momentCell(at: number | string): BlockCell {
  return slackSeconds(at) === null ? rawText(undatedWords(at)) : wordedCell(moment(at));
}

/** Slack shows a moment in the reader's zone only in rich text. */
function wordedCell(words: string): BlockCell {
  if (!words.includes("<!date^")) return rawText(unmarked(words));
  const elements = words.split(/(<!date\^[^<>]*>)/).flatMap((part) => {
    const [, seconds, format = "", fallback = ""] = /^<!date\^(\d+)\^([^|]*)\|(.*)>$/.exec(part) ?? [];
    if (seconds !== undefined) return { type: "date", timestamp: Number(seconds), format, fallback } as const;
    return part === "" ? [] : ({ type: "text", text: clip(unmarked(part), mostInCell) } as const);
  });
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
}

/** A row in as few lines as a section can take; the first cell is easy to copy. */
function rowLines(row: BlockCell[]): string[] {
  const words = row.map((cell, at) => markupOf(cell, at === 0));
  return packed(words, " · ", mostInLine);
}

function markupOf(cell: BlockCell, isFirst: boolean): string {
  if (cell.type !== "rich_text") return isFirst ? code(cell.text, mostInCell) : prose(cell.text, mostInCell);
  const parts = partsIn(cell);
  const isName = parts.some(({ type }) => type === "emoji");
  return parts
    .map((part) => {
      if (part.type === "date") return moment(part.timestamp * 1_000);
      if (part.type === "emoji") return `${drawn.get(part.name) ?? `:${part.name}:`} `;
      if (part.type !== "text") return "";
      return isName ? code(part.text.trim(), mostInCell) : prose(part.text, mostInCell);
    })
    .join("");
}

/** The marks of states as characters. A shortcode has twenty: a hundred rows with one each would not fit into a message. */
const drawn = new Map<string, string>(
  Object.entries({
    large_green_circle: "🟢",
    large_blue_circle: "🔵",
    large_yellow_circle: "🟡",
    large_orange_circle: "🟠",
    red_circle: "🔴",
    white_circle: "⚪",
    black_circle: "⚫",
    no_entry: "⛔",
    hourglass_flowing_sand: "⏳",
    white_check_mark: "✅",
    cd: "💿",
  }),
);

/** The characters of a cell as Slack counts them. */
function textOf(cell: BlockCell): string {
  if (cell.type !== "rich_text") return cell.text;
  return partsIn(cell)
    .map((part) => (part.type === "date" ? part.fallback : part.type === "text" ? part.text : ""))
    .join("");
}

function partsIn({ elements: [section] }: RichTextBlock): RichTextElement[] {
  return section?.type === "rich_text_section" ? section.elements : [];
}
