import { characters } from "../process/plain-text.ts";
import { inZone, momentFor, toSeconds } from "./format.ts";
import type { Table, TableCell } from "./table.ts";
import { oneLine, unmarked } from "./text.ts";

/** The rows of a file, which is made for one reader. */
export type Sheet = Pick<Table, "columns" | "rows">;

/** A table as CSV (RFC 4180) that spreadsheets open directly, with times in its reader's zone and no cell that runs as a formula. */
export function csvText({ columns, rows }: Sheet, zone: string): string {
  const lines = [columns, ...rows].map((row) => `${row.map((cell) => field(cell, zone)).join(",")}\r\n`);
  // The byte order mark makes Excel read UTF-8.
  return `\uFEFF${lines.join("")}`;
}

function field(cell: TableCell, zone: string): string {
  const text = harmless(textOf(cell, zone));
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(cell: TableCell, zone: string): string {
  if (typeof cell !== "object") return characters(cell);
  if ("value" in cell) return String(cell.value);
  if ("mark" in cell) return characters(cell.text);
  if ("words" in cell) return characters(oneLine(unmarked(inZone(zone, cell.words)), ""));
  return momentFor(zone, cell.at, toSeconds);
}

/**
 * Prefixes an apostrophe to text that a spreadsheet could run as a formula; plain numbers stay. Where its language separates cells by
 * semicolons, or its reader by tabs, quotes do not hold a cell together: what follows a separator begins a cell of its own.
 */
function harmless(text: string): string {
  if (/^-?\d+([.,]\d+)*$/.test(text)) return text;
  return text.replaceAll(/(^|[;\t\r\n])(?=[^\S\t\r\n]*[=+\-@＝＋－＠\t\r])/g, "$1'");
}
