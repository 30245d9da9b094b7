import { characters } from "../process/plain-text.ts";
import { partSecrets, type SecretField } from "../process/secret-parts.ts";
import { type Block, paragraphs, section } from "./blocks.ts";
import { timeCharts } from "./chart.ts";
import { bitRate, bytes, figure, moment } from "./format.ts";
import { labelled, withinLine } from "./labels.ts";
import { isLines, preformatted } from "./preformatted.ts";
import { type FoundSeries, isFigure, parallelSeries, seriesIn } from "./series.ts";
import { dataTables, type TableCell } from "./table.ts";
import { code, count, packed, prose } from "./text.ts";
import { currencyIn, isNothing, isObject, isScalar, type Scalar, valueCell, valueWords } from "./values.ts";

/** Rows of all lists together that are shown. The words of eight megabytes took ten seconds, in which nobody else was answered. */
export const mostRows = 2_000;

/**
 * JSON of an undocumented shape for people: a line for each value, a table for rows, a chart for series over time only. Of more than
 * 2,000 rows the first are shown, and the number of the others; the engine splits a long answer into parts. `title` is the heading;
 * `none` is the sentence for empty JSON. `currency` applies to amounts whose object names none.
 */
export function jsonBlocks(
  value: unknown,
  { title = "", none, currency = null }: { title?: string; none?: string; currency?: string | null } = {},
): Block[] {
  if (isEmpty(value)) return none === undefined ? [] : [section(none)];
  const { rest, hidden } = withoutSecretValues(value);
  if (isEmpty(rest)) return paragraphs(hidden);
  if (!isObject(rest)) return [...blocksOf("", title, rest, 0, currency), ...paragraphs(hidden)];
  const blocks = [...blocksOf("", "", rest, 0, currency), ...paragraphs(hidden)];
  return title === "" ? blocks : [section(`*${prose(title)}*`), ...blocks];
}

/** Takes secrets out of JSON, and rows beyond the most: the readers are unknown, so only the names of secrets are shown. */
function withoutSecretValues(value: unknown): { rest: unknown; hidden: string[] } {
  const { kept, left } = firstRows(value);
  const { rest, secrets } = partSecrets(kept);
  return { rest, hidden: [...hiddenWords(secrets), ...leftWords(left)] };
}

/** A sentence about the rows that are not shown; none where all are. */
export function leftWords(left: number): string[] {
  return left > 0
    ? [`The platform sent ${count(left, "more row")}. Rackbell does not show ${left === 1 ? "it" : "them"}.`]
    : [];
}

/** The value with the first rows of its lists, and the number of the others. */
function firstRows(value: unknown): { kept: unknown; left: number } {
  let room = mostRows;
  let left = 0;
  const isLong = (one: unknown) => Array.isArray(one) && one.length > room;
  function cut(key: string, one: unknown): unknown {
    if (Array.isArray(one)) {
      // These become a chart, a text, or the least and the most.
      if (isLong(one) && (seriesIn(key, one) || isLineList(key, one) || one.every(isFigure))) return one;
      const rows = one.slice(0, room);
      room -= rows.length;
      left += one.length - rows.length;
      return rows.map((row) => cut("", row));
    }
    if (!isObject(one)) return one;
    const drawn = Object.values(one).some(isLong) ? parallelSeries(one) : null;
    const isDrawn = (name: string) => drawn !== null && !Object.hasOwn(drawn.rest, name);
    return Object.fromEntries(
      Object.entries(one).map(([name, inner]) => [name, isDrawn(name) ? inner : cut(name, inner)]),
    );
  }
  return { kept: cut("", value), left };
}

function hiddenWords(secrets: readonly SecretField[]): string[] {
  const names = secrets.map(({ name }) => code(name)).join(", ");
  return names === "" ? [] : [`Secret, and so not shown: ${names}.`];
}

/** A line with the names of the secrets that the caller took out. */
export function hiddenBlocks(secrets: readonly SecretField[]): Block[] {
  return paragraphs(hiddenWords(secrets));
}

/**
 * The same as lines of mrkdwn, if there is no room for a table or a chart: each row of a list is a line. `currency` applies to amounts
 * whose object names none.
 */
