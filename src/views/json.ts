import { moment } from "./format.ts";
import { code, prose } from "./text.ts";

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const mostPoints = 30;
const mostDepth = 6;

/** A row of bars for a row of numbers, its newest 30; gaps are where there is no number. */
function sparkline(values: (number | null)[]): string {
  const shown = values.slice(-mostPoints);
  const numbers = shown.filter((value) => value !== null);
  const low = Math.min(...numbers);
  const span = Math.max(...numbers) - low;
  return shown
    .map((value) =>
      value === null ? " " : (bars[span === 0 ? 0 : Math.round(((value - low) / span) * (bars.length - 1))] ?? ""),
    )
    .join("");
}

/** JSON whose shape nobody has told us, as lines of mrkdwn: a label and a value each, rows of numbers as sparklines. */
export function renderJson(value: unknown): string[] {
  return linesOf(value, [], 0);
}

function linesOf(value: unknown, path: string[], depth: number): string[] {
  const label = path.length > 0 ? `*${prose(path.join(" › "), 120)}*: ` : "";
  if (value === null || value === undefined) return [`${label}unknown`];
  if (typeof value === "boolean") return [`${label}${value ? "yes" : "no"}`];
  if (typeof value === "number") return [`${label}${figure(value)}`];
  if (typeof value === "string") return [`${label}${isMoment(value) ? moment(value) : code(value, 200)}`];
  if (depth >= mostDepth) return [`${label}${code(JSON.stringify(value), 200)}`];
  if (Array.isArray(value)) return arrayLines(value, path, label, depth);
  return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, [...path, wordsOf(key)], depth + 1));
}

function arrayLines(values: unknown[], path: string[], label: string, depth: number): string[] {
  if (values.length === 0) return [`${label}none`];
  if (values.every((value) => typeof value === "number" || value === null)) return [`${label}${series(values)}`];
  const objects = values.filter(isObject);
  if (objects.length === values.length && values.length > 3) return columnLines(objects, path, label);
  const shown = values.slice(0, 10).flatMap((value, at) => linesOf(value, [...path, String(at + 1)], depth + 1));
  return values.length > 10 ? [...shown, `${label}${values.length - 10} more`] : shown;
}

/** Many rows alike: each numeric column is a series. */
function columnLines(rows: object[], path: string[], label: string): string[] {
  const tables = rows.map((row) => new Map<string, unknown>(Object.entries(row)));
  const columns = [...new Set(tables.flatMap((table) => [...table.keys()]))];
  const lines = columns.flatMap((column) => {
    const values = tables.map((table) => table.get(column) ?? null);
    const numeric =
      values.filter((value) => typeof value === "number").length > 0 &&
      values.every((value) => typeof value === "number" || value === null);
    if (!numeric || isTime(column)) return [];
    return [`*${prose([...path, wordsOf(column)].join(" › "), 120)}*: ${series(values)}`];
  });
  return lines.length > 0 ? lines : [`${label}${rows.length} entries`];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "nextDueDate" and "next_due_date" are the same to a person. */
function wordsOf(key: string): string {
  const words = key.replaceAll(/[_-]+/g, " ");
  return words.replaceAll(/(?<=[a-z\d])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A time with its zone: it can be shown in the reader's own. */
function isMoment(text: string): boolean {
  const full = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
  return full.test(text) && !Number.isNaN(Date.parse(text));
}

function isTime(column: string): boolean {
  return /^(t|ts|time|timestamp|at|date)$/i.test(column);
}

function series(values: unknown[]): string {
  const numbers = values.map((value) => (typeof value === "number" ? value : null));
  const known = numbers.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return "no figures";
  const low = known.reduce((least, value) => Math.min(least, value));
  const high = known.reduce((most, value) => Math.max(most, value));
  return `\`${sparkline(numbers)}\` now ${figure(last)}, from ${figure(low)} to ${figure(high)}`;
}

function figure(value: number): string {
  return Number.isInteger(value)
    ? value.toLocaleString("en")
    : value.toLocaleString("en", { maximumFractionDigits: 2 });
}
