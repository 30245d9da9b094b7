import { type Block, paragraphs, section } from "./blocks.ts";
import { timeCharts } from "./chart.ts";
import { figure } from "./format.ts";
import { labelled } from "./labels.ts";
import { type FoundSeries, parallelSeries, seriesIn } from "./series.ts";
import { type Cell, dataTables } from "./table.ts";
import { prose } from "./text.ts";
import { isScalar, type Scalar, valueCell, valueWords } from "./values.ts";

/**
 * JSON whose shape the contract does not show, as a person would write it: a line for each value, a table for rows, a chart for series over
 * time and for nothing else. All of it is shown; what is too long for one message, the engine gives in parts. `title` stands above; `none` is
 * the sentence where there is nothing.
 */
export function jsonBlocks(value: unknown, { title = "", none }: { title?: string; none?: string } = {}): Block[] {
  if (isEmpty(value)) return none === undefined ? [] : [section(none)];
  if (!isObject(value)) return blocksOf("", title, value, 0);
  const blocks = blocksOf("", "", value, 0);
  return title === "" ? blocks : [section(`*${prose(title)}*`), ...blocks];
}

/** The same in lines of mrkdwn, for where a table or a chart has no room: a row of a list is a line. */
export function renderJson(value: unknown): string[] {
  return linesOf("", "", value, 0).flatMap(wrapped);
}

/** JSON this deep is no answer for a person any more, and is given as it is. */
const mostDepth = 6;
const mostInLine = 2_500;

function blocksOf(key: string, label: string, value: unknown, depth: number): Block[] {
  if (Array.isArray(value)) return arrayBlocks(key, label, value, depth);
  if (isScalar(value) || depth >= mostDepth) return linesBlocks(linesOf(key, label, value, depth));
  const drawn = parallelSeries(value ?? {});
  const entries = Object.entries(drawn?.rest ?? value ?? {});
  const currency = currencyIn(entries);
  const simple = entries.filter(([, inner]) => isSimple(inner));
  const lines = simple.flatMap(([name, inner]) => linesOf(name, labelled(name).label, inner, depth + 1, currency));
  const { series, rest } = siblingsIn(entries.filter(([, inner]) => !isSimple(inner)));
  const nested = rest.flatMap(([name, inner]) => {
    const inside = joined(label, name);
    const blocks = blocksOf(name, inside, inner, depth + 1);
    return Array.isArray(inner) ? blocks : [section(`*${prose(inside)}*`), ...blocks];
  });
  return [...linesBlocks(lines), ...charts(label, [...(drawn?.series ?? []), ...series]), ...nested];
}

/** Series that stand side by side are drawn together where their unit is the same. */
function siblingsIn(entries: [string, unknown][]): { series: FoundSeries[]; rest: [string, unknown][] } {
  const found = entries.map(([name, value]) => {
    const series = Array.isArray(value) ? seriesIn(name, value) : null;
    const { label, unit } = labelled(name);
    // What a single series is of, its list's name says better than a column called "value".
    const only = series?.length === 1 ? series.map((one) => ({ ...one, name: label, unit: unit || one.unit })) : null;
    return { name, value, only };
  });
  return {
    series: found.flatMap(({ only }) => only ?? []),
    rest: found.filter(({ only }) => only === null).map(({ name, value }) => [name, value]),
  };
}

function charts(label: string, series: FoundSeries[]): Block[] {
  const of = noise.has(label.toLowerCase()) ? "" : label;
  return groupsOf(series).flatMap((group) => {
    const names = group.map(({ name }, at) => (at === 0 ? name : joinedWords("", name, true))).join(", ");
    return timeCharts(joinedWords(of, names), group, group[0]?.unit);
  });
}

/** What a list of figures is called where its name says nothing of them. */
const noise = new Set(["points", "series", "data", "samples", "history", "values", "stats", "metrics"]);