export function jsonLines(value: unknown, currency: string | null | undefined = null): string[] {
  const { rest, hidden } = withoutSecretValues(value);
  const lines = rest === null && hidden.length > 0 ? [] : linesOf("", "", rest, 0, currency ?? null);
  return [...lines, ...hidden].flatMap(wrapped);
}

/**
 * The fields of an object that say something: null is no value, and an id says nothing beside a name. A machine without a failure
 * would read as one whose failure is unknown.
 */
function shownEntries(object: object): [string, unknown][] {
  const entries = Object.entries(object).filter(([, value]) => !isNothing(value));
  const isNamed = entries.some(([key]) => /^(name|title|label)$/i.test(key));
  const named = entries.filter(([key, value]) => !isRawId(key, value, isNamed));
  return named.length > 0 ? named : entries;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for an own id, and for every id beside a name. */
function isRawId(key: string, value: unknown, isNamed: boolean): boolean {
  const isId = isNamed ? /(^|_)(id|uuid)$|[a-z]Id$/i.test(key) : /^(id|uuid)$/i.test(key);
  return isId && typeof value === "string" && uuid.test(value);
}

/** Deeper JSON is unreadable, and is shown as JSON text. */
const mostDepth = 6;
const mostInLine = 2_500;

function blocksOf(key: string, label: string, value: unknown, depth: number, outer: string | null = null): Block[] {
  if (Array.isArray(value)) return arrayBlocks(key, label, value, depth, outer);
  if (isLines(value)) return [...(label === "" ? [] : [section(`*${prose(label)}*`)]), ...preformatted(value)];
  if (isScalar(value) || depth >= mostDepth) return linesBlocks(linesOf(key, label, value, depth, outer));
  const drawn = parallelSeries(value);
  const entries = shownEntries(drawn?.rest ?? value);
  const currency = currencyIn(entries) ?? outer;
  const inLine = ([name, inner]: [string, unknown]) => isSimple(inner) && !isLineList(name, inner);
  const simple = entries.filter(inLine);
  const lines = simple.flatMap(([name, inner]) => linesOf(name, labelled(name).label, inner, depth + 1, currency));
  const { series, rest } = siblingsIn(entries.filter((entry) => !inLine(entry)));
  const nested = rest.flatMap(([name, inner]) => {
    const inside = joined(label, name);
    const blocks = blocksOf(name, inside, inner, depth + 1, currency);
    return Array.isArray(inner) || isLines(inner) ? blocks : [section(`*${prose(inside)}*`), ...blocks];
  });
  return [...linesBlocks(lines), ...charts(label, [...(drawn?.series ?? []), ...series]), ...nested];
}

/** Sibling series with the same unit share a chart. */
function siblingsIn(entries: [string, unknown][]): { series: FoundSeries[]; rest: [string, unknown][] } {
  const found = entries.map(([name, value]) => {
    const series = Array.isArray(value) ? seriesIn(name, value) : null;
    const { label, unit } = labelled(name);
    // Name a single series after its list: a column called "value" says less.
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
    const drawn = timeCharts(joinedWords(of, names), group, group[0]?.unit);
    return drawn.length > 0 ? [...lastFigures(group), ...drawn] : [];
  });
}

/** "Last figures: CPU 31.8 % · memory 49.9 %": a chart's end, for whom its line is too small. */
function lastFigures(group: FoundSeries[]): Block[] {
  const found = group.flatMap(({ name, points, unit }) => {
    const last = points.findLast(({ value }) => value !== null);
    return typeof last?.value === "number"
      ? [{ words: `${prose(name)} ${lastWords(last.value, unit)}`, at: last.at, unit }]
      : [];
  });
  const [first] = found;
  if (!first) return [];
  const at = found.reduce((newest, one) => Math.max(newest, one.at), first.at);
  const words = found.map((one) => one.words).join(" · ");
  const unnamed = found.some(({ unit }) => unit === "") ? ". The platform names no unit." : "";
  return [section(`Last ${found.length > 1 ? "figures" : "figure"}, ${moment(at)}: ${words}${unnamed}`)];
}

function lastWords(value: number, unit: string): string {
  if (unit === "B") return bytes(value);
  return unit === "bit/s" ? bitRate(value) : `${figure(value)}${unit === "" ? "" : ` ${prose(unit)}`}`;
}

/** Names of lists that say nothing about their figures. */
const noise = new Set(["points", "series", "data", "samples", "history", "values", "stats", "metrics"]);

/** Groups series that can share an axis: same unit, or without a unit, figures of similar size. */
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

/** Names of lists whose texts are lines of one text. */
const lineLists = /^(lines?|logs?|output|console|stdout|stderr|history|tail)$/i;

function isLineList(key: string, value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 1 && lineLists.test(key) && value.every((one) => typeof one === "string")
  );
}

