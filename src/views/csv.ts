import { utc } from "./format.ts";
import type { Cell, Table } from "./table.ts";

/** A table as CSV (RFC 4180) that a spreadsheet opens as it is, and in which no cell can be a formula. */
export function csvOf({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  // The mark at the beginning lets Excel read UTF-8.
  return `\uFEFF${[columns, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("")}`;
}

function field(cell: Cell): string {
  const text = harmless(textOf(cell));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(cell: Cell): string {
  if (typeof cell === "string") return cell;
  if ("value" in cell) return String(cell.value);
  return Number.isNaN(new Date(cell.at).getTime()) ? String(cell.at) : utc(cell.at);
}

/** What a spreadsheet could take for a formula gets the apostrophe that makes it text; a plain number is none. */
function harmless(text: string): string {
  if (/^-?\d+([.,]\d+)*$/.test(text)) return text;
  return /^\s*[=+\-@＝＋－＠\t\r]/.test(text) ? `'${text}` : text;
}