/** Series that can share an axis: of one unit, or where none is told, of figures that are not worlds apart. */
function groupsOf(series: FoundSeries[]): FoundSeries[][] {
  const groups: FoundSeries[][] = [];
  for (const one of series) {
    const fitting = groups.find(
      ([first]) => first && first.unit === one.unit && (one.unit !== "" || isNear(first, one)),
    );
    if (fitting) fitting.push(one);
    else groups.push([one]);
  }
  return groups;
}

function isNear(one: FoundSeries, other: FoundSeries): boolean {
  const [a, b] = [highOf(one), highOf(other)];
  return Math.max(a, b) <= 20 * Math.min(a, b) || b === 0;
}

function highOf({ points }: FoundSeries): number {
  return points.reduce((high, { value }) => Math.max(high, Math.abs(value ?? 0)), 0);
}

function arrayBlocks(key: string, label: string, values: unknown[], depth: number): Block[] {
  const series = seriesIn(key, values);
  if (series) return charts(label || labelled(key).label, series);
  const rows = values.filter(isObject);
  if (rows.length === values.length && rows.length > 1 && depth < mostDepth) return rowBlocks(label, rows, depth);
  const inLines = values.every(isSimple) || depth >= mostDepth;
  if (inLines) return linesBlocks(linesOf(key, label, values, depth));
  return values.flatMap((value, at) => {
    const title = values.length > 1 ? joinedWords(label, `${at + 1} of ${values.length}`) : label;
    const blocks = blocksOf(key, "", value, depth + 1);
    return title === "" || Array.isArray(value) ? blocks : [section(`*${prose(title)}*`), ...blocks];
  });
}

/** A cell holds so much; rows that say more are read one under the other. */
const mostInCell = 300;

function rowBlocks(label: string, rows: object[], depth: number): Block[] {
  const flat = rows.map((row) => cellsOf(row));
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))].filter((column) =>
    flat.some((row) => row.get(column) !== undefined && row.get(column) !== ""),
  );
  const wide = flat.some((row) =>
    [...row.values()].some((cell) => typeof cell === "string" && cell.length > mostInCell),
  );
  if (columns.length === 0) return paragraphs([`${bold(label)}${rows.length.toLocaleString("en")} without content`]);
  if (!wide)
    return dataTables({
      caption: label || "Rows",
      columns,
      rows: flat.map((row) => columns.map((column) => row.get(column) ?? "")),
    });
  return rows.flatMap((row, at) => [
    section(`*${prose(joinedWords(label, `${at + 1} of ${rows.length}`))}*`),
    ...blocksOf("", "", row, depth + 1),
  ]);
}

/** A row's values by the headings of their columns; an object inside it has columns of its own. */
function cellsOf(row: object): Map<string, Cell> {
  const entries = Object.entries(row);
  const currency = currencyIn(entries);
  const cells = new Map<string, Cell>();
  for (const [key, value] of entries) {
    const { label } = labelled(key);
    // Two keys may differ in their unit alone.
    const heading = cells.has(label) ? key : label;
    if (isScalar(value)) cells.set(heading, valueCell(key, value, currency));
    else if (isObject(value) && Object.values(value).every(isScalar))
      for (const [inner, each] of Object.entries(value))
        cells.set(joined(heading, inner), valueCell(inner, each, currency));
    else cells.set(heading, inlineText(value));
  }
  return cells;
}

function linesOf(key: string, label: string, value: unknown, depth: number, currency: string | null = null): string[] {
  if (isScalar(value)) return [`${bold(label)}${valueWords(key, value, currency)}`];
  if (depth >= mostDepth) return [bold(label), ...piecesOf(JSON.stringify(value))];
  if (!Array.isArray(value)) return objectLines(label, Object.entries(value ?? {}), depth);
  if (value.length === 0) return [`${bold(label)}none`];
  const scalars = value.filter(isScalar);
  if (scalars.length === value.length) return [`${bold(label)}${listWords(key, scalars)}`];
  return [...(label === "" ? [] : [`*${prose(label)}*`]), ...value.map((each) => `• ${inlineWords(key, each)}`)];
}