function arrayBlocks(key: string, label: string, values: unknown[], depth: number, currency: string | null): Block[] {
  if (isLineList(key, values)) return blocksOf(key, label || labelled(key).label, values.join("\n"), depth);
  const series = seriesIn(key, values);
  if (series) return charts(label || labelled(key).label, series);
  const rows = values.filter(isObject);
  if (rows.length === values.length && rows.length > 1 && depth < mostDepth)
    return rowBlocks(label, rows, depth, currency);
  const inLines = (values.every(isSimple) && !values.some(isLines)) || depth >= mostDepth;
  if (inLines) return linesBlocks(linesOf(key, label, values, depth, currency));
  return values.flatMap((value, at) => {
    const title = values.length > 1 ? joinedWords(label, `${at + 1} of ${values.length}`) : label;
    const blocks = blocksOf(key, "", value, depth + 1, currency);
    return title === "" || Array.isArray(value) ? blocks : [section(`*${prose(title)}*`), ...blocks];
  });
}

/** In characters. Rows with longer cells are shown one below the other. */
const mostInCell = 300;

function rowBlocks(label: string, rows: object[], depth: number, currency: string | null): Block[] {
  const flat = rows.map((row) => cellsOf(row, currency));
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))]
    .filter((column) => flat.some((row) => row.get(column) !== undefined && row.get(column) !== ""))
    .sort((a, b) => rankOf(a) - rankOf(b));
  const wide = flat.some((row) =>
    [...row.values()].some((cell) => typeof cell === "string" && (cell.length > mostInCell || isLines(cell))),
  );
  // Secrets may have been taken out of these rows, so they are not called empty.
  if (columns.length === 0)
    return paragraphs([`${bold(label)}${rows.length.toLocaleString("en")} with nothing to show`]);
  if (!wide)
    return dataTables({
      caption: label || "Rows",
      columns,
      rows: flat.map((row) => columns.map((column) => row.get(column) ?? "")),
    });
  return rows.flatMap((row, at) => [
    section(`*${prose(joinedWords(label, `${at + 1} of ${rows.length}`))}*`),
    ...blocksOf("", "", row, depth + 1, currency),
  ]);
}

/** A phone shows the first columns: names come first, and ids last. */
function rankOf(column: string): number {
  if (/^(name|title|label|display name)$/i.test(column)) return 0;
  return /(^| )id$/i.test(column) ? 2 : 1;
}

/** The values of a row by column heading; a nested object has columns of its own. */
function cellsOf(row: object, outer: string | null): Map<string, TableCell> {
  const entries = shownEntries(row);
  const currency = currencyIn(entries) ?? outer;
  const cells = new Map<string, TableCell>();
  for (const [key, value] of entries) {
    const { label } = labelled(key);
    // Two keys may differ in their unit alone: use the key as the heading then.
    const heading = cells.has(label) ? key : label;
    if (isScalar(value)) cells.set(heading, valueCell(key, value, currency));
    else if (isObject(value) && Object.values(value).every(isScalar))
      for (const [inner, each] of Object.entries(value))
        cells.set(joined(heading, inner), valueCell(inner, each, currency));
    else cells.set(heading, inlineCell(key, value, currency));
  }
  return cells;
}

function linesOf(key: string, label: string, value: unknown, depth: number, currency: string | null): string[] {
  if (isScalar(value)) return [`${bold(label)}${valueWords(key, value, currency)}`];
  if (depth >= mostDepth) return [bold(label), ...piecesOf(JSON.stringify(value))];
  if (!Array.isArray(value)) return objectLines(label, shownEntries(value), depth, currency);
  if (value.length === 0) return [`${bold(label)}none`];
  const scalars = value.filter(isScalar);
  if (scalars.length === value.length) return [`${bold(label)}${listWords(key, scalars)}`];
  return [
    ...(label === "" ? [] : [`*${prose(label)}*`]),
    ...value.map((each) => `• ${inlineWords(key, each, currency)}`),
  ];
}

