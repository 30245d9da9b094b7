import { characters } from "../plain-text.ts";
import { utcOrAsIs } from "./format.ts";
import type { Table, TableCell } from "./table.ts";

/** A table as CSV (RFC 4180) that spreadsheets open directly, with no cell that runs as a formula. */
export function csvOf({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  // The byte order mark makes Excel read UTF-8.
  return `\uFEFF${[columns, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("")}`;
}

function field(cell: TableCell): string {
  const text = harmless(textOf(cell));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(cell: TableCell): string {
  if (typeof cell !== "object") return characters(cell);
  if ("value" in cell) return String(cell.value);
  if ("mark" in cell) return characters(cell.text);
  return utcOrAsIs(cell.at);
}

/** Prefixes an apostrophe to cells that a spreadsheet could run as a formula; plain numbers stay. */
function harmless(text: string): string {
  if (/^-?\d+([.,]\d+)*$/.test(text)) return text;
  return /^\s*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text;
}