function objectLines(label: string, entries: [string, unknown][], depth: number): string[] {
  if (entries.length === 0) return [`${bold(label)}none`];
  const currency = currencyIn(entries);
  if (label !== "" && entries.every(([, value]) => isScalar(value)))
    return [`${bold(label)}${inlineWords("", Object.fromEntries(entries))}`];
  return entries.flatMap(([name, value]) => linesOf(name, joined(label, name), value, depth + 1, currency));
}

/** Figures of which there are so many are told by their extremes and their newest: nobody reads on. */
const mostFigures = 200;

function listWords(key: string, values: Scalar[]): string {
  const words = (some: Scalar[]) => some.map((value) => valueWords(key, value)).join(", ");
  const figures = values.filter((value) => typeof value === "number");
  if (figures.length < values.length || figures.length <= mostFigures) return words(values);
  const low = figures.reduce((least, value) => Math.min(least, value));
  const high = figures.reduce((most, value) => Math.max(most, value));
  return `${figure(figures.length)} figures from ${figure(low)} to ${figure(high)}, the last ${figure(figures.at(-1) ?? 0)}`;
}

/** A value within a line of mrkdwn. */
function inlineWords(key: string, value: unknown): string {
  if (isScalar(value)) return valueWords(key, value);
  if (Array.isArray(value)) return value.map((each) => inlineWords(key, each)).join(", ");
  const entries = Object.entries(value ?? {});
  const currency = currencyIn(entries);
  return entries
    .map(([name, each]) => {
      const words = isScalar(each) ? valueWords(name, each, currency) : inlineWords(name, each);
      return `${prose(labelled(name).label)} ${words}`;
    })
    .join(" · ");
}

/** A value within a cell, which has no markup. */
function inlineText(value: unknown): string {
  if (Array.isArray(value)) return value.map(inlineText).join(", ");
  if (!isObject(value)) return value === null || value === undefined ? "" : String(value);
  return Object.entries(value)
    .map(([name, each]) => `${labelled(name).label} ${inlineText(each)}`)
    .join(" · ");
}

/** What is a line or two, wherever it stands. */
function isSimple(value: unknown): boolean {
  if (isScalar(value)) return true;
  if (Array.isArray(value)) return value.every(isScalar);
  return isObject(value) && Object.keys(value).length <= 6 && Object.values(value).every(isScalar);
}

function linesBlocks(lines: string[]): Block[] {
  return paragraphs(lines.flatMap(wrapped));
}

/** A line that is longer than a section, parted between two of its items. */
function wrapped(line: string): string[] {
  if (line.length <= mostInLine) return [line];
  const lines: string[] = [];
  for (const item of line.split(/(?<=, | · )/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length <= mostInLine) lines[lines.length - 1] = `${last}${item}`;
    else lines.push(item);
  }
  return lines;
}

function piecesOf(text: string): string[] {
  return (text.match(/.{1,1000}/gsu) ?? []).map((piece) => prose(piece, 1_000));
}

function currencyIn(entries: [string, unknown][]): string | null {
  const found = entries.find(([key]) => key.toLowerCase() === "currency")?.[1];
  return typeof found === "string" && /^[A-Z]{3}$/.test(found) ? found : null;
}

function joined(label: string, name: string): string {
  return joinedWords(label, labelled(name).label);
}

function joinedWords(label: string, words: string, follows = label !== ""): string {
  if (!follows || words === "") return label || words;
  const within = /^[A-Z][a-z ]/.test(words) ? `${words.charAt(0).toLowerCase()}${words.slice(1)}` : words;
  return label === "" ? within : `${label}: ${within}`;
}

function bold(label: string): string {
  return label === "" ? "" : `*${prose(label)}*: `;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