function objectLines(label: string, entries: [string, unknown][], depth: number, outer: string | null): string[] {
  if (entries.length === 0) return [`${bold(label)}none`];
  const currency = currencyIn(entries) ?? outer;
  if (label !== "" && entries.every(([, value]) => isScalar(value)))
    return [`${bold(label)}${inlineWords("", Object.fromEntries(entries), currency)}`];
  return entries.flatMap(([name, value]) => linesOf(name, joined(label, name), value, depth + 1, currency));
}

/** Longer lists of figures are summarised as minimum, maximum and newest. */
const mostFigures = 200;

function listWords(key: string, values: Scalar[]): string {
  const words = (some: Scalar[]) => some.map((value) => valueWords(key, value)).join(", ");
  const figures = values.filter((value) => typeof value === "number");
  if (figures.length < values.length || figures.length <= mostFigures) return words(values);
  const low = figures.reduce((least, value) => Math.min(least, value));
  const high = figures.reduce((most, value) => Math.max(most, value));
  return `${figure(figures.length)} figures from ${figure(low)} to ${figure(high)}, the last ${figure(figures.at(-1) ?? 0)}`;
}

/** A value inside a line of mrkdwn. */
function inlineWords(key: string, value: unknown, outer: string | null): string {
  if (isScalar(value)) return valueWords(key, value, outer);
  if (Array.isArray(value)) return value.map((each) => inlineWords(key, each, outer)).join(", ");
  const entries = shownEntries(value);
  const currency = currencyIn(entries) ?? outer;
  return entries
    .map(([name, each]) => {
      const words = isScalar(each) ? valueWords(name, each, currency) : inlineWords(name, each, currency);
      return `${prose(labelled(name).label)} ${words}`;
    })
    .join(" · ");
}

/** A value inside a cell. Only words with a moment in them need Slack's help. */
function inlineCell(key: string, value: unknown, outer: string | null): TableCell {
  const words = inlineWords(key, value, outer);
  return words.includes("<!date^") ? { words } : inlineText(key, value, outer);
}

function inlineText(key: string, value: unknown, outer: string | null): string {
  if (isScalar(value)) return textOf(valueCell(key, value, outer));
  if (Array.isArray(value)) return value.map((each) => inlineText(key, each, outer)).join(", ");
  const entries = shownEntries(value);
  const currency = currencyIn(entries) ?? outer;
  return entries.map(([name, each]) => `${labelled(name).label} ${inlineText(name, each, currency)}`).join(" · ");
}

function textOf(cell: TableCell): string {
  if (typeof cell !== "object") return characters(cell);
  return "text" in cell ? characters(cell.text) : "";
}

/** True if the value takes one or two lines. */
function isSimple(value: unknown): boolean {
  if (isLines(value)) return false;
  if (isScalar(value)) return true;
  if (Array.isArray(value)) return value.every((each) => isScalar(each) && !isLines(each));
  return (
    isObject(value) &&
    Object.keys(value).length <= 6 &&
    Object.values(value).every((each) => isScalar(each) && !isLines(each))
  );
}

function linesBlocks(lines: string[]): Block[] {
  return paragraphs(lines.flatMap(wrapped));
}

/** Splits a line that is longer than a section between two of its items. */
function wrapped(line: string): string[] {
  if (line.length <= mostInLine) return [line];
  return packed(line.split(/(?<=, | · )/), "", mostInLine);
}

function piecesOf(text: string): string[] {
  return (text.match(/.{1,1000}/gsu) ?? []).map((piece) => prose(piece, 1_000));
}

function joined(label: string, name: string): string {
  return joinedWords(label, labelled(name).label);
}

function joinedWords(label: string, words: string, follows = label !== ""): string {
  if (!follows || words === "") return label || words;
  return label === "" ? withinLine(words) : `${label}: ${withinLine(words)}`;
}

function bold(label: string): string {
  return label === "" ? "" : `*${prose(label)}*: `;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
}
