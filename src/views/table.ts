import type { DataTableBlock, RichTextBlock, RichTextDate } from "@slack/types";
import { moment, slackSeconds, utc, utcOrAsIs } from "./format.ts";
import { limits } from "./limits.ts";
import { clip, code, oneLine, prose } from "./text.ts";

/** What stands in a cell: text as it is, a figure that sorts as one, or a moment (milliseconds or ISO) in the reader's own zone. */
export type Cell = string | { text: string; value: number } | { at: number | string };

export interface Table {
  /** What it is of: said above its plain form, and by a screen reader. */
  caption: string;
  columns: string[];
  rows: Cell[][];
}

type BlockCell = DataTableBlock["rows"][number][number];

/** Characters in one message's tables: room is left for what else it says. */
const mostCharacters = 9_300;
const mostInCell = 400;
const mostInFigure = 100;
/** Close to what a section holds, with room for what is put around it. */
const mostInLine = 2_500;
const rowsShown = 10;

/**
 * Rows as tables that the reader sorts and filters: as many tables as Slack's limits on rows and characters ask for, none where there
 * is no row. Give them all to the answer: what one message cannot hold, the engine turns into pages.
 */
export function dataTables({ caption, columns, rows }: Table): DataTableBlock[] {
  const header = blockRow(columns, columns);
  const parts = partsOf(
    rows.map((row) => blockRow(row, columns)),
    lengthOf(header),
  );
  return parts.map((part, at) => ({
    type: "data_table",
    caption: clip(
      oneLine(parts.length > 1 ? `${caption} (${at + 1} of ${parts.length})` : caption),
      limits.dataTable.caption,
    ),
    rows: [header, ...part],
    page_size: rowsShown,
  }));
}

/** A table as lines of mrkdwn, for where Slack does not know tables: the same words in the same order. */
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

/** What a row takes up, in the table or in its plain form, whichever is more. */
function lengthOf(row: BlockCell[]): number {
  const cells = row.reduce((sum, cell) => sum + textOf(cell).length, 0);
  return Math.max(cells, rowLines(row).join("\n").length + 1);
}

/** As many cells as there are columns; those that Slack has no column for stand together in its last. */
function blockRow(row: Cell[], columns: string[]): BlockCell[] {
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

function blockCell(cell: Cell): BlockCell {
  if (typeof cell === "string") return rawText(cell);
  if ("at" in cell) return momentCell(cell.at);
  if (!Number.isFinite(cell.value)) return rawText(cell.text);
  return { type: "raw_number", value: cell.value, text: clip(oneLine(cell.text), mostInFigure) };
}

/** Slack takes no empty cell. */
function rawText(text: string): BlockCell {
  return { type: "raw_text", text: text.trim() === "" ? "–" : clip(oneLine(text), mostInCell) };
}

/** Slack puts a moment into the reader's zone only in rich text. */
function momentCell(at: number | string): BlockCell {
  const timestamp = slackSeconds(at);
  if (timestamp === null) return rawText(utcOrAsIs(at));
  const element = { type: "date", timestamp, format: "{date_short_pretty} {time}", fallback: utc(at) } as const;
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: [element] }] };
}

/** A row in as few lines as a section can hold, the first cell easy to copy. */
function rowLines(row: BlockCell[]): string[] {
  const lines: string[] = [];
  for (const [at, cell] of row.entries()) {
    const words = markupOf(cell, at === 0);
    const last = lines.at(-1);
    if (last !== undefined && last.length + words.length < mostInLine) lines[lines.length - 1] = `${last} · ${words}`;
    else lines.push(words);
  }
  return lines;
}

function markupOf(cell: BlockCell, isName: boolean): string {
  if (cell.type !== "rich_text") return isName ? code(cell.text, mostInCell) : prose(cell.text, mostInCell);
  const timestamp = dateIn(cell)?.timestamp;
  return timestamp === undefined ? "–" : moment(timestamp * 1_000);
}

/** The words of a cell as Slack counts them. */
function textOf(cell: BlockCell): string {
  return cell.type === "rich_text" ? (dateIn(cell)?.fallback ?? "") : cell.text;
}

function dateIn({ elements: [section] }: RichTextBlock): RichTextDate | null {
  const [element] = section?.type === "rich_text_section" ? section.elements : [];
  return element?.type === "date" ? element : null;
}
